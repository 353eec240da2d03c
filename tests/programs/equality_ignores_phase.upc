// Clause: == and != compare thread and address, never the phase (facts 1.9, gotcha 5)
#include <upc.h>

#include "check.h"

shared [5] int a[10 * THREADS];

int main(void)
{
    for (int i = 0; i < 10 * THREADS; i++) {
        shared [5] int *p = &a[i];
        shared [5] int *q = (shared [5] int *)upc_resetphase(p);
        shared void *g = p, *h = q;
        EQ(upc_phaseof(q), 0);
        CHECK(p == q && !(p != q));
        CHECK(g == h && g == q && p == h);
        for (int j = 0; j < 10 * THREADS; j++) {
            CHECK((&a[j] == q) == (i == j));
            CHECK((&a[j] != q) == (i != j));
            CHECK(((shared void *)&a[j] == g) == (i == j));
        }
    }
    const shared [5] int *c = &a[3];
    CHECK(c == &a[3]);
    strict shared [5] int *s = &a[3];
    CHECK(s == &a[3] && c == (const shared [5] int *)s);
    return finish();
}
