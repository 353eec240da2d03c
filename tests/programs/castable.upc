// Clause: upc_cast and upc_thread_info (facts 2.7)
// needs: __UPC_CASTABLE__
#include <upc.h>
#include <upc_castable.h>

#include "check.h"

#if UPC_CASTABLE_ALL_ALLOC + UPC_CASTABLE_GLOBAL_ALLOC + UPC_CASTABLE_ALLOC + UPC_CASTABLE_STATIC == 0
#error not usable in #if
#endif

shared [4] int a[4 * THREADS];
shared [] double *shared piece[THREADS];

int main(void)
{
    int all = UPC_CASTABLE_ALL_ALLOC | UPC_CASTABLE_GLOBAL_ALLOC | UPC_CASTABLE_ALLOC | UPC_CASTABLE_STATIC;
    shared [2] int *p = upc_all_alloc(THREADS, 2 * sizeof(int));

    EQ(UPC_CASTABLE_ALL & all, all);
    piece[MYTHREAD] = upc_alloc(10 * sizeof(double));
    piece[MYTHREAD][9] = MYTHREAD + 0.5;
    a[4 * MYTHREAD + 3] = MYTHREAD;
    p[2 * MYTHREAD + 1] = -MYTHREAD;
    CHECK(upc_cast(NULL) == NULL);
    CHECK(upc_cast(&a[4 * MYTHREAD]) == (void *)&a[4 * MYTHREAD]);
    upc_barrier;
    for (int t = 0; t < THREADS; t++) {
        upc_thread_info_t info = upc_thread_info((size_t)t);
        EQ(info.guaranteedCastable & ~info.probablyCastable, 0);
        int *here = upc_cast(&a[4 * t]);
        if (info.guaranteedCastable & UPC_CASTABLE_STATIC)
            CHECK(here != NULL);
        if (here != NULL)
            EQ(here[3], t);
        here = upc_cast(&p[2 * t]);
        if (info.guaranteedCastable & UPC_CASTABLE_ALL_ALLOC)
            CHECK(here != NULL);
        if (here != NULL)
            EQ(here[1], -t);
        double *there = upc_cast(piece[t]);
        if (info.guaranteedCastable & UPC_CASTABLE_ALLOC)
            CHECK(there != NULL);
        if (there != NULL) {
            CHECK(there[9] == t + 0.5);
            CHECK(upc_cast(piece[t]) == there);
        }
    }
    upc_barrier;
    upc_free(piece[MYTHREAD]);
    upc_all_free(p);
    return finish();
}
