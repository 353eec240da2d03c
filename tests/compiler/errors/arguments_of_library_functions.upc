// The library has prototypes
#include <upc.h>
int x;
shared int y;
void f(void)
{
    upc_free(&x); // error: passing an argument of pointer-to-local 'int \*' to pointer-to-shared 'shared void \*'; a local address has no shared one
    upc_memcpy(&x, &y, 4); // error: passing an argument of pointer-to-local 'int \*' to pointer-to-shared 'shared void \*restrict'; a local address has no shared one
    upc_memget(&y, &x, 4); // error: passing an argument of pointer-to-local 'int \*' to pointer-to-shared 'shared const void \*restrict'; a local address has no shared one // error: passing an argument of pointer-to-shared 'shared int \*' to pointer-to-local 'void \*restrict' needs a cast, which is defined for objects with affinity to the calling thread
    upc_threadof(5); // error: passing an argument of the integer '5' to pointer-to-shared 'shared const volatile void \*'; only a null pointer constant can be converted
    upc_lock(&y); // warning: passing an argument of 'shared int \*' to the incompatible type 'upc_lock_t \*' \[-Wincompatible-pointer-types\]
    upc_barrier;
    int *p = upc_alloc(4); // error: initialisation of pointer-to-shared 'shared void \*' to pointer-to-local 'int \*' needs a cast, which is defined for objects with affinity to the calling thread
    shared int *q = upc_alloc(4);
    upc_free(q);
    upc_threadof(q);
}
