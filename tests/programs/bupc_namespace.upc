// Facts 3.1: BUPC_USE_UPC_NAMESPACE gives the names of bupc.h with upc_ in front; nothing else changes.
#define BUPC_USE_UPC_NAMESPACE
#include <upc.h>

#include <bupc.h>

#include <bupc_collectivev.h>

#include "check.h"

static shared int64_t counter;
static shared int box[THREADS], sums[THREADS];

int main(void)
{
    upc_sem_t *s = upc_sem_alloc(UPC_SEM_BOOLEAN);
    upc_sem_post(s);
    upc_sem_wait(s);
    upc_sem_free(s);

    int value = MYTHREAD + 1;
    upc_waitsync(upc_memput_async(&box[(MYTHREAD + 1) % THREADS], &value, sizeof value));
    upc_atomicI64_fetchadd_strict(&counter, 2);
    upc_barrier;
    EQ(box[MYTHREAD], (MYTHREAD + THREADS - 1) % THREADS + 1);
    EQ(upc_atomicI64_read_relaxed(&counter), 2 * THREADS);
    EQ(upc_allv_reduce_all(int, value, UPC_ADD), THREADS * (THREADS + 1) / 2);
    upc_all_reduce_allI(sums, box, UPC_ADD, (size_t)THREADS, 1, NULL, 0);
    EQ(sums[MYTHREAD], THREADS * (THREADS + 1) / 2);
    EQ(upc_thread_distance(MYTHREAD, MYTHREAD), UPC_THREADS_SAME);
    CHECK(upc_inverse_cast(bupc_cast(&box[MYTHREAD])) == &box[MYTHREAD]);
    return finish();
}
