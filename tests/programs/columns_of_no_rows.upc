// A loop along the columns whose inner loop has no iterations writes nothing, also where the first value of the inner
// variable is below the limit before it is converted to the variable's type: here the element does not exist.  Without
// columns, the limits of the inner loop are not computed.
#include <upc.h>

#include "check.h"

enum { N = 16 };

static shared [N] double factors[N * THREADS][N], sums[N * THREADS][N];
static volatile int below = -56;
static volatile long nowhere = 1l << 40;

static void add(long row, int first, int end)
{
    for (int j = 0; j < N; j++)
        for (unsigned char k = first; k < end; k++)
            sums[row][j] += factors[k][j];
}

static __attribute__((noinline)) void add_shares(int columns, int first, int shares)
{
    for (int j = 0; j < columns; j++)
        for (int k = first / shares; k < N; k++)
            sums[0][j] += factors[k][j];
}

int main(void)
{
    add_shares(below + 56, N, below + 56);
    for (int j = 0; j < N; j++)
        factors[MYTHREAD][j] = j + 1;
    upc_barrier;
    add(nowhere, below, 3);
    add(MYTHREAD, 256, 1);
    for (int j = 0; j < N; j++)
        CHECK(sums[MYTHREAD][j] == j + 1);
    return finish();
}
