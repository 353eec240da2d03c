/*
 * check.h: how the test programs check themselves.
 *
 * A program calls CHECK, EQ and PTS_IS as often as it likes and ends with `return finish();`, which prints "ok" on each
 * thread where everything held.  Failures are printed with file and line, at most ten for each thread.
 */
#ifndef CHECK_H
#define CHECK_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How often to repeat what takes a message each, if threads may be on other machines */
#ifdef BN_FAR_THREADS
#define FAR_TIMES(near_times, far_times) (far_times)
#else
#define FAR_TIMES(near_times, far_times) (near_times)
#endif

static int check_failures;

static inline void check_failed(const char *file, int line, const char *what, long long got, long long expected)
{
    if (++check_failures <= 10)
        printf("%s:%d: thread %d of %d: %s: got %lld, expected %lld\n", file, line, MYTHREAD, THREADS, what, got,
               expected);
}

/* The condition must hold */
#define CHECK(condition)                                              \
    do {                                                              \
        if (!(condition))                                             \
            check_failed(__FILE__, __LINE__, #condition, 0, 1);       \
    } while (0)

/* Two integers must be equal */
#define EQ(got, expected)                                                   \
    do {                                                                    \
        long long eq_got = (long long)(got);                                \
        long long eq_expected = (long long)(expected);                      \
        if (eq_got != eq_expected)                                          \
            check_failed(__FILE__, __LINE__, #got, eq_got, eq_expected);    \
    } while (0)

static inline int finish(void)
{
    if (check_failures == 0)
        printf("ok\n");
    return check_failures != 0;
}

/* floor(n / d) and the corresponding remainder, for d > 0 */
static inline long long floor_div(long long n, long long d)
{
    return n >= 0 ? n / d : -((-n + d - 1) / d);
}

static inline long long floor_mod(long long n, long long d)
{
    return n - floor_div(n, d) * d;
}

#endif
