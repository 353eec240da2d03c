// A loop along the columns whose inner loop has no iterations writes nothing, also where the first value of the inner
// variable is below the limit before it is converted to the variable's type: here the element does not exist.
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

int main(void)
{
    for (int j = 0; j < N; j++)
        factors[MYTHREAD][j] = j + 1;
    upc_barrier;
    add(nowhere, below, 3);
    add(MYTHREAD, 256, 1);
    for (int j = 0; j < N; j++)
        CHECK(sums[MYTHREAD][j] == j + 1);
    return finish();
}
