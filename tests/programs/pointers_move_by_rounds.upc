/*
 * Pointers-to-shared that move in whole rounds of all threads have the address, thread and phase of the language's
 * arithmetic: with a phase other than 0, backwards, by products, by rows, and read where they are moved.
 */
#include <upc_relaxed.h>

#include "check.h"

#define B 3
#define N (24 * B * THREADS)

shared int a[N];
shared [B] int b[N];
shared [B] int rows[N][B];

/* Opaque to the compiler */
static long hidden(long x)
{
    return *(volatile long *)&x;
}

static void check_cyclic(shared int *p, long at)
{
    CHECK(p == &a[at] && upc_threadof(p) == (size_t)(at % THREADS) && upc_phaseof(p) == 0 && *p == at);
}

static void check_blocked(shared [B] int *p, long at)
{
    CHECK(p == &b[at] && upc_threadof(p) == (size_t)(at / B % THREADS) && (long)upc_phaseof(p) == at % B && *p == at);
}

static void move_cyclic(long start, long x)
{
    shared int *p = &a[hidden(start)];
    p += THREADS;
    check_cyclic(p, start + THREADS);
    p = p + x * THREADS;
    check_cyclic(p, start + (x + 1) * THREADS);
    p -= THREADS * x;
    check_cyclic(p, start + THREADS);
    p += -(x * THREADS) + 2 * x * THREADS;
    check_cyclic(p, start + (x + 1) * THREADS);
    check_cyclic(p - THREADS + 1, start + x * THREADS + 1);
    check_cyclic(&p[-THREADS], start + x * THREADS);
    CHECK(*(p - x * THREADS) == start + THREADS);
    p += (size_t)-1 * THREADS;
    check_cyclic(p, start + x * THREADS);
}

static void move_blocked(long start, long x)
{
    shared [B] int *p = &b[hidden(start)];
    p += B * THREADS;
    check_blocked(p, start + B * THREADS);
    p = p + x * B * THREADS;
    check_blocked(p, start + (x + 1) * B * THREADS);
    p -= x * (THREADS * B);
    check_blocked(p, start + B * THREADS);
    p += THREADS; /* not a whole round */
    check_blocked(p, start + (B + 1) * THREADS);
    check_blocked(p + 2 * B * THREADS - 1, start + (3 * B + 1) * THREADS - 1);
    CHECK(*(p - B * THREADS) == start + THREADS);

    shared [B] int (*row)[B] = &rows[start];
    row += x * THREADS;
    CHECK((*row)[1] == start + x * THREADS + 1 && row[-THREADS][2] == start + (x - 1) * THREADS + 2);
    CHECK(row - rows == start + x * THREADS && upc_threadof(row) == (size_t)((start + x * THREADS) % THREADS));
}

int main(void)
{
    upc_forall (int i = 0; i < N; i++; &a[i])
        a[i] = i;
    upc_forall (int i = 0; i < N; i++; &b[i])
        b[i] = i;
    upc_forall (int i = 0; i < N; i++; &rows[i])
        for (int j = 0; j < B; j++)
            rows[i][j] = i + j;
    upc_barrier;
    for (long start = 0; start < 2 * B * THREADS; start++) {
        move_cyclic(start, hidden(start % 5));
        move_blocked(start, hidden(start % 5) + 1);
    }

    /* A thread's own elements, one after the other */
    long sum = 0;
    int turns = 0;
    for (shared int *p = &a[MYTHREAD]; p < a + N; p += THREADS) {
        CHECK(*p == MYTHREAD + turns++ * THREADS);
        sum += *p;
    }
    for (shared int *p = &a[N - THREADS + MYTHREAD]; turns > 0; p -= THREADS, turns--)
        sum -= *p;
    CHECK(sum == 0);
    return finish();
}
