// Sizes beyond 2^31 and 2^32 bytes (gotcha 29)
// threads: 1 2
// sanitize: no
#include <upc.h>

#include "check.h"

#define GIB (1UL << 30)
#define LOCAL_BYTES (GIB * 9 / 4)

/* 2.25 GiB on each thread, of which a few pages are touched */
shared [GIB >> 11] int blocks[LOCAL_BYTES / sizeof(int) * THREADS];

int main(void)
{
    size_t count = LOCAL_BYTES / sizeof(int) * THREADS;
    size_t last = count - 1 - MYTHREAD;

    EQ(sizeof blocks, LOCAL_BYTES * THREADS);
    EQ(upc_localsizeof(blocks), LOCAL_BYTES);
    EQ(sizeof(shared double[GIB * THREADS]), 8 * GIB * THREADS);
    EQ(sizeof(shared [] char[5 * GIB]), 5 * GIB);
    EQ(upc_localsizeof(shared [] char[5 * GIB]), 5 * GIB);
    blocks[last] = MYTHREAD + 1;
    blocks[MYTHREAD] = MYTHREAD - 1;
    upc_barrier;
    for (int t = 0; t < THREADS; t++) {
        EQ(blocks[count - 1 - t], t + 1);
        EQ(blocks[t], t - 1);
    }
    EQ(&blocks[last] - blocks, last);
    EQ(upc_threadof(&blocks[last]), last / (GIB >> 11) % THREADS);
    EQ(upc_phaseof(&blocks[last]), last % (GIB >> 11));

    shared [7] short *p = (shared [7] short *)blocks;
    shared [7] short *far = p + (5 * GIB + 3);
    EQ(far - p, 5 * GIB + 3);
    EQ(upc_threadof(far), (5 * GIB + 3) / 7 % THREADS);
    EQ(upc_phaseof(far), (5 * GIB + 3) % 7);
    CHECK(far - (5 * GIB + 3) == p && p < far);
    return finish();
}
