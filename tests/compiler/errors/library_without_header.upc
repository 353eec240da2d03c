// Functions of UPC's libraries are declared by their headers alone (facts 1.1)
shared int *p;
shared [] char *c;
int upc_lock_of_mine();
int f(void)
{
    p = upc_all_alloc(THREADS, sizeof(int)); // error: 'upc_all_alloc' is not declared; include <upc\.h>
    p = (shared int *)upc_alloc(4); // error: 'upc_alloc' is not declared; include <upc\.h>
    upc_all_reduceI(p, p, 1, 1, 1, 0, 0); // error: 'upc_all_reduceI' is not declared; include <upc_collective\.h>
    upc_all_broadcast(p, p, 1, 0); // error: 'upc_all_broadcast' is not declared; include <upc_collective\.h>
    upc_all_fread_local(0, 0, 1, 1, 0); // error: 'upc_all_fread_local' is not declared; include <upc_io\.h>
    upc_sync(upc_memput_nb(c, "x", 2)); // error: 'upc_sync' is not declared; include <upc_nb\.h> // error: 'upc_memput_nb' is not declared
    upc_atomic_relaxed(0, 0, 1, p, 0, 0); // error: 'upc_atomic_relaxed' is not declared; include <upc_atomic\.h>
    return upc_cast(p) != 0; // error: 'upc_cast' is not declared; include <upc_castable\.h>
}
#include <upc.h>
#include <upc_tick.h>
int g(void)
{
    p = upc_all_alloc(THREADS, sizeof(int));
    return upc_lock_of_mine(upc_ticks_now());
}
