/*
 * ep_expert: EP with a collective for its sums.
 *
 * usage: ep_expert CLASS
 */
#include <bupc_collectivev.h>
#include <upc.h>

#include "ep.h"

int main(int argc, char **argv)
{
    int class = npb_class(argc, argv, MYTHREAD == 0);
    if (class < 0)
        return 2;
    double sums[EP_SUMS] = {0};
    upc_barrier;
    double start = app_seconds();
    for (long block = MYTHREAD; block < ep_blocks(class); block += THREADS)
        ep_block(block, sums);
    for (int i = 0; i < EP_SUMS; i++)
        sums[i] = bupc_allv_reduce_all(double, sums[i], UPC_ADD);
    double seconds = app_seconds() - start;
    return MYTHREAD == 0 ? ep_report("UPC expert", class, THREADS, seconds, sums) : 0;
}
