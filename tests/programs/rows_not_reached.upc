// The row of an element is found at the start of a loop's body.  Where the program does not reach the element, the
// number of the row may be anything; gcc must not conclude from it how often the loop runs.
#include <upc.h>

#include "check.h"

#define N 8

shared [N] int rows[4 * THREADS][N];
shared [4 * N] int pieces[4 * THREADS][N];
int past, all;

static __attribute__((noinline)) void of_variable(int n)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < N; j++)
            if (i < 3)
                rows[i * 1000000000 & 3][j] += 1;
        if (i > 2)
            past++;
        all++;
    }
}

static __attribute__((noinline)) void of_variable_in_pieces(int n)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < N; j++)
            if (i < 3)
                pieces[(i * 1000000000 + 100000000) % 4][j] += 1;
        if (i > 2)
            past++;
        all++;
    }
}

static __attribute__((noinline)) void of_others(int n, int k, long m)
{
    for (int j = 0; j < n; j++) {
        if (k < 32)
            rows[(1 << k) & 3][j] += 1;
        if (m < 3) {
            rows[m * 4000000000000000000 & 3][j] += 1;
        }
        if (k >= 32)
            past++;
        all++;
    }
}

// What a upc_forall computes before its iterations, where there are none
static __attribute__((noinline)) int without_iterations(const int *counts, int n)
{
    int empty = 0, i;
    for (int k = 0; k < n; k++) {
        upc_forall (i = 0; i < counts[k]; i++; &pieces[(k * 1000000000 & 3) + i][0])
            all++;
        upc_forall (i = 0; i < counts[k]; i += (k * 1000000000 & 3) + 1; i)
            all++;
        upc_forall (i = 0; i < counts[k]; i++; k * 1000000000 & 3)
            all++;
        if (k >= 3)
            empty++;
    }
    return empty;
}

int main(int argc, char **argv)
{
    static const int counts[6] = {1, 1, 1};
    EQ(without_iterations(counts, 5 + argc), 2 + argc);
    past = all = 0;
    (void)argv;
    if (MYTHREAD == 0) {
        of_variable(20 + argc);
        EQ(past, 17 + argc);
        EQ(all, 20 + argc);
        past = all = 0;
        of_variable_in_pieces(20 + argc);
        EQ(past, 17 + argc);
        EQ(all, 20 + argc);
        past = all = 0;
        of_others(N, 40 + argc, 4 + argc);
        EQ(past, N);
        EQ(all, N);
        EQ(rows[0][1], 3);
        EQ(pieces[0][1], 3);
    }
    upc_barrier;
    return finish();
}
