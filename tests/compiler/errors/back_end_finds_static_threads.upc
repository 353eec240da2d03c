// With a fixed number of threads THREADS is a number
// env: static
int THREADS; // error: expected identifier or '\(' before numeric constant
void f(void)
{
    int *q = &THREADS; // error: lvalue required as unary '&' operand
    THREADS = 2; // error: lvalue required as left operand of assignment
    --THREADS; // error: lvalue required as decrement operand
}
