// bupc_assert_type of bupc.h compiles for the type of its operand, and for no other (facts 3.1)
#include <bupc.h>
struct s {
    int a;
    shared [3] int *p;
};
shared [5] struct s x[5 * THREADS];
shared int *q;
shared [4] double d[4 * THREADS];
void f(int i)
{
    bupc_assert_type(i, int);
    bupc_assert_type(i++, int);
    bupc_assert_type(q, shared int *);
    bupc_assert_type(q + 1, shared [1] int *);
    bupc_assert_type(q - q, ptrdiff_t);
    bupc_assert_type(&d[1], shared [4] double *);
    bupc_assert_type(&x[1].a, shared [] int *);
    bupc_assert_type(x[1].p, shared [3] int *shared []);
    bupc_assert_type(x[1].p + 1, shared [3] int *);
    bupc_assert_type(q, shared [2] int *); // error: array is negative
    bupc_assert_type(q, int *); // error: array is negative
    bupc_assert_type(&d[1], shared double *); // error: array is negative
    bupc_assert_type(&x[1].a, shared [5] int *); // error: array is negative
    bupc_assert_type(i, long); // error: array is negative
}
