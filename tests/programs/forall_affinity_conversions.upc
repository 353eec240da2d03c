// Clause: an integer affinity is a number after the conversions of C: a negative variable becomes a large number where
// the type of the affinity is unsigned (facts 1.12)
// flags: -w
#include <upc.h>

#include "check.h"

/* Compares the iterations of this thread with those that the value of the affinity gives it. */
#define TEST(TYPE, FIRST, LAST, AFFINITY)                                           \
    do {                                                                            \
        long done = 0, expected = 0;                                                \
        upc_forall (TYPE i = (FIRST); i < (LAST); i++; (AFFINITY))                  \
            done += (long)(i * i) + 1;                                              \
        for (TYPE i = (FIRST); i < (LAST); i++)                                     \
            if (((AFFINITY) % THREADS + THREADS) % THREADS == MYTHREAD)             \
                expected += (long)(i * i) + 1;                                      \
        EQ(done, expected);                                                         \
    } while (0)

static void unsigned_factors(int from)
{
    TEST(int, -40, 40, i * 2ul);
    TEST(int, from, 40, i * 2ul);
    TEST(int, -from, 80, i * 2ul);
    TEST(long, from, 40, i + 0ul);
    TEST(short, from, 40, 3ul * i);
    TEST(int, from, 40, (i + 0ul) / 3);
}

/* THREADS divides the divisor where it is known and 3. */
static void unsigned_remainders(int from)
{
    TEST(int, -40, 40, i % 9u);
    TEST(int, from, 40, i % 9u);
    TEST(int, -from, 80, i % 9u);
    TEST(int, from, 40, (i + 1) % 9ul);
    TEST(int, from, 40, i % 9u % 6);
    TEST(short, from, 40, i % 9u);
    TEST(int, from, 40, i % 9l);
    TEST(unsigned, 0, 40, i % 9);
}

/* What the variable holds at first is not the number that the program writes. */
static void first_values(void)
{
    TEST(short, 65496, 40, i / 3);   /* -40 */
    TEST(signed char, 216, 40, i * 2ul);
    TEST(size_t, -1, 40, i);         /* none */
    TEST(size_t, -1, 40, i * 2);
    TEST(unsigned, -3, 0xffffffff, i);
    TEST(unsigned char, 256 + 7, 40, i / 3);
}

int main(void)
{
    unsigned_factors(-40);
    unsigned_remainders(-40);
    first_values();
    return finish();
}
