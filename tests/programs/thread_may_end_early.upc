// Clause: a thread's shared memory outlives the thread, and its end is a barrier (facts 1.4, gotchas 35, 36)
#include <unistd.h>
#include <upc.h>

#include "check.h"

shared int own[THREADS];
shared [] int *shared block[THREADS];

int main(void)
{
    upc_lock_t *lock = upc_all_lock_alloc();

    own[MYTHREAD] = MYTHREAD + 100;
    block[MYTHREAD] = upc_alloc(1000 * sizeof(int));
    for (int i = 0; i < 1000; i++)
        block[MYTHREAD][i] = MYTHREAD + i;
    upc_barrier;
    if (MYTHREAD != THREADS - 1)
        return finish();

    usleep(50000);
    for (int t = 0; t < THREADS; t++) {
        EQ(own[t], t + 100);
        for (int i = 0; i < 1000; i++)
            EQ(block[t][i], t + i);
        shared void *more = upc_global_alloc(THREADS, 64);
        CHECK(more != NULL);
        upc_free(more);
        upc_free(block[t]);
    }
    upc_lock(lock);
    upc_unlock(lock);
    upc_lock_free(lock);
    return finish();
}
