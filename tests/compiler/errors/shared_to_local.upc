// A pointer-to-shared becomes a pointer-to-local by a cast only (facts 1.16)
shared int *q;
shared void *v;
int *p;
void take(int *s);
int *ret(void)
{
    return q; // error: .
}
void f(void)
{
    p = q; // error: .
    p = v; // error: .
    void *w = q; // error: .
    take(q); // error: .
    p = (int *)q;
    w = (void *)v;
    long n = q; // error: .
    n = (long)q;
    char *c = (char *)q;
}
