// Clause: upc_alloc and the older upc_local_alloc: contiguous, on the calling thread (facts 2.2)
// flags: -w
#include <upc.h>

#include "check.h"

shared [] char *shared piece[THREADS][2];

int main(void)
{
    for (size_t size = 1; size <= 100000; size = size * 3 + 1) {
        shared [] char *p = upc_alloc(size);
        CHECK(p != NULL);
        EQ(upc_threadof(p), MYTHREAD);
        EQ(upc_phaseof(p), 0);
        EQ((uintptr_t)(char *)p % 16, 0);
        memset((char *)p, 1, size);
        p[size - 1] = 7;
        EQ(((char *)p)[size - 1], 7);
        upc_free(p);
    }
    piece[MYTHREAD][0] = upc_alloc(100);
    piece[MYTHREAD][1] = upc_local_alloc(10, 10);
    for (int i = 0; i < 100; i++) {
        piece[MYTHREAD][0][i] = (char)(MYTHREAD + i);
        piece[MYTHREAD][1][i] = (char)(MYTHREAD - i);
    }
    upc_barrier;
    for (int t = 0; t < THREADS; t++)
        for (int i = 0; i < 100; i++) {
            EQ(piece[t][0][i], (char)(t + i));
            EQ(piece[t][1][i], (char)(t - i));
            EQ(upc_threadof(&piece[t][1][i]), t);
        }
    upc_barrier;
    upc_free(piece[THREADS - 1 - MYTHREAD][0]);
    upc_free(piece[THREADS - 1 - MYTHREAD][1]);
    return finish();
}
