// Sizes beyond 2^31 and 2^32 bytes (gotcha 29)
// threads: 1 2 4
// sanitize: no
#include <upc.h>

#include "check.h"

#define GIB (1UL << 30)

shared [] char one_thread[5 * GIB];
shared [GIB >> 11] int blocks[(3 * GIB >> 2) * THREADS];
shared double cyclic[(3 * GIB >> 3) * THREADS];

int main(void)
{
    EQ(sizeof one_thread, 5 * GIB);
    EQ(sizeof blocks, 3 * GIB * THREADS);
    EQ(upc_localsizeof(blocks), 3 * GIB);
    EQ(upc_localsizeof(cyclic), 3 * GIB);
    size_t last = (3 * GIB >> 2) * THREADS - 1 - MYTHREAD;
    blocks[last] = MYTHREAD + 1;
    size_t last_cyclic = (3 * GIB >> 3) * THREADS - 1 - MYTHREAD;
    cyclic[last_cyclic] = MYTHREAD + 1;
    if (MYTHREAD == 0)
        one_thread[5 * GIB - 1] = 'x';
    upc_barrier;
    for (int t = 0; t < THREADS; t++) {
        EQ(blocks[(3 * GIB >> 2) * THREADS - 1 - t], t + 1);
        EQ(cyclic[(3 * GIB >> 3) * THREADS - 1 - t], t + 1);
        EQ(upc_threadof(&cyclic[(3 * GIB >> 3) * THREADS - 1 - t]), THREADS - 1 - t);
    }
    EQ(one_thread[5 * GIB - 1], 'x');
    EQ(&cyclic[last_cyclic] - cyclic, last_cyclic);
    EQ(&one_thread[5 * GIB - 1] - one_thread, 5 * GIB - 1);
    return finish();
}
