/*
 * upc_forall loops that step several variables: in its own iterations each thread sees the values of all of them that a
 * loop over all iterations gives them, and so does the code after the loop.
 */
#include <upc_relaxed.h>

#include "check.h"

#define N (23 * THREADS)

shared long a[N];
shared [3] long b[N];
shared [] long c[23 * 64];
static long numbers[2 * 23 * 64 + 8];
static int limit;

/* The sum depends on the order of what is added. */
#define ADD(value) (sum = sum * 31 + (unsigned long)(value))

/* The loop as it is, and over all iterations; `after` is what is visible after it. */
#define SAME(declarations, head, affinity, value, after)                                                               \
    do {                                                                                                               \
        unsigned long sums[2], sum = 0;                                                                                \
        long ends[2];                                                                                                  \
        {                                                                                                              \
            declarations;                                                                                              \
            upc_forall (head; &affinity) ADD(value);                                                                   \
            sums[0] = sum;                                                                                             \
            ends[0] = (long)(after);                                                                                   \
        }                                                                                                              \
        sum = 0;                                                                                                       \
        {                                                                                                              \
            declarations;                                                                                              \
            for (head)                                                                                                 \
                if ((int)upc_threadof(&affinity) == MYTHREAD)                                                          \
                    ADD(value);                                                                                        \
            sums[1] = sum;                                                                                             \
            ends[1] = (long)(after);                                                                                   \
        }                                                                                                              \
        EQ(sums[0], sums[1]);                                                                                          \
        EQ(ends[0], ends[1]);                                                                                          \
    } while (0)

#define COMMA ,

static void counters(int n)
{
    SAME(int i COMMA k, i = 0 COMMA k = 5; i < n; i++ COMMA k++, a[i], numbers[k] + i, i * 1000L + k);
    SAME(int i COMMA k, k = 5 COMMA i = 0; i < n; k += 2 COMMA ++i, b[i], numbers[k] + i, i * 1000L + k);
    SAME(int i COMMA k, i = n - 1 COMMA k = n; i >= 0; i-- COMMA k--, b[i], numbers[k] + i, i * 1000L + k);
    SAME(long i COMMA k, i = 1 COMMA k = 9; i <= n - 1; i += 3 COMMA k = k - 4, a[i], k * i, i * 1000L + k);
    SAME(long i COMMA k COMMA l, i = n - 1 COMMA k = 9 COMMA l = 2; i > 0; i -= 2 COMMA k = 7 + k COMMA l -= -1,
         b[i], k * i + l, i * 1000L + k * l);
    SAME(int i COMMA k, i = 0 COMMA k = 5; i < n; i++ COMMA k += n, c[i], k + i, i * 1000L + k);
    SAME(int i COMMA k, i = 0 COMMA k = 1; i < 0; i++ COMMA k++, a[i], k, i * 1000L + k);
    SAME(int k = 3, int i = 0; i < n; i++ COMMA k++, a[i], k * i, k);
    SAME(long l = 3, int i = 0 COMMA k = 2; i < n; i++ COMMA k++ COMMA l--, b[i], k * i + l, l);
}

/* The types are too narrow for the sums, without a sign, or narrower than what is added. */
static void types(int n)
{
    SAME(int i; unsigned k, i = 0 COMMA k = 5; i < n; i++ COMMA k -= 3, a[i], k / 2, k);
    SAME(int i; unsigned char k, i = 0 COMMA k = 250; i < n; i++ COMMA k += 7, b[i], k, k);
    SAME(int i; short k, i = 0 COMMA k = 32760; i < n; i++ COMMA k += 999, a[i], k, k);
    SAME(int i COMMA k; long big = 1L << 62, i = 0 COMMA k = 5; i < n; i++ COMMA k += big, a[i], k, k);
    SAME(int i; size_t k, i = 0 COMMA k = 1; i < n; i++ COMMA k -= 1, b[i], k, k);
    SAME(unsigned i; signed char k; unsigned one = 1, i = 0 COMMA k = 0; i < (unsigned)n; i++ COMMA k -= one, a[i], k,
         k);
    SAME(int i; long *p, i = 0 COMMA p = numbers; i < n; i++ COMMA p++, a[i], *p, p - numbers);
    SAME(int i; long *p; size_t two = 2, i = 0 COMMA p = numbers + 2 * n; i < n; i++ COMMA p -= two, b[i], *p,
         p - numbers);
    SAME(int i; long (*p)[2], i = 0 COMMA p = (long (*)[2])numbers; i < n; i += 2 COMMA p = p + 1, b[i], (*p)[1],
         *p - numbers);
}

/* The limit goes down on the way; a step that changes, or that something else changes, leaves all as it is. */
static void changes(int n)
{
    SAME(int i COMMA k; limit = n, i = 0 COMMA k = 5; i < limit; i++ COMMA k++, a[i], (limit = n / 2, numbers[k]),
         i * 1000L + k);
    SAME(int k = 5; limit = n, int i = 0; i < limit; i++ COMMA k++, b[i], (limit = n / 2, numbers[k]), k);
    SAME(int i COMMA k, i = 0 COMMA k = n; i < k; i++ COMMA k--, a[i], k * i, i * 1000L + k);
    SAME(int i COMMA k, i = 0 COMMA k = 1; i < n; i++ COMMA k += i, a[i], k * i, k);
    SAME(int i COMMA k, i = 0 COMMA k = 1; i < n; i++ COMMA k++, b[k], k * i, k);
    SAME(int i COMMA k COMMA *p = &k, i = 0 COMMA k = 1; i < n; i++ COMMA k++, a[i], *p * i, k);
    SAME(int i COMMA k, i = 0 COMMA k = 1; i < n / 2; i++ COMMA i++, a[i], i, i);
    SAME(int i COMMA by = n - n COMMA k, i = n COMMA k = 1; i < n; i++ COMMA k += n / by, a[i], k * i, k);
    SAME(int i COMMA by = n / 9 + 1 COMMA k, i = 0 COMMA k = 1; i < n; i += by COMMA k++, a[i], k * i, k);
}

/* Called from within another upc_forall, where one thread executes all iterations. */
static long all_of(int n)
{
    int i, k;
    long sum = 0;
    upc_forall (i = 0, k = 3; i < n; i++, k += 2; &b[i])
        sum = sum * 3 + k;
    return sum + k;
}

int main(void)
{
    for (int i = 0; i < (int)(sizeof numbers / sizeof *numbers); i++)
        numbers[i] = i * 7L % 113 + 1;
    for (int n = 0; n < N - 1; n += 1 + n / 2) {
        counters(n);
        types(n);
        changes(n);
    }
    upc_forall (int t = 0; t < THREADS; t++; t) {
        long sum = 0;
        int k = 3;
        for (int i = 0; i < 20; i++, k += 2)
            sum = sum * 3 + k;
        EQ(all_of(20), sum + k);
    }
    return finish();
}
