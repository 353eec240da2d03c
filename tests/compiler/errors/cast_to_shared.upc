// Only pointers-to-shared and null become pointers-to-shared (facts 1.6, constraint 10)
shared int *q;
int *p;
int n;
shared int *ret(void)
{
    return p; // error: .
}
shared int *ret_int(void)
{
    return n; // error: .
}
void take(shared int *s);
void f(void)
{
    q = p; // error: .
    q = (shared int *)p; // error: .
    q = 5; // error: .
    q = n; // error: .
    q = (shared int *)5; // error: .
    q = (shared void *)n; // error: .
    q = &n; // error: .
    take(p); // error: .
    take(n); // error: .
    take(7); // error: .
    shared int *r = p; // error: .
    shared int *s = n; // error: .
    shared int **t = (shared int **)p;
    shared int **u = (shared int **)&q;
    q = (shared int *)(shared void *)q;
    q = 0;
    q = (void *)0;
    q = (shared int *)0;
    take(0);
    take((void *)0);
    n = (shared int)0; // error: .
}
shared int *initialised = &n; // error: .
shared int *with_number = 1; // error: .
