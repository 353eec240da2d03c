/*
 * Plain loops over a thread's own elements, for (i = MYTHREAD; ...; i += THREADS), reach those of C: in steps of
 * several rounds, downwards, with other loops inside and around them, beside indices that are read, in rows and through
 * pointers that begin on any thread; and so do loops that look alike but change i in other ways.
 */
#include <upc_relaxed.h>

#include "check.h"

#define N (20 * THREADS)

shared long a[N], b[N];
shared [3] int rows[N][3];
static int listed[20 * 64];

static void set(void)
{
    upc_barrier;
    for (long i = MYTHREAD; i < N; i += THREADS) {
        a[i] = 3 * i;
        b[i] = 0;
        for (int j = 0; j < 3; j++)
            rows[i][j] = i + j;
    }
    upc_barrier;
}

static void move(shared long *p, long count)
{
    for (int i = MYTHREAD; i < count; i += THREADS) {
        if (i % 3 == 1)
            continue;
        p[i] += a[i] + 1;
    }
}

int main(void)
{
    set();
    for (long i = 0; i < N; i++)
        CHECK(a[i] == 3 * i && rows[i][2] == i + 2);
    upc_barrier;

    for (long i = N - THREADS + MYTHREAD; i >= 0; i -= THREADS)
        b[i] = a[i] + rows[i][1];
    long sum = 0, expected = 0;
    for (size_t i = THREADS + MYTHREAD; i < (size_t)N; i = 2 * THREADS + i) {
        sum += b[i] + a[i - THREADS];
        expected += 4 * (long)i + 1 + 3 * ((long)i - THREADS);
    }
    CHECK(sum == expected);

    /* Several loops, of which the inner ones stand more than once in C */
    for (int i = 0; i < N; i++)
        listed[i] = i * 7 % N;
    for (int turn = 0; turn < 3; turn++)
        for (int i = MYTHREAD; i < N; i += THREADS) {
            long here = 0;
            for (int k = MYTHREAD; k < N; k += 2 * THREADS)
                here += a[listed[k]] * a[k] + a[i];
            for (int k = MYTHREAD; k < N; k += 2 * THREADS)
                here -= 3L * listed[k] * 3 * k + 3 * i;
            CHECK(here == 0 && a[i] == 3 * i);
        }
    upc_forall (int t = 0; t < THREADS; t++; t)
        for (int i = MYTHREAD; i < N; i += THREADS)
            b[i] = a[i] + t;
    for (int i = MYTHREAD; i < N; i += THREADS)
        CHECK(b[i] == 3 * i + MYTHREAD);

    for (int shift = 0; shift < 4; shift++) {
        set();
        move(b + shift, N - 4);
        upc_barrier;
        for (long i = 0; i < N - 4; i++)
            CHECK(b[i + shift] == (i % 3 == 1 ? 0 : 3 * i + 1));
    }

    /* i is changed in other ways, too. */
    for (int i = MYTHREAD; i < N; i += THREADS) {
        CHECK(a[i] == 3 * i);
        i += i % 2;
        CHECK(i >= N || a[i] == 3 * i);
    }
    int i, *leak = &i;
    for (i = MYTHREAD; i < N - THREADS; i += THREADS) {
        ++*leak;
        CHECK(a[i] == 3 * i);
    }
    return finish();
}
