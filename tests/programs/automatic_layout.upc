// Clause: [*] gives each thread one block of ceil(total / THREADS) (facts 1.5, gotcha 11)
#include <upc.h>

#include "check.h"

shared [*] int a[10 * THREADS];
shared [*] int b[THREADS][10];
shared [*] int c[4][THREADS][3];
shared [*] char d[THREADS];
shared [*] int scalar;
shared [*] struct {
    int x, y;
} e[3 * THREADS];

#define BLOCK(array) ((sizeof(array) / upc_elemsizeof(array) + THREADS - 1) / THREADS)

int main(void)
{
    EQ(upc_blocksizeof(a), 10);
    EQ(upc_blocksizeof(b), 10);
    EQ(upc_blocksizeof(c), 12);
    EQ(upc_blocksizeof(d), 1);
    EQ(upc_blocksizeof(e), 3);
    EQ(upc_blocksizeof(scalar), 1);
    EQ(upc_blocksizeof(a), BLOCK(a));
    EQ(upc_blocksizeof(c), BLOCK(c));
    EQ(upc_localsizeof(c), 12 * sizeof(int));
    for (int i = 0; i < 10 * THREADS; i++)
        EQ(upc_threadof(&a[i]), i / 10);
    for (int i = 0; i < THREADS; i++)
        EQ(upc_threadof(&b[i][9]), i);
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < THREADS; j++)
            for (int k = 0; k < 3; k++)
                EQ(upc_threadof(&c[i][j][k]), ((i * THREADS + j) * 3 + k) / 12);
    for (int i = 0; i < 3 * THREADS; i++)
        EQ(upc_threadof(&e[i]), i / 3);
    shared [10] int *p = a;
    CHECK(p + 3 == &a[3]);
    EQ(upc_blocksizeof(shared [*] int[10 * THREADS]), 10);
    return finish();
}
