// upc_lock_t and incomplete structs: only pointers to them can be declared (gotcha 26)
#include <upc.h>
upc_lock_t lock; // error: .
shared struct inc s; // error: .
struct holder {
    upc_lock_t *fine;
};
unsigned long f(upc_lock_t *p)
{
    upc_lock_t *q = p;
    upc_lock(q);
    return sizeof(upc_lock_t); // error: .
}
upc_lock_t *shared locks[THREADS];
shared void v; // error: .
