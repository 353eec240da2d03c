/*
 * ep_naive: EP as a UPC programmer writes it: upc_forall, and a lock around shared sums.
 *
 * usage: ep_naive CLASS
 */
#include <upc.h>

#include "ep.h"

static shared[] double sums[EP_SUMS];

int main(int argc, char **argv)
{
    int class = npb_class(argc, argv, MYTHREAD == 0);
    if (class < 0)
        return 2;
    double mine[EP_SUMS] = {0}, all[EP_SUMS];
    upc_lock_t *lock = upc_all_lock_alloc();
    upc_barrier;
    double start = app_seconds();
    upc_forall(long block = 0; block < ep_blocks(class); block++; block) ep_block(block, mine);
    upc_lock(lock);
    for (int i = 0; i < EP_SUMS; i++)
        sums[i] += mine[i];
    upc_unlock(lock);
    upc_barrier;
    double seconds = app_seconds() - start;
    for (int i = 0; i < EP_SUMS; i++)
        all[i] = sums[i];
    upc_all_lock_free(lock);
    return MYTHREAD == 0 ? ep_report("UPC naive", class, THREADS, seconds, all) : 0;
}
