// Types are defined in declarations, not inside of the shared types of parameters, casts and operands; private ones may be
void f(shared struct of_parameter { int a; } *p); // error: a type cannot be defined inside the type 'shared struct of_parameter \*' of a parameter, a cast or an operand
int g(shared void *p)
{
    return ((shared struct of_cast { int b; } *)p)->b; // error: inside the type 'shared struct of_cast \*'
}
unsigned long h = sizeof(shared struct of_operand { int c; }); // error: inside the type 'shared struct of_operand'
shared enum outside { ZERO, ONE } e;
int i(shared enum outside *p, void *q)
{
    return *p == ZERO && ((struct private { int d; } *)q)->d == ONE;
}
shared void *j(shared enum inside { TWO } *p) // error: inside the type 'shared enum inside \*'
{
    return p;
}
