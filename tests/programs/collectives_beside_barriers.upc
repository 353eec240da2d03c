// Collectives and allocations between valued and split-phase barriers do not disturb them (gotchas 34, 35)
// needs: __UPC_COLLECTIVE__
#include <upc.h>
#include <upc_collective.h>

#include "check.h"

shared int source[THREADS], target[THREADS];
shared [] int one[1];

int main(void)
{
    for (int round = 0; round < 100; round++) {
        source[MYTHREAD] = round + MYTHREAD;
        upc_notify round;
        upc_wait round;
        if (MYTHREAD == round % THREADS)
            one[0] = round;
        upc_all_broadcast(target, one, sizeof(int), UPC_IN_ALLSYNC | UPC_OUT_MYSYNC);
        EQ(target[MYTHREAD], round);
        upc_barrier round + 1;
        shared int *memory = upc_all_alloc(THREADS, THREADS * sizeof(int));
        upc_all_gather_all(memory, source, sizeof(int), UPC_IN_NOSYNC | UPC_OUT_NOSYNC);
        upc_barrier 2 * round;
        EQ(((int *)&memory[MYTHREAD])[THREADS - 1], round + THREADS - 1);
        upc_barrier;
        upc_all_free(memory);
        upc_all_reduceI(&target[round % THREADS], source, UPC_ADD, THREADS, 1, NULL, 0);
        EQ(target[round % THREADS], THREADS * round + THREADS * (THREADS - 1) / 2);
        upc_barrier;
    }
    return finish();
}
