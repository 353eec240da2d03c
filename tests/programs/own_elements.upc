// Clause: elements that are a thread's own by their index, a[i][MYTHREAD], a[MYTHREAD*B + x] and the like (facts 1.7,
// 1.8)
#include <upc.h>

#include "check.h"

enum { ROWS = 5, INNER = 3 };

shared int rows[ROWS][THREADS];
shared [INNER] long blocks[ROWS][THREADS][INNER];
shared double planes[2][ROWS][THREADS];
shared [INNER] short wide[ROWS][2 * THREADS][INNER];
shared struct cell {
    char c[3];
} cells[ROWS][3 * THREADS];
shared [2] int flat[2 * ROWS * THREADS];
shared [7] long bins[3 * 7 * THREADS];
shared [7] struct cell odd[3 * 7 * THREADS]; /* three bytes do not divide the distance between segments */
shared [*] int spread[11 * THREADS];
shared [256] short counts[256 * THREADS];
shared int upwards[ROWS * THREADS], downwards[ROWS * THREADS];

/* What is stored through one expression for an element is read through another. */
#define STORES(object, same, value)                                                                                    \
    do {                                                                                                               \
        object = (value);                                                                                              \
        EQ(same, value);                                                                                               \
        object += 1;                                                                                                   \
        EQ(same, (value) + 1);                                                                                         \
    } while (0)

/* a[MYTHREAD*B + x] is this thread's own as long as x is below B; otherwise the layout determines its owner. */
static void own_blocks(void)
{
    long me = MYTHREAD, first = 0;
    for (long x = 0; x < 2 * 7 * THREADS; x++) {
        STORES(bins[MYTHREAD * 7 + x], bins[me * 7 + first + x], 1000 * me + x);
        STORES(odd[MYTHREAD * 7 + x].c[1], odd[me * 7 + first + x].c[1], (char)(me + x));
        EQ(upc_threadof(&bins[MYTHREAD * 7 + x]), (me + x / 7) % THREADS);
        upc_barrier;
    }
    for (int x = 0; x < 11 * (THREADS - MYTHREAD); x++) {
        STORES(spread[x + 11 * MYTHREAD], spread[me * 11 + first + x], (int)me + x);
        upc_barrier;
    }
    for (int t = 0; t < MYTHREAD; t++)
        for (int x = 0; x < 11; x++)
            upc_barrier;
    for (int x = -(int)me; x < 0; x++)
        EQ(&spread[MYTHREAD * 11 + x] == &spread[me * 11 + first + x], 1);
    for (unsigned x = 0; x < 11u * (unsigned)(THREADS - MYTHREAD); x++) {
        STORES(spread[MYTHREAD * 11 + x], spread[me * 11 + first + x], (int)(me + x));
        upc_barrier;
    }
    for (int t = 0; t < MYTHREAD; t++)
        for (int x = 0; x < 11; x++)
            upc_barrier;
    for (unsigned x = 1; x <= 11u * (unsigned)MYTHREAD; x++) {  // modulo 2^32
        EQ(&spread[MYTHREAD * 11 - x] == &spread[me * 11 + first - x], 1);
        EQ(&bins[MYTHREAD * 7 + (0u - x % 7)] == &bins[me * 7 + first - x % 7], 1);
    }
    for (int i = 0; i < 512; i++) {
        unsigned char x = (unsigned char)i;
        counts[MYTHREAD * 256 + x]++;
        EQ(counts[me * 256 + first + i % 256], i / 256 + 1);
    }
    int i = 3;
    bins[MYTHREAD * 7 + i++] = 5;
    EQ(i, 4);
    EQ(bins[me * 7 + 3], 5);
    upc_barrier;
}

shared long walked[(2 * ROWS + 4) * THREADS], *by_all;
shared struct cell odd_cells[4 * THREADS];

/* p[x*THREADS + r]: x rounds after p + r, wherever p begins */
static void rounds(shared long *all)
{
    long zero = 0, one = 1;
    by_all = all;
    if (MYTHREAD == 0)
        for (long i = 0; i < (2 * ROWS + 4) * THREADS; i++)
            all[i] = 7 * i;
    upc_barrier;
    for (int begin = 0; begin <= THREADS; begin++) {
        shared long *p = all + 2 * THREADS + begin;
        int at = 2 * THREADS + begin;
        for (int x = 0; x < ROWS; x++) {
            EQ(p[x * THREADS], 7 * (at + x * THREADS));
            EQ(p[MYTHREAD + x * THREADS], 7 * (at + x * THREADS + MYTHREAD));
            EQ(*(p + (THREADS * x - MYTHREAD)), 7 * (at + x * THREADS - MYTHREAD));
            EQ(p[x * THREADS - THREADS - 1], 7 * (at + (x - 1) * THREADS - 1));
            EQ(&p[x * one * THREADS + 2 - begin] == &p[x * one * THREADS + 2 - begin + zero], 1);
            EQ(upc_threadof(&p[x * THREADS + 1]), (at + 1) % THREADS);
        }
    }
    upc_barrier;
    for (size_t x = 0; x < ROWS; x++)
        STORES(by_all[x * THREADS + MYTHREAD], by_all[zero + (long)x * THREADS * one + MYTHREAD], 1000 * MYTHREAD + 3);
    shared struct cell *cell = odd_cells + 1;
    for (unsigned char x = 0; x < 2; x++) {
        cell[THREADS * x + MYTHREAD].c[1] = (char)(MYTHREAD + x);
        EQ(odd_cells[1 + THREADS * x * one + MYTHREAD].c[1], MYTHREAD + x);
    }
    upc_barrier;
    for (long i = 0; i < ROWS * THREADS; i++)
        EQ(all[i], 1000 * (i % THREADS) + 4);
}

int main(void)
{
    own_blocks();
    rounds(walked);
    rounds(upc_all_alloc((2 * ROWS + 4) * THREADS, sizeof(long)));
    unsigned char narrow = 2;
    size_t turns = 2;
    long me = MYTHREAD;

    for (int i = 0; i < ROWS; i++) {
        shared int *row = (shared int *)rows[i];
        STORES(rows[i][MYTHREAD], row[me], 10 * me + i);
        STORES(*(rows[i] + MYTHREAD), row[me], 20 * me + i);
        STORES(upwards[i * THREADS + MYTHREAD], upwards[i * (long)THREADS + me], 30 * me + i);
        STORES(downwards[THREADS * (ROWS - 1 - i) + MYTHREAD], downwards[(ROWS - 1 - i) * (long)THREADS + me],
               40 * me + i);
        for (int k = 0; k < 2; k++)
            STORES(planes[k][i][MYTHREAD], planes[k][i][me], 100 * me + 10 * k + i);
        for (int j = 0; j < INNER; j++) {
            STORES(blocks[i][MYTHREAD][j], blocks[i][me][j], 100 * me + 10 * j + i);
            STORES(wide[i][THREADS + MYTHREAD][j], wide[i][THREADS + me][j], (short)(10 * j + i));
            STORES(wide[i][MYTHREAD][j], wide[i][me][j], (short)(10 * j + i));
            STORES(wide[i][2 * THREADS - THREADS + MYTHREAD][j], wide[i][THREADS + me][j], (short)(10 * j + i));
            cells[i][MYTHREAD + THREADS * j].c[1] = (char)(j + i);
            EQ(cells[i][me + (long)THREADS * j].c[1], j + i);
        }
        STORES(cells[i][narrow * THREADS + MYTHREAD].c[2], cells[i][2 * THREADS + me].c[2], (char)i);
        STORES(cells[i][turns * THREADS + MYTHREAD].c[0], cells[i][2 * THREADS + me].c[0], (char)i);
    }
    upc_barrier;

    /* Every thread sees what the others have written, each in its place; neighbours of own elements are not own. */
    for (int i = 0; i < ROWS; i++)
        for (int t = 0; t < THREADS; t++) {
            EQ(rows[i][t], 20 * t + i + 1);
            EQ(downwards[(ROWS - 1 - i) * THREADS + t], 40 * t + i + 1);
            EQ(planes[1][i][t], 100 * t + 10 + i + 1);
            EQ(blocks[i][t][2], 100 * t + 20 + i + 1);
            EQ(cells[i][t + THREADS].c[1], 1 + i);
        }
    EQ(rows[1][(MYTHREAD + 1) % THREADS], 20 * ((MYTHREAD + 1) % THREADS) + 2);
    if (MYTHREAD > 0)
        EQ(rows[2][MYTHREAD - 1], 20 * (MYTHREAD - 1) + 3);
    EQ(upc_threadof(&flat[MYTHREAD]), MYTHREAD / 2 % THREADS);
    return finish();
}
