// Copies between private and shared memory, by the wrong name or with arguments in the wrong order
#include <upc.h>
#include <upc_nb.h>
int x[4];
shared int y[4 * THREADS];
void f(shared void *p, void *q)
{
    upc_memget(&y[0], x, 4); // error: the first two arguments of 'upc_memget' are swapped: its order is \(private destination, shared source, bytes\); 'upc_memput' copies the other way
    upc_memput(x, y, 4); // error: the first two arguments of 'upc_memput' are swapped: its order is \(shared destination, private source, bytes\); 'upc_memget' copies the other way
    upc_memget(p, y, 4); // error: argument 1 of 'upc_memget' is a pointer-to-shared, but its order is \(private destination, shared source, bytes\); 'upc_memcpy' copies from shared to shared memory
    upc_memget(x, q, 4); // error: argument 2 of 'upc_memget' is a pointer-to-local, but its order is \(private destination, shared source, bytes\); 'memcpy' copies from private to private memory
    upc_memput(q, x, 4); // error: argument 1 of 'upc_memput' is a pointer-to-local, but its order is \(shared destination, private source, bytes\); 'memcpy' copies from private to private memory
    upc_memput(p, p, 4); // error: argument 2 of 'upc_memput' is a pointer-to-shared, but its order is \(shared destination, private source, bytes\); 'upc_memcpy' copies from shared to shared memory
    upc_memcpy(x, p, 4); // error: argument 1 of 'upc_memcpy' is a pointer-to-local, but its order is \(shared destination, shared source, bytes\); 'upc_memget' copies from shared to private memory
    upc_memcpy(p, x, 4); // error: argument 2 of 'upc_memcpy' is a pointer-to-local, but its order is \(shared destination, shared source, bytes\); 'upc_memput' copies from private to shared memory
    upc_memcpy(x, q, 4); // error: argument 1 of 'upc_memcpy' is a pointer-to-local, but its order is \(shared destination, shared source, bytes\); 'memcpy' copies from private to private memory
    upc_handle_t h = upc_memget_nb(p, x, 4); // error: the first two arguments of 'upc_memget_nb' are swapped: its order is \(private destination, shared source, bytes\); 'upc_memput_nb' copies the other way
    upc_memput_nbi(x, p, 4); // error: the first two arguments of 'upc_memput_nbi' are swapped: its order is \(shared destination, private source, bytes\); 'upc_memget_nbi' copies the other way
    upc_sync(h);
    upc_memget(x, y, 4);
    upc_memput(y, x, 4);
    upc_memcpy(y, p, 4);
}
