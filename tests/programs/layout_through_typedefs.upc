// Clause: a layout counts ultimate elements, through any number of typedefs (facts 1.5, gotcha 25)
#include <upc.h>

#include "check.h"

typedef int row_t[10];
typedef shared [4] int shared_int_t;
typedef shared_int_t again_t;
typedef shared int cyclic_t;
typedef again_t pair_t[2];

shared [3] row_t a[3 * THREADS];
shared [3] int same[3 * THREADS][10];
again_t b[6 * THREADS];
pair_t c[3 * THREADS];
const again_t *d;
shared cyclic_t e[THREADS];
shared [4] again_t f[THREADS];

int main(void)
{
    EQ(upc_blocksizeof(a), 3);
    EQ(upc_elemsizeof(a), sizeof(int));
    for (int i = 0; i < 3 * THREADS; i++)
        for (int j = 0; j < 10; j++) {
            EQ(upc_threadof(&a[i][j]), upc_threadof(&same[i][j]));
            EQ(upc_phaseof(&a[i][j]), upc_phaseof(&same[i][j]));
            EQ(upc_threadof(&a[i][j]), (i * 10 + j) / 3 % THREADS);
        }
    EQ(upc_blocksizeof(b), 4);
    EQ(upc_blocksizeof(shared_int_t), 4);
    EQ(upc_blocksizeof(again_t), 4);
    EQ(upc_blocksizeof(c), 4);
    EQ(upc_blocksizeof(*d), 4);
    EQ(upc_blocksizeof(e), 1);
    EQ(upc_blocksizeof(f), 4);
    for (int i = 0; i < 6 * THREADS; i++) {
        EQ(upc_threadof(&b[i]), i / 4 % THREADS);
        EQ(upc_threadof(&c[i / 2][i % 2]), i / 4 % THREADS);
        EQ(upc_phaseof(&c[i / 2][i % 2]), i % 4);
    }
    return finish();
}
