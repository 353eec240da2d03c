// Clause: private arrays dimensioned by THREADS are variable length arrays (facts 1.8, gotcha 23)
#include <upc.h>

#include "check.h"

shared [3] int a[3 * THREADS];

static long total(int n, long (*values)[n], shared [3] int *pointers[THREADS])
{
    long sum = 0;
    for (int i = 0; i < n; i++)
        sum += (*values)[i] + *pointers[i];
    return sum;
}

int main(void)
{
    long values[THREADS];
    shared [3] int *pointers[THREADS];
    shared void *grid[2][THREADS];
    char bytes[THREADS][5];

    EQ(sizeof values, THREADS * sizeof(long));
    EQ(sizeof pointers, THREADS * sizeof(shared [3] int *));
    EQ(sizeof grid, 2 * THREADS * sizeof(shared void *));
    EQ(sizeof bytes, 5 * THREADS);
    a[3 * MYTHREAD] = MYTHREAD;
    upc_barrier;
    for (int t = 0; t < THREADS; t++) {
        values[t] = 10;
        pointers[t] = &a[3 * t];
        grid[1][t] = pointers[t];
    }
    for (int t = 0; t < THREADS; t++) {
        EQ(upc_threadof(pointers[t]), t);
        EQ(upc_threadof(grid[1][t]), t);
    }
    EQ(total(THREADS, &values, pointers), 10 * THREADS + THREADS * (THREADS - 1) / 2);
    shared [3] int *one_more[THREADS + 1];
    one_more[THREADS] = &a[1];
    EQ(one_more[THREADS] - a, 1);
    return finish();
}
