// Clause: upc_global_alloc: every caller gets memory of its own (facts 2.2)
#include <upc.h>

#include "check.h"

shared [3] long *shared owned[THREADS];

int main(void)
{
    shared [3] long *mine = upc_global_alloc(2 * THREADS + 1, 3 * sizeof(long));
    long total = 3 * (2 * THREADS + 1);

    CHECK(mine != NULL);
    EQ(upc_threadof(mine), 0);
    EQ(upc_phaseof(mine), 0);
    for (long i = 0; i < total; i++)
        mine[i] = MYTHREAD * 1000 + i;
    owned[MYTHREAD] = mine;
    upc_barrier;
    for (int t = 0; t < THREADS; t++) {
        for (int u = 0; u < t; u++)
            CHECK(owned[t] != owned[u]);
        for (long i = 0; i < total; i++) {
            EQ(owned[t][i], t * 1000 + i);
            EQ(upc_threadof(&owned[t][i]), i / 3 % THREADS);
        }
    }
    upc_barrier;
    upc_free(owned[(MYTHREAD + 1) % THREADS]);
    return finish();
}
