/*
 * Stencils over cyclic arrays: elements beside the own one are those of C, whichever thread they lie on: upwards,
 * downwards, in steps, further away than there are threads, in rows, in place and through pointers, and when the loop
 * is called from within another one.
 */
#include <upc_relaxed.h>

#include "check.h"

#define N (40 * THREADS)

shared long a[N], b[N];
shared [3] long rows[N][3], sums[N][3];

static long value(long i)
{
    return i * i + 3 * i;
}

static void set(void)
{
    upc_barrier;
    upc_forall (int i = 0; i < N; i++; &a[i]) {
        a[i] = value(i);
        b[i] = 0;
    }
    upc_forall (int i = 0; i < N; i++; &rows[i][0])
        for (int j = 0; j < 3; j++)
            rows[i][j] = value(i) + j;
    upc_barrier;
}

/* Called from within another upc_forall, too */
void smooth(long from, long to)
{
    upc_forall (long i = from; i < to; i++; &b[i])
        b[i] = a[i - 1] + 10 * a[i] + 100 * a[i + 1];
}

static void check_smooth(long from, long to)
{
    upc_barrier;
    for (long i = 1; i < N - 1; i++)
        CHECK(b[i] == (i >= from && i < to ? value(i - 1) + 10 * value(i) + 100 * value(i + 1) : 0));
}

/* p and q may begin on any thread. */
static void subtract(shared long *p, shared long *q, long count)
{
    upc_forall (long i = 0; i < count; i++; &p[i])
        p[i] = q[i + 2] - q[i - 1];
}

int main(void)
{
    static const long kParts[][2] = {{1, 1}, {1, 2}, {2, 3}, {5, 9}, {1, 39}};
    for (int part = 0; part < 5; part++) {
        set();
        smooth(kParts[part][0], kParts[part][1]);
        check_smooth(kParts[part][0], kParts[part][1]);
    }
    set();
    smooth(1, N - 1);
    check_smooth(1, N - 1);
    set();
    upc_forall (int t = 0; t < 1; t++; THREADS - 1)
        smooth(1, N - 1);
    check_smooth(1, N - 1);

    /* Several rounds away */
    set();
    long i;
    upc_forall (i = 20; i < N - 20; ++i; i)
        b[i] = a[i - 20] - a[i + 19];
    CHECK(i == N - 20);
    upc_barrier;
    for (long k = 20; k < N - 20; k++)
        CHECK(b[k] == value(k - 20) - value(k + 19));

    /* Downwards, in steps, and with a factor */
    set();
    upc_forall (long k = N - 2; k > 0; k -= 3; &b[k])
        b[k] = a[k + 1] - 2 * a[k - 1];
    upc_barrier;
    for (long k = N - 2; k > 0; k -= 3)
        CHECK(b[k] == value(k + 1) - 2 * value(k - 1));
    set();
    upc_forall (long k = 1; k < N / 2; k++; &b[2 * k])
        b[2 * k] = a[2 * k + 1] - 2 * a[2 * k - 1];
    upc_barrier;
    for (long k = 1; k < N / 2; k++)
        CHECK(b[2 * k] == value(2 * k + 1) - 2 * value(2 * k - 1));

    /* Rows, and pointers */
    upc_forall (long k = 1; k < N - 1; k++; &sums[k][0])
        for (int j = 0; j < 3; j++)
            sums[k][j] = rows[k - 1][j] + rows[k + 1][2 - j];
    upc_barrier;
    for (long k = 1; k < N - 1; k++)
        for (int j = 0; j < 3; j++)
            CHECK(sums[k][j] == value(k - 1) + value(k + 1) + 2);
    for (long shift = 0; shift < 3; shift++) {
        set();
        subtract(b + shift, a + 1 + shift, N - 5);
        upc_barrier;
        for (long k = 0; k < N - 5; k++)
            CHECK(b[k + shift] == value(k + 3 + shift) - value(k + shift));
    }

    /* In place: what the own thread has written before is seen. */
    set();
    upc_forall (long k = 1; k < N; k++; k / N)
        a[k] += a[k - 1];
    upc_barrier;
    for (long k = 1, sum = 0; k < N; k++) {
        sum += value(k);
        CHECK(a[k] == sum);
    }
    set();
    upc_forall (long k = THREADS; k < N; k++; &a[k])
        a[k] += a[k - THREADS];
    upc_barrier;
    for (long k = THREADS; k < 2 * THREADS; k++)
        CHECK(a[k] == value(k) + value(k - THREADS));
    return finish();
}
