/* parts.h: declarations shared by the checked and the unchecked unit. */
#include <upc.h>
#include <upc_collective.h>
#include <upc_nb.h>

extern shared int array[3 * THREADS];
extern upc_lock_t *lock;

shared [] int *checked_alloc(int count);
long checked_sum(shared [] int *p, int count);
void checked_increment(shared int *counter);
void checked_broadcast(shared int *dst, shared [] int *src);
void checked_sync(upc_handle_t handle);
