// Only pointers-to-shared and null become pointers-to-shared (facts 1.6, constraint 10)
shared int *q;
int *p;
int n;
shared int *ret(void)
{
    return p; // error: return converts pointer-to-local 'int \*' to pointer-to-shared 'shared int \*'; a local address has no shared equivalent
}
shared int *ret_int(void)
{
    return n; // error: return converts the integer 'n' to pointer-to-shared 'shared int \*'; only a null pointer constant can be converted
}
void take(shared int *s);
void f(void)
{
    q = p; // error: assignment converts pointer-to-local 'int \*' to pointer-to-shared 'shared int \*'; a local address has no shared equivalent
    q = (shared int *)p; // error: cast converts pointer-to-local 'int \*' to pointer-to-shared 'shared int \*'; a local address has no shared equivalent
    q = 5; // error: assignment converts the integer '5' to pointer-to-shared 'shared int \*'; only a null pointer constant can be converted
    q = n; // error: assignment converts the integer 'n' to pointer-to-shared 'shared int \*'; only a null pointer constant can be converted
    q = (shared int *)5; // error: cast converts the integer '5' to pointer-to-shared 'shared int \*'; only a null pointer constant can be converted
    q = (shared void *)n; // error: cast converts the integer 'n' to pointer-to-shared 'shared void \*'; only a null pointer constant can be converted
    q = &n; // error: assignment converts pointer-to-local 'int \*' to pointer-to-shared 'shared int \*'; a local address has no shared equivalent
    take(p); // error: passing an argument converts pointer-to-local 'int \*' to pointer-to-shared 'shared int \*'; a local address has no shared equivalent
    take(n); // error: passing an argument converts the integer 'n' to pointer-to-shared 'shared int \*'; only a null pointer constant can be converted
    take(7); // error: passing an argument converts the integer '7' to pointer-to-shared 'shared int \*'; only a null pointer constant can be converted
    shared int *r = p; // error: initialisation converts pointer-to-local 'int \*' to pointer-to-shared 'shared int \*'; a local address has no shared equivalent
    shared int *s = n; // error: initialisation converts the integer 'n' to pointer-to-shared 'shared int \*'; only a null pointer constant can be converted
    shared int **t = (shared int **)p;
    shared int **u = (shared int **)&q;
    q = (shared int *)(shared void *)q;
    q = 0;
    q = (void *)0;
    q = ((void *)(0L));
    q = (void *)(void *)0; // error: assignment converts pointer-to-local 'void \*' to pointer-to-shared
    q = (shared int *)0;
    take(0);
    take((void *)0);
    n = (shared int)0; // error: 'shared int' is shared; a value can only be cast to a private type or to a pointer-to-shared
}
shared int *initialised = &n; // error: initialisation converts pointer-to-local 'int \*' to pointer-to-shared 'shared int \*'; a local address has no shared equivalent
shared int *with_number = 1; // error: initialisation converts the integer '1' to pointer-to-shared 'shared int \*'; only a null pointer constant can be converted
