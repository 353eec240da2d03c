// A thread sees its own block copies, relaxed writes and writes through pointers-to-local in order (gotcha 39)
#include <upc_relaxed.h>

#include "check.h"

shared int a[8 * THREADS];

int main(void)
{
    for (int round = 1; round <= 100; round++) {
        int right = (MYTHREAD + 1) % THREADS;
        int four[4] = {round, round + 1, round + 2, round + 3}, copy[4];

        upc_memput(&a[right], four, sizeof four);
        EQ(a[right + 2 * THREADS], round + 2);
        a[right + 2 * THREADS] = -round;
        upc_memget(copy, &a[right], sizeof copy);
        EQ(copy[2], -round);
        upc_memset(&a[right], 0xff, sizeof four);
        EQ(a[right], -1);
        upc_barrier;
        int *mine = (int *)&a[MYTHREAD];
        mine[3] = round * 7;
        EQ(a[MYTHREAD + 3 * THREADS], round * 7);
        a[MYTHREAD + 3 * THREADS]++;
        EQ(mine[3], round * 7 + 1);
        upc_memcpy(&a[MYTHREAD + 4 * THREADS], &a[MYTHREAD], 4 * sizeof(int));
        EQ(mine[7], round * 7 + 1);
        upc_barrier;
    }
    return finish();
}
