// Clause: allocation of locks, lock, attempt, unlock, free (facts 2.3)
// races: no, all threads write the same value
#include <upc.h>

#include "check.h"

upc_lock_t *shared published[THREADS];
upc_lock_t *shared [2] more[2 * THREADS];
shared long counter;

int main(void)
{
    upc_lock_t *all = upc_all_lock_alloc();
    upc_lock_t *mine = upc_global_lock_alloc();
    upc_lock_t *other_all = upc_all_lock_alloc();

    CHECK(all != NULL && mine != NULL && other_all != NULL && all != mine && all != other_all);
    published[MYTHREAD] = mine;
    more[2 * MYTHREAD] = all;
    upc_barrier;
    for (int t = 0; t < THREADS; t++) {
        CHECK(more[2 * t] == all);
        for (int u = 0; u < t; u++)
            CHECK(published[t] != published[u]);
    }
    for (int i = 0; i < 1000; i++) {
        upc_lock(all);
        counter++;
        upc_unlock(all);
    }
    upc_barrier;
    EQ(counter, 1000L * THREADS);

    EQ(upc_lock_attempt(mine), 1);
    upc_barrier;
    if (THREADS > 1)
        EQ(upc_lock_attempt(published[(MYTHREAD + 1) % THREADS]), 0);
    upc_barrier;
    upc_unlock(mine);
    upc_barrier;
    EQ(upc_lock_attempt(published[(MYTHREAD + 1) % THREADS]), 1);
    upc_unlock(published[(MYTHREAD + 1) % THREADS]);
    upc_barrier;

    int won = upc_lock_attempt(other_all);
    upc_barrier;
    counter = 0;
    upc_barrier;
    upc_lock(all);
    counter += won;
    upc_unlock(all);
    upc_barrier;
    EQ(counter, 1);
    if (won)
        upc_unlock(other_all);
    upc_barrier;

    /* a lock may be freed while it is held; either free fits either lock */
    if (MYTHREAD == 0)
        upc_lock(all);
    upc_barrier;
    upc_all_lock_free(all);
    upc_lock_free(published[THREADS - 1 - MYTHREAD]);
    if (MYTHREAD == THREADS - 1)
        upc_lock_free(other_all);
    return finish();
}
