// Syntax errors are reported, and the compiler goes on
shared int x;
int f(void)
{
    int a = ; // error: expected an expression before ';'
    x = 1 + ; // error: expected an expression before ';'
    return x // error: expected ';' before '\}'
}
int g(void)
{
    shared int y; // error: shared object 'y' cannot have automatic storage; make it 'static', or move it to file scope, or allocate it
    x = (1; // error: expected '\)' before ';'
    return 0;
}
