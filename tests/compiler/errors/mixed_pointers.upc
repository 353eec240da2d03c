// Binary operators do not mix pointers-to-shared and pointers-to-local, nor layouts (facts 1.6, constraint 11; 1.9)
shared int *q;
int *p;
shared [2] int *a;
shared [3] int *b;
shared void *v;
long f(int n)
{
    n += p == q; // error: .
    n += p != q; // error: .
    n += p < q; // error: .
    n += q >= p; // error: .
    n += q - p; // error: .
    n += p - q; // error: .
    n += a == b; // error: .
    n += a != b; // error: .
    n += a < b; // error: .
    n += a - b; // error: .
    n += (n ? p : q) != 0; // error: .
    n += (n ? a : b) != 0; // error: .
    n += q == 5; // error: .
    n += q + q; // error: .
    n += q * 2; // error: .
    n += -q; // error: .
    n += ~q; // error: .
    n += q & 1; // error: .
    n += q == v;
    n += v != a;
    n += q == 0;
    n += q && !p;
    n += q == (void *)0;
    n += (n ? a : (void *)0) != 0;
    return n;
}
