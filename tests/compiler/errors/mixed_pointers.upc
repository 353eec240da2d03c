// Binary operators do not mix pointers-to-shared and pointers-to-local, nor layouts (facts 1.6, constraint 11; 1.9); '-' no types (C11 6.5.6)
shared int *q;
int *p;
shared [2] int *a;
shared [3] int *b;
shared void *v;
shared double *d;
shared int **pq;
shared [2] int **pa;
long f(int n)
{
    n += q - d; // error: '-' cannot be applied to 'shared int \*' and 'shared double \*'
    n += pq - pa; // error: '-' cannot be applied to 'shared int \*\*' and 'shared \[2\] int \*\*'
    n += p == q; // error: '==' mixes a pointer-to-shared and a pointer-to-local: 'int \*' and 'shared int \*'
    n += p != q; // error: '!=' mixes a pointer-to-shared and a pointer-to-local: 'int \*' and 'shared int \*'
    n += p < q; // error: '<' mixes a pointer-to-shared and a pointer-to-local: 'int \*' and 'shared int \*'
    n += q >= p; // error: '>=' mixes a pointer-to-shared and a pointer-to-local: 'shared int \*' and 'int \*'
    n += q - p; // error: '-' mixes a pointer-to-shared and a pointer-to-local: 'shared int \*' and 'int \*'
    n += p - q; // error: '-' mixes a pointer-to-shared and a pointer-to-local: 'int \*' and 'shared int \*'
    n += a == b; // error: '==' needs pointers-to-shared with the same block size: 'shared \[2\] int \*' and 'shared \[3\] int \*'
    n += a != b; // error: '!=' needs pointers-to-shared with the same block size: 'shared \[2\] int \*' and 'shared \[3\] int \*'
    n += a < b; // error: '<' needs pointers-to-shared with the same block size: 'shared \[2\] int \*' and 'shared \[3\] int \*'
    n += a - b; // error: '-' needs pointers-to-shared with the same block size: 'shared \[2\] int \*' and 'shared \[3\] int \*'
    n += (n ? p : q) != 0; // error: '\?:' mixes a pointer-to-shared and a pointer-to-local: 'int \*' and 'shared int \*'
    n += (n ? a : b) != 0; // error: '\?:' needs pointers-to-shared with the same block size: 'shared \[2\] int \*' and 'shared \[3\] int \*'
    n += q == 5; // error: '==' cannot be applied to 'shared int \*' and 'int'
    n += q + q; // error: '\+' cannot be applied to 'shared int \*' and 'shared int \*'
    n += q * 2; // error: '\*' cannot be applied to 'shared int \*' and 'int'
    n += -q; // error: unary '-' cannot be applied to 'shared int \*'
    n += ~q; // error: unary '~' cannot be applied to 'shared int \*'
    n += q & 1; // error: '&' cannot be applied to 'shared int \*' and 'int'
    n += q == v;
    n += v != a;
    n += q == 0;
    n += q && !p;
    n += q == (void *)0;
    n += (n ? a : (void *)0) != 0;
    return n;
}
