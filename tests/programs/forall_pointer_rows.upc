// Clause: upc_forall over rows that are reached through pointers to them (facts 1.12)
#include <upc.h>

#include "check.h"

#define ROWS (5 * THREADS) // and more behind them, for pointers that begin further on

typedef shared [4] int row_of_4[4];

shared [4] int from[9 * THREADS][4], to[9 * THREADS][4];

static void sum(shared [4] int (*s)[4], shared [4] int (*d)[4], int n)
{
    upc_forall (int i = 1; i < n - 1; i++; &d[i][0])
        for (int j = 1; j < 4; j++)
            d[i][j] = s[i - 1][j] + s[i + 1][j] + s[i][j - 1];
}

static void moving(shared [4] int (*s)[4], int n)
{
    upc_forall (int i = 0; i < n; i++; &to[i][0]) {
        to[i][0] = s[0][1];
        s++;
    }
}

static int value(int row, int column)
{
    return 100 * row + column;
}

int main(void)
{
    upc_forall (int i = 0; i < 9 * THREADS; i++; &from[i][0])
        for (int j = 0; j < 4; j++)
            from[i][j] = value(i, j);
    upc_barrier;
    // rows from thread 0 on, from other threads on, and ones that begin in the middle of a block
    for (int k = 0; k < 12; k++) {
        row_of_4 *s = (row_of_4 *)((shared [4] int *)from + k), *d = (row_of_4 *)((shared [4] int *)to + 4 * (k % 3));
        sum(s, d, ROWS);
        upc_barrier;
        for (int i = 1; i < ROWS - 1; i++)
            for (int j = 1; j < 4; j++) {
                int at = k + 4 * i + j;
                EQ(d[i][j], value((at - 4) / 4, (at - 4) % 4) + value((at + 4) / 4, (at + 4) % 4) +
                                value((at - 1) / 4, (at - 1) % 4));
            }
        upc_barrier;
    }
    moving(from, ROWS);
    int own = 0;
    for (int i = MYTHREAD; i < ROWS; i += THREADS)
        EQ(to[i][0], value(own++, 1));
    return finish();
}
