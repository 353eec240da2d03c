// Type errors in expressions with shared objects that upcc finds itself
struct s {
    int x;
};
shared struct s a[THREADS];
shared struct s *p;
shared int *q;
int f(int n)
{
    n = a[0].nothing; // error: 'shared struct s' has no member named 'nothing'
    n = p->nothing; // error: 'shared struct s' has no member named 'nothing'
    n = p.x; // error: '.x' is applied to the pointer 'shared struct s \*'; use '->x' for a member of what it points to
    n = p.addr; // error: '.addr' is applied to the pointer 'shared struct s \*'; use '->addr' for a member of what it points to
    n = p.thread; // error: '.thread' is applied to the pointer 'shared struct s \*'; use '->thread' for a member of what it points to
    n = a->x;
    n = q->x; // error: 'shared int' has no member named 'x'
    q[1.5] = 3; // error: an index must be an integer, not 'double'
    q["x"] = 3; // error: an index must be an integer, not 'char \*'
    p = &n; // error: assignment converts pointer-to-local 'int \*' to pointer-to-shared 'shared struct s \*'; a local address has no shared equivalent
    p = a[0]; // error: assignment cannot convert 'struct s' to 'shared struct s \*'
    q += 1.5; // error: '\+=' cannot be applied to 'shared int \*' and 'double'
    q += q; // error: '\+=' cannot be applied to 'shared int \*' and 'shared int \*'
    q = n; // error: assignment converts the integer 'n' to pointer-to-shared 'shared int \*'; only a null pointer constant can be converted
    q = q * 2; // error: '\*' cannot be applied to 'shared int \*' and 'int'
    n = n + q; // error: assignment converts pointer-to-shared 'shared int \*' to integer 'int', which needs a cast
    return n;
}
