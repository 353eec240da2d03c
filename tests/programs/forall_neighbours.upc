/*
 * Stencils over blocked arrays: elements beside the own one, which are found in pieces of blocks, are those of C; at
 * the edges of blocks, further away than a block, in rows, in place, and when the loop is called from within another
 * one.
 */
#include <upc_relaxed.h>

#include "check.h"

#define N (40 * THREADS)

shared [16] long a[N], b[N];
shared [100] long far_a[N], far_b[N];
shared [3 * 16] long rows[N][3], sums[N][3];
shared [16] char text[N], shifted[N];

static long limit, looks;

static void look(void)
{
    looks++;
}

static long value(long i)
{
    return i * i + 3 * i;
}

/* Also called within another upc_forall, where it goes over all elements. */
void smooth(long from, long to)
{
    upc_forall (long i = from; i < to; i++; &b[i])
        b[i] = a[i - 1] + 10 * a[i] + 100 * a[i + 1];
}

static void check_smooth(long from, long to)
{
    for (long i = 1; i < N - 1; i++)
        CHECK(b[i] == (i >= from && i < to ? value(i - 1) + 10 * value(i) + 100 * value(i + 1) : 0));
}

static void set(void)
{
    upc_barrier;
    upc_forall (int i = 0; i < N; i++; &a[i]) {
        a[i] = value(i);
        b[i] = 0;
        far_a[i] = value(i);
        far_b[i] = 0;
        text[i] = (char)i;
        shifted[i] = 0;
        for (int j = 0; j < 3; j++) {
            rows[i][j] = value(i) + j;
            sums[i][j] = 0;
        }
    }
    upc_barrier;
}

int main(void)
{
    static const long kParts[][2] = {{1, 1}, {1, 2}, {15, 18}, {16, 32}, {1, 39}};
    for (int part = 0; part < 5; part++) {
        set();
        smooth(kParts[part][0], kParts[part][1]);
        upc_barrier;
        check_smooth(kParts[part][0], kParts[part][1]);
    }
    set();
    smooth(1, N - 1);
    upc_barrier;
    check_smooth(1, N - 1);

    set();
    upc_forall (int t = 0; t < 1; t++; THREADS - 1)
        smooth(1, N - 1);
    upc_barrier;
    check_smooth(1, N - 1);

    /* Farther away than a block, and through a pointer; v is used after the loop. */
    set();
    long i;
    shared [16] long *p = b;
    upc_forall (i = 20; i < N - 20; ++i; &p[i])
        p[i] = a[i - 20] - a[i + 19];
    CHECK(i == N - 20);
    upc_barrier;
    for (long k = 20; k < N - 20; k++)
        CHECK(b[k] == value(k - 20) - value(k + 19));

    /* Blocks larger than some threads' parts; guarded neighbours; a limit that might change */
    set();
    limit = N - 1;
    upc_forall (long k = 0; k < limit; k++; &far_b[k]) {
        far_b[k] = far_a[k] + (k > 0 ? far_a[k - 1] : 0) + (k + 1 < N ? far_a[k + 1] : 0);
        look();
    }
    upc_barrier;
    for (long k = 0; k < N - 1; k++)
        CHECK(far_b[k] == value(k) + (k > 0 ? value(k - 1) : 0) + value(k + 1));

    /* Rows, and characters, whose stores may alias anything */
    set();
    upc_forall (long k = 1; k < N - 1; k++; &sums[k][0])
        for (int j = 0; j < 3; j++)
            sums[k][j] = rows[k - 1][j] + rows[k + 1][2 - j];
    upc_forall (long k = 1; k < N - 1; k++; &shifted[k])
        shifted[k] = (char)(text[k - 1] + text[k + 1]);
    upc_barrier;
    for (long k = 1; k < N - 1; k++) {
        for (int j = 0; j < 3; j++)
            CHECK(sums[k][j] == value(k - 1) + value(k + 1) + 2);
        CHECK(shifted[k] == (char)((char)(k - 1) + (char)(k + 1)));
    }

    /* In place: the thread must see its own earlier writes. */
    set();
    upc_forall (long k = 1; k < N; k++; k / N)
        a[k] += a[k - 1];
    upc_barrier;
    CHECK(a[2] == value(0) + value(1) + value(2));
    set();
    upc_forall (long k = 1; k < 16; k++; &a[k])
        a[k] += a[k - 1];
    upc_barrier;
    for (long k = 1, sum = 0; k < 16; k++) {
        sum += value(k);
        CHECK(a[k] == sum);
    }
    return finish();
}
