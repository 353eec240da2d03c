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
    return b; // error: return converts 'shared \[3\] int \*' to 'shared \[2\] int \*', which has a different block size; use a cast, which sets the phase to zero
}
void f(void)
{
    a = b; // error: assignment converts 'shared \[3\] int \*' to 'shared \[2\] int \*', which has a different block size; use a cast, which sets the phase to zero
    a = c; // error: assignment converts 'shared int \*' to 'shared \[2\] int \*', which has a different block size; use a cast, which sets the phase to zero
    c = d; // error: assignment converts 'shared \[\] int \*' to 'shared int \*', which has a different block size; use a cast, which sets the phase to zero
    d = a; // error: assignment converts 'shared \[2\] int \*' to 'shared \[\] int \*', which has a different block size; use a cast, which sets the phase to zero
    f2(b); // error: passing an argument converts 'shared \[3\] int \*' to 'shared \[2\] int \*', which has a different block size; use a cast, which sets the phase to zero
    f2(c); // error: passing an argument converts 'shared int \*' to 'shared \[2\] int \*', which has a different block size; use a cast, which sets the phase to zero
    shared [2] int *e = b; // error: initialisation converts 'shared \[3\] int \*' to 'shared \[2\] int \*', which has a different block size; use a cast, which sets the phase to zero
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
