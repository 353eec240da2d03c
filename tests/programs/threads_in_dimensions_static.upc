// Clause: in the static environment THREADS is a constant like any other (facts 1.8)
// static: only
#include <upc.h>

#include "check.h"

#if THREADS < 1
#error THREADS in #if
#endif

shared int a[10 + THREADS];
shared [] int b[THREADS];
shared int c[10];
shared int d[THREADS][4 * THREADS];
shared int e[THREADS * THREADS];
shared [2] int f[9];
shared [4] int g[31];
shared [THREADS] int h[3 * THREADS + 1];
int i[THREADS];
struct member {
    int x[THREADS];
};
enum { T = THREADS };
_Static_assert(T == THREADS, "a constant");
static const int table[] = {[THREADS] = 5};

int main(void)
{
    shared int(**p)[THREADS][THREADS] = NULL;
    int per_block_of_2 = 0, per_block_of_4 = 0;

    EQ(sizeof a, (10 + THREADS) * sizeof(int));
    EQ(sizeof b, THREADS * sizeof(int));
    EQ(sizeof c, 10 * sizeof(int));
    EQ(sizeof d, 4 * THREADS * THREADS * sizeof(int));
    EQ(sizeof **p, THREADS * THREADS * sizeof(int));
    EQ(sizeof i, THREADS * sizeof(int));
    EQ(sizeof(struct member), THREADS * sizeof(int));
    EQ(upc_blocksizeof(h), THREADS);
    EQ(table[THREADS], 5);
    switch (T) {
    case THREADS:
        break;
    default:
        CHECK(0);
    }
    switch ((int)sizeof e) {
    case sizeof e:
        break;
    default:
        CHECK(0);
    }
    for (int k = 0; k < 9; k++)
        per_block_of_2 += upc_threadof(&f[k]) == 0;
    for (int k = 0; k < 31; k++)
        per_block_of_4 += upc_threadof(&g[k]) == 0;
    EQ(upc_localsizeof(f), ((9 + 1) / 2 + THREADS - 1) / THREADS * 2 * sizeof(int));
    EQ(upc_localsizeof(g), ((31 + 3) / 4 + THREADS - 1) / THREADS * 4 * sizeof(int));
    CHECK(per_block_of_2 * sizeof(int) <= upc_localsizeof(f));
    CHECK(per_block_of_4 * sizeof(int) <= upc_localsizeof(g));
    c[MYTHREAD] = MYTHREAD;
    d[MYTHREAD][MYTHREAD] = MYTHREAD;
    b[MYTHREAD] = MYTHREAD;
    a[9 + MYTHREAD] = MYTHREAD;
    upc_barrier;
    for (int t = 0; t < THREADS; t++) {
        EQ(c[t], t);
        EQ(d[t][t], t);
        EQ(b[t], t);
        EQ(a[9 + t], t);
        EQ(upc_threadof(&b[t]), 0);
    }
    return finish();
}
