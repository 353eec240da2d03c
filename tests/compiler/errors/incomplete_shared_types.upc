// upc_lock_t, incomplete structs and enumerations: only pointers to them can be declared (gotcha 26)
#include <upc.h>
upc_lock_t lock; // error: shared object 'lock' has the incomplete type 'upc_lock_t'
shared struct inc s; // error: shared object 's' has the incomplete type 'shared struct inc'
shared enum nowhere e; // error: shared object 'e' has the incomplete type 'shared enum nowhere'
struct holder {
    upc_lock_t *fine;
};
unsigned long f(upc_lock_t *p)
{
    upc_lock_t *q = p;
    upc_lock(q);
    return sizeof(upc_lock_t); // error: 'sizeof' cannot be applied to the incomplete type 'upc_lock_t'
}
upc_lock_t *shared locks[THREADS];
shared void v; // error: shared object 'v' has the incomplete type 'shared void'
