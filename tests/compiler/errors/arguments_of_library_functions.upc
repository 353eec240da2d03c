// The library has prototypes
#include <upc.h>
int x;
shared int y;
void f(void)
{
    upc_free(&x); // error: .
    upc_memcpy(&x, &y, 4); // error: .
    upc_memget(&y, &x, 4); // error: .
    upc_threadof(5); // error: .
    upc_lock(&y); // warning: .
    upc_barrier;
    int *p = upc_alloc(4); // error: .
    shared int *q = upc_alloc(4);
    upc_free(q);
    upc_threadof(q);
}
