// The library has prototypes
#include <upc.h>
int x;
shared int y;
void f(void)
{
    upc_free(&x); // error: passing an argument converts pointer-to-local 'int \*' to pointer-to-shared 'shared void \*'; a local address has no shared equivalent
    upc_memcpy(&x, &y, 4); // error: argument 1 of 'upc_memcpy' is a pointer-to-local, but its order is \(shared destination, shared source, bytes\); 'upc_memget' copies from shared to private memory
    upc_memget(&y, &x, 4); // error: the first two arguments of 'upc_memget' are swapped: its order is \(private destination, shared source, bytes\); 'upc_memput' copies the other way
    upc_threadof(5); // error: passing an argument converts the integer '5' to pointer-to-shared 'shared const volatile void \*'; only a null pointer constant can be converted
    upc_lock(&y); // warning: passing an argument converts 'shared int \*' to the incompatible type 'upc_lock_t \*' \[-Wincompatible-pointer-types\]
    upc_barrier;
    int *p = upc_alloc(4); // error: initialisation converts pointer-to-shared 'shared void \*' to pointer-to-local 'int \*', which needs a cast, and is defined only for objects with affinity to the calling thread
    shared int *q = upc_alloc(4);
    upc_free(q);
    upc_threadof(q);
}
