// Clause: upc_all_alloc: one allocation, in blocks round the threads (facts 2.2)
#include <upc.h>

#include "check.h"

int main(void)
{
    for (size_t blocks = 1; blocks <= 3 * (size_t)THREADS + 1; blocks++) {
        shared [5] int *p = upc_all_alloc(blocks, 5 * sizeof(int));
        CHECK(p != NULL);
        EQ(upc_threadof(p), 0);
        EQ(upc_phaseof(p), 0);
        EQ(upc_addrfield(p) % 16, 0);
        for (long i = 0; i < (long)blocks * 5; i++)
            if (upc_threadof(&p[i]) == (size_t)MYTHREAD)
                p[i] = (int)(blocks * 1000) + (int)i;
        upc_barrier;
        for (long i = 0; i < (long)blocks * 5; i++) {
            EQ(upc_threadof(&p[i]), i / 5 % THREADS);
            EQ(p[i], (long)(blocks * 1000) + i);
        }
        upc_barrier;
        if (MYTHREAD == (int)(blocks % (size_t)THREADS))
            upc_free(p);
    }
    return finish();
}
