// Clause: upc_threadof, upc_phaseof, upc_addrfield, upc_resetphase, also for const and strict (facts 2.2)
#include <upc.h>

#include "check.h"

shared [4] int a[8 * THREADS];
const shared [4] int c[8 * THREADS];
strict shared [4] int s[8 * THREADS];
volatile shared [4] int v[8 * THREADS];

int main(void)
{
    for (int i = 0; i < 8 * THREADS; i++) {
        EQ(upc_threadof(&a[i]), i / 4 % THREADS);
        EQ(upc_threadof(&c[i]), i / 4 % THREADS);
        EQ(upc_threadof(&s[i]), i / 4 % THREADS);
        EQ(upc_threadof(&v[i]), i / 4 % THREADS);
        EQ(upc_phaseof(&c[i]), i % 4);
        shared void *reset = upc_resetphase(&a[i]);
        EQ(upc_phaseof(reset), 0);
        EQ(upc_threadof(reset), i / 4 % THREADS);
        CHECK(reset == &a[i]);
        EQ(upc_addrfield(reset), upc_addrfield(&a[i]));
        if (i % 4)
            EQ(upc_addrfield(&a[i]) - upc_addrfield(&a[i - 1]), sizeof(int));
        if (i >= 4 * THREADS)
            EQ(upc_addrfield(&a[i]) - upc_addrfield(&a[i - 4 * THREADS]), 4 * sizeof(int));
    }
    size_t (*query)(shared void *) = upc_threadof;
    EQ(query(&a[4]), 1 % THREADS);
    EQ((upc_threadof)(&a[4]), 1 % THREADS);
    return finish();
}
