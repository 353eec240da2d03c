// A pointer-to-shared becomes a pointer-to-local by a cast only (facts 1.16)
shared int *q;
shared void *v;
int *p;
void take(int *s);
int *ret(void)
{
    return q; // error: return converts pointer-to-shared 'shared int \*' to pointer-to-local 'int \*', which needs a cast, and is defined only for objects with affinity to the calling thread
}
void f(void)
{
    p = q; // error: assignment converts pointer-to-shared 'shared int \*' to pointer-to-local 'int \*', which needs a cast, and is defined only for objects with affinity to the calling thread
    p = v; // error: assignment converts pointer-to-shared 'shared void \*' to pointer-to-local 'int \*', which needs a cast, and is defined only for objects with affinity to the calling thread
    void *w = q; // error: initialisation converts pointer-to-shared 'shared int \*' to pointer-to-local 'void \*', which needs a cast, and is defined only for objects with affinity to the calling thread
    take(q); // error: passing an argument converts pointer-to-shared 'shared int \*' to pointer-to-local 'int \*', which needs a cast, and is defined only for objects with affinity to the calling thread
    p = (int *)q;
    w = (void *)v;
    long n = q; // error: initialisation converts pointer-to-shared 'shared int \*' to integer 'long', which needs a cast
    n = (long)q;
    char *c = (char *)q;
}
