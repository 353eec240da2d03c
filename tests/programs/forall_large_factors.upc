// Clause: iterations are dealt out by the value of the affinity (facts 1.12), also where the factors of its variable,
// the steps and their products with THREADS are large
// flags: -w
#include <upc.h>

#include "check.h"

/* Compares the iterations of this thread with those that the value of the affinity gives it. */
#define TEST(FIRST, CONDITION, STEP, AFFINITY)                                      \
    do {                                                                            \
        long done = 0, expected = 0;                                                \
        upc_forall (long i = (FIRST); (CONDITION); (STEP); (AFFINITY))              \
            done += i + 1;                                                          \
        for (long i = (FIRST); (CONDITION); (STEP))                                 \
            if (((AFFINITY) % THREADS + THREADS) % THREADS == MYTHREAD)             \
                expected += i + 1;                                                  \
        EQ(done, expected);                                                         \
    } while (0)

static void large_factors(long number)
{
    TEST(0, i < 30, i += 3, 1000000000l * i);
    TEST(0, i < 300, i += 3, 1000000000l * i + 2);
    TEST(0, i < 300, i += 7, -999999999l * i - number);
    TEST(number, i < 50, i++, (i + 1500000000l) * THREADS / 7);
    TEST(300, i > 0, i -= 5, 1000000001l * i + number);
}

static void large_steps(long number)
{
    TEST(0, i < 3000000000l, i += 1000000000, i);
    TEST(number, i < 30000000000l, i += 1000000000, -i);
    TEST(0, i < 30000000000l, i += 999999999, 5 * i + number);
    TEST(30000000000l, i > 0, i -= 1000000000, i);
    TEST(30000000000l, i > 0, i -= 999999999, 2 * i - 1);
}

/* Finding the blocks between two iterations would take hours. */
static void steps_over_rounds(long divisor, long step)
{
    TEST(0, i < 3000, i += 3, 1000000000l * i * THREADS / 7);
    TEST(0, i < 3000, i += 3, 1000000000l * i / divisor);
    TEST(0, i < 3000, i += step, 1000000000l * i / 7);
    TEST(0, i < 3000, i += step, 1000000000l * i / divisor);
    TEST(0, i < 3000, i += step, 1000000000l * i * THREADS / divisor);
    TEST(0, i < 3000, i++, (i * THREADS) / 1);
    TEST(0, i < 3000, i += 2, (i * THREADS) / 1);
    TEST(0, i < 3000, i += 3, 2 * i / divisor);
    TEST(0, i < 3000, i += 3, 2 * i * THREADS / divisor);
    TEST(0, i < 3000, i += step, 2 * i / divisor);
}

/* The variable itself is an int. */
static void ints(void)
{
    long done = 0, expected = 0;
    upc_forall (int i = 2000000000; i > -2000000000; i -= 1000000000; i * 4l)
        done += i + 1l;
    for (int i = 2000000000; i > -2000000000; i -= 1000000000)
        if ((i * 4l % THREADS + THREADS) % THREADS == MYTHREAD)
            expected += i + 1l;
    EQ(done, expected);
}

int main(void)
{
    large_factors(1);
    large_steps(2);
    steps_over_rounds(7, 3);
    steps_over_rounds(1, 1);
    ints();
    return finish();
}
