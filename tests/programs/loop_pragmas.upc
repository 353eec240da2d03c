// Pragmas about a loop reach the loop that it becomes, wherever that stands in the emitted C
// flags: -Wno-unknown-pragmas
#include <upc_relaxed.h>

#include "check.h"

#define N 100
#define IVDEP _Pragma("GCC ivdep")

shared int a[N * THREADS], x[N * THREADS];
shared [N] double b[N * THREADS], c[N * THREADS];
strict shared int flag;

static void foralls(void)
{
#pragma GCC ivdep
    upc_forall (int i = 0; i < N * THREADS; i++; &a[i])
        a[i] = i;
#pragma GCC unroll 4
    upc_forall (int i = 0; i < N * THREADS; i++; i)
        x[i] = i % 7;
    upc_barrier;
#pragma GCC ivdep
#pragma GCC unroll 2
    upc_forall (int i = N * THREADS - 1; i >= 0; i -= 1; &b[i])
        b[i] = a[i] + x[i];
    IVDEP upc_forall (int i = 0; i < N * THREADS; i++; continue)
        if (MYTHREAD == i / N)
            c[i] = 1;
#pragma omp simd
    upc_forall (int i = 0; i < N * THREADS; i++; &c[i])
        c[i] += 1;
#pragma omp parallel for
    upc_forall (int i = 0; i < N * THREADS; i++; &c[i])
        c[i] += b[i];
#pragma omp parallel
#pragma omp single
    upc_forall (int i = 0; i < N * THREADS; i++; &c[i])
        c[i] += 1;
}

static int others(void)
{
    int turns = 0;
#pragma GCC unroll 4
    for (shared [N] double *p = b, *end = b + N; p < end; p++)
        turns++;
#pragma GCC ivdep
    while (flag)
        turns = 0;
#pragma GCC unroll 2
    do
        turns++;
    while (flag);
#pragma GCC unroll 8
    for (int k = 0; k < N; k++)
        for (int j = 0; j < N; j++)
            turns += c[k] < b[j];
    return turns;
}

int main(void)
{
    foralls();
    upc_barrier;
    int expected = N + 1;
    for (int k = 0; k < N; k++)
        for (int j = 0; j < N; j++)
            expected += k + k % 7 + 3 < j + j % 7;
    for (int i = 0; i < N * THREADS; i++) {
        EQ(b[i], i + i % 7);
        EQ(c[i], i + i % 7 + 3);
    }
    EQ(others(), expected);
    return finish();
}
