#include "parts.h"

shared int array[3 * THREADS];
upc_lock_t *lock;

shared [] int *checked_alloc(int count)
{
    shared [] int *p = upc_alloc(count * sizeof(int));
    for (int i = 0; i < count; i++)
        p[i] = i;
    return p;
}

long checked_sum(shared [] int *p, int count)
{
    long sum = 0;
    for (int i = 0; i < count; i++)
        sum += p[i];
    return sum;
}

void checked_increment(shared int *counter)
{
    upc_lock(lock);
    ++*counter;
    upc_unlock(lock);
    upc_barrier 7;
}

void checked_broadcast(shared int *dst, shared [] int *src)
{
    upc_all_broadcast(dst, src, sizeof(int), UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
}

void checked_sync(upc_handle_t handle)
{
    upc_sync(handle);
}
