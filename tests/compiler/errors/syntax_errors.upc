// Syntax errors are reported, and the compiler goes on
shared int x;
int f(void)
{
    int a = ; // error: .
    x = 1 + ; // error: .
    return x
} // error: .
int g(void)
{
    shared int y; // error: .
    x = (1; // error: .
    return 0;
}
