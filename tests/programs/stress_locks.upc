// Many more threads than cores: locks exclude each other and nobody starves for ever (facts 2.3, gotcha 52)
// threads: 1 2 16 32
#include <upc.h>

#include "check.h"

enum { LOCKS = 4, ROUNDS = 200 };
shared long counter[LOCKS * THREADS];
upc_lock_t *shared lock[LOCKS * THREADS];

int main(void)
{
    if (MYTHREAD == THREADS - 1)
        for (int i = 0; i < LOCKS; i++)
            lock[i] = upc_global_lock_alloc();
    upc_barrier;
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < LOCKS; i++) {
            int which = (i + MYTHREAD) % LOCKS;
            upc_lock(lock[which]);
            counter[which] = counter[which] + 1;
            upc_unlock(lock[which]);
        }
    upc_barrier;
    for (int i = 0; i < LOCKS; i++)
        EQ(counter[i], (long)ROUNDS * THREADS);
    upc_barrier;
    if (MYTHREAD == 0)
        for (int i = 0; i < LOCKS; i++)
            upc_lock_free(lock[i]);
    return finish();
}
