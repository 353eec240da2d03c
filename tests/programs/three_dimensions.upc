// Clause: arrays of three dimensions are numbered row by row (facts 1.7)
#include <upc.h>

#include "check.h"

shared [5] short a[2][THREADS][7];
shared [6] short b[THREADS * 3][2][3];
shared [4] short c[3][2][5 * THREADS];
shared [] short d[3][2][5];
shared [*] short e[2][THREADS][3];

#define LOOP(X, Y, Z)               \
    for (long x = 0; x < (X); x++)  \
        for (long y = 0; y < (Y); y++) \
            for (long z = 0; z < (Z); z++)

#define TEST(ARRAY, B, X, Y, Z)                                         \
    LOOP(X, Y, Z)                                                       \
    {                                                                   \
        long number = (x * (Y) + y) * (Z) + z;                          \
        EQ(upc_threadof(&ARRAY[x][y][z]), number / (B) % THREADS);      \
        EQ(upc_phaseof(&ARRAY[x][y][z]), number % (B));                 \
        EQ(&ARRAY[x][y][z] - &ARRAY[0][0][0], number);                  \
        CHECK(&ARRAY[x][y][z] == ARRAY[x][y] + z);                      \
        CHECK(&ARRAY[x][y][z] == *(*(ARRAY + x) + y) + z);              \
        if (MYTHREAD == 0)                                              \
            ARRAY[x][y][z] = (short)(number + 1);                       \
    }                                                                   \
    upc_barrier;                                                        \
    LOOP(X, Y, Z)                                                       \
    EQ(ARRAY[x][y][z], (x * (Y) + y) * (Z) + z + 1);

int main(void)
{
    TEST(a, 5, 2, THREADS, 7)
    TEST(b, 6, THREADS * 3, 2, 3)
    TEST(c, 4, 3, 2, 5 * THREADS)
    TEST(e, 6, 2, THREADS, 3)
    LOOP(3, 2, 5)
    {
        EQ(upc_threadof(&d[x][y][z]), 0);
        EQ(&d[x][y][z] - &d[0][0][0], (x * 2 + y) * 5 + z);
    }
    EQ(sizeof a, 2 * 7 * sizeof(short) * THREADS);
    EQ(sizeof a[0], 7 * sizeof(short) * THREADS);
    EQ(sizeof a[0][0], 7 * sizeof(short));
    EQ(upc_blocksizeof(e), 6);
    return finish();
}
