// Pointers with different block sizes need a cast (facts 1.9, 1.16)
shared [2] int *a;
shared [3] int *b;
shared int *c;
shared [1] int *c1;
shared [] int *d;
shared [0] int *d0;
shared void *v;
void f2(shared [2] int *p);
shared [2] int *ret(void)
{
    return b; // error: .
}
void f(void)
{
    a = b; // error: .
    a = c; // error: .
    c = d; // error: .
    d = a; // error: .
    f2(b); // error: .
    f2(c); // error: .
    shared [2] int *e = b; // error: .
    c = c1;
    c1 = c;
    d = d0;
    d0 = d;
    v = a;
    b = v;
    a = (shared [2] int *)b;
    f2(a);
    f2(v);
}
