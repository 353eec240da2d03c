// Clause: typedefs count where THREADS stands in the dimensions of shared arrays (facts 1.8); [*] beside the number
// that it comes to (facts 1.5)
#include <upc.h>

#include "check.h"

typedef int row[THREADS];
typedef row grid[4];
typedef struct cell {
    char c;
    double d;
} cells[2 * THREADS];
typedef shared [2] row shared_row;

shared row a[10];
shared [3] row b[10];
shared [*] row c[10];
shared grid d;
shared row e;
shared cells f[3];
shared_row g[5];
shared row initialised[2] = {{1}, {2}};
shared [1] shared [*] int one[THREADS];
typedef shared [4] int four;
shared [*] four blocks[4 * THREADS];

int main(void)
{
    typedef short inner[THREADS];
    static shared inner h[2];
    shared row *p = a;
    EQ(sizeof(a), 10 * THREADS * sizeof(int));
    EQ(sizeof(d), 4 * THREADS * sizeof(int));
    EQ(sizeof(f), 6 * THREADS * 16);
    EQ(sizeof(h), 2 * THREADS * sizeof(short));
    EQ(upc_blocksizeof(b), 3);
    EQ(upc_blocksizeof(c), 10);
    EQ(upc_blocksizeof(g), 2);
    EQ(upc_blocksizeof(one), 1);
    EQ(upc_blocksizeof(blocks), 4);
    for (int i = 0; i < 10; i++)
        for (int j = 0; j < THREADS; j++) {
            int k = i * THREADS + j;
            EQ(upc_threadof(&a[i][j]), k % THREADS);
            EQ(upc_threadof(&p[i][j]), k % THREADS);
            EQ(upc_threadof(&b[i][j]), k / 3 % THREADS);
            EQ(upc_threadof(&c[i][j]), k / 10);
            if (i < 4)
                EQ(upc_threadof(&d[i][j]), k % THREADS);
            if (i < 5)
                EQ(upc_threadof(&g[i][j]), k / 2 % THREADS);
            if (i < 2)
                EQ(initialised[i][j], j == 0 ? i + 1 : 0);
        }
    upc_forall (int i = 0; i < 10 * THREADS; i++; &a[i / THREADS][i % THREADS])
        a[i / THREADS][i % THREADS] = i;
    upc_barrier;
    for (int i = 0; i < 10 * THREADS; i++)
        EQ(p[i / THREADS][i % THREADS], i);
    return finish();
}
