// Text that is no token
shared int x;
int f(void)
{
    return x @ 3; // error: stray '@' in program
}
