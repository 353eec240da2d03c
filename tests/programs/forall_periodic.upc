/*
 * Neighbours in arrays that are closed to a ring: a[(i + 1) % N], a[i > 0 ? i - 1 : N - 1] and the like are those of C,
 * in all layouts, through pointers, in rows, for loops that go round several times, that begin below 0, and when the
 * loop is called from within another one.
 */
#include <upc_relaxed.h>

#include "check.h"

#define N (40 * THREADS)

shared [16] long a[N], b[N];
shared [*] long even_a[N], even_b[N];
shared long cyclic_a[N], cyclic_b[N];
shared [3 * 16] long rows[N][3], sums[N][3];
shared [3] long lines[N][3], line_sums[N][3];
shared [16] long *q;

static long value(long i)
{
    return i * i + 3 * i;
}

static long right(long i)
{
    return value((i + 1) % N);
}

static long left(long i)
{
    return value((i + N - 1) % N);
}

static void set(void)
{
    upc_barrier;
    q = a;
    upc_forall (int i = 0; i < N; i++; &a[i]) {
        a[i] = even_a[i] = cyclic_a[i] = value(i);
        b[i] = even_b[i] = cyclic_b[i] = 0;
        for (int j = 0; j < 3; j++) {
            rows[i][j] = lines[i][j] = value(i) + j;
            sums[i][j] = line_sums[i][j] = 0;
        }
    }
    upc_barrier;
}

/* Also called within another upc_forall, where they go over all elements. */
void remainders(long from, long to)
{
    upc_forall (long i = from; i < to; i++; &b[i])
        b[i] = a[(i + 1) % N] + 10 * a[i] + 100 * q[(i + N - 1) % N];
    upc_forall (long i = from; i < N; i++; &even_b[i])
        even_b[i] = even_a[(i + 1) % N] + 10 * even_a[i] + 100 * even_a[(i + N - 1) % N];
    upc_forall (int i = 0; i < N; i++; &cyclic_b[i])
        cyclic_b[i] = cyclic_a[(i + 1) % N] + 10 * cyclic_a[i] + 100 * cyclic_a[(i + N - 1) % N];
}

void choices(void)
{
    upc_forall (int i = 0; i < N; i++; &b[i])
        b[i] = a[i == N - 1 ? 0 : i + 1] + 10 * a[i] + 100 * a[i > 0 ? i - 1 : N - 1];
    upc_forall (size_t i = 0; i < N; i++; &even_b[i])
        even_b[i] = even_a[i + 1 < N ? i + 1 : 0] + 10 * even_a[i] + 100 * even_a[i ? i - 1 : N - 1];
    upc_forall (int i = 0; i < N; i++; &cyclic_b[i])
        cyclic_b[i] = cyclic_a[N - 1 <= i ? 0 : i + 1] + 10 * cyclic_a[i] + 100 * cyclic_a[0 != i ? i - 1 : N - 1];
}

static void check(long from)
{
    upc_barrier;
    for (long i = 0; i < N; i++) {
        long sum = right(i) + 10 * value(i) + 100 * left(i);
        CHECK(b[i] == (i >= from ? sum : 0));
        CHECK(even_b[i] == (i >= from ? sum : 0));
        CHECK(cyclic_b[i] == sum);
    }
    upc_barrier;
}

static void check_rows(void)
{
    upc_forall (int i = 0; i < N; i++; &sums[i][0])
        for (int j = 0; j < 3; j++)
            sums[i][j] = rows[(i + 1) % N][j] + rows[(i + N - 1) % N][(j + 1) % 3];
    upc_forall (int i = 0; i < N; i++; &lines[i][0])
        for (int j = 0; j < 3; j++)
            line_sums[i][j] = lines[(i + 1) % N][j] + lines[i == 0 ? N - 1 : i - 1][(j + 1) % 3];
    upc_barrier;
    for (long i = 0; i < N; i++)
        for (long j = 0; j < 3; j++) {
            CHECK(sums[i][j] == right(i) + j + left(i) + (j + 1) % 3);
            CHECK(line_sums[i][j] == sums[i][j]);
        }
    upc_barrier;
}

/* By a power of two and by a remainder that the loop goes round several times; writes to the ring; negative indices */
static void check_rounds(void)
{
    upc_forall (int i = 0; i < 80; i++; &b[i % 40])
        b[i % 40] += 1;
    upc_barrier;
    for (int i = 0; i < 40; i++)
        CHECK(b[i] == value(i) + 2);
    upc_barrier;
    upc_forall (int i = 0; i < 40; i++; &even_b[i])
        even_b[i] = even_a[(i - 1) & 31] + cyclic_a[(i + 3) % 16] + a[(i - 5) % 40 + 5];
    upc_barrier;
    upc_forall (int i = 0; i < N; i++; &cyclic_a[i])
        cyclic_a[(i + 1) % N] = 7 * i;
    upc_barrier;
    for (int i = 0; i < 40; i++)
        CHECK(even_b[i] == value((i - 1) & 31) + value((i + 3) % 16) + value((i - 5) % 40 + 5));
    for (int i = 0; i < N; i++)
        CHECK(cyclic_a[(i + 1) % N] == 7 * i);
    upc_barrier;
}

/* What no iteration reaches is not computed. */
static void check_zero(int size)
{
    long sum = 0;
    upc_forall (int i = 0; i < size; i++; &a[i])
        sum += a[(i + 1) % size];
    CHECK(sum == 0);
    upc_forall (int i = 0; i < N; i++; &a[i])
        if (size != 0)
            sum += a[(i + N / size) % N];
    CHECK(sum == 0);
}

int main(void)
{
    set();
    remainders(0, N);
    check(0);
    set();
    remainders(17, N);
    check(17);
    set();
    choices();
    check(0);
    set();
    upc_forall (int t = 0; t < THREADS; t++; t)
        if (t == THREADS - 1)
            remainders(0, N);
    check(0);
    set();
    check_rows();
    check_zero(0);
    upc_barrier;
    upc_forall (int i = 0; i < N; i++; &b[i])
        b[i] = value(i);
    upc_barrier;
    check_rounds();
    return finish();
}
