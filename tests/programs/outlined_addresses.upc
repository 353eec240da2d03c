// Clause: elements and pointers outside of loops, whose addresses calls may find, are those that other code finds
// (facts 1.7, 1.9)
#include <upc_relaxed.h>

#include "check.h"

enum { N = 24 };

struct three {
    char c[3];
};

#define IS(p, thread, phase, address) \
    CHECK(upc_threadof(p) == (size_t)(thread) && upc_phaseof(p) == (size_t)(phase) && upc_addrfield(p) == (address))

/*
 * An array, and two functions that access its elements: one has no barrier and may be called in loops; the other has
 * one, so it is a phase of the program.
 */
#define TEST_LAYOUT(name, block, type)                                                       \
    shared [block] type name[N * THREADS];                                                   \
                                                                                             \
    static shared [block] type *name##_beside(shared [block] type *p, long i)                \
    {                                                                                        \
        return p + i;                                                                        \
    }                                                                                        \
                                                                                             \
    static void name##_in_phase(long i, long j)                                              \
    {                                                                                        \
        if (i < 0)                                                                           \
            upc_barrier;                                                                     \
        shared [block] type *p = &name[i];                                                   \
        shared [block] type *q = p + (j - i);                                                \
        shared [block] type *r = name + j;                                                   \
        IS(p, (i / block) % THREADS, i % block, upc_addrfield(name##_beside(name, i)));  \
        IS(q, (j / block) % THREADS, j % block, upc_addrfield(name##_beside(p, j - i))); \
        CHECK(q == r && q == &p[j - i] && &name[j] == name##_beside(name, j));               \
        EQ(*(shared char *)&name[i], (char)i);                                               \
        q = p;                                                                               \
        q += j - i;                                                                          \
        CHECK(q == r);                                                                       \
        q -= j - i;                                                                          \
        CHECK(q == p);                                                                       \
        type copy = name[j], other = p[j - i], third = *(p + (j - i));                       \
        EQ(*(char *)&copy, (char)j);                                                         \
        EQ(*(char *)&other, (char)j);                                                        \
        EQ(*(char *)&third, (char)j);                                                        \
    }                                                                                        \
                                                                                             \
    static void name##_test(void)                                                            \
    {                                                                                        \
        for (long i = 0; i < N * THREADS; i++)                                               \
            if (upc_threadof(&name[i]) == (size_t)MYTHREAD)                                  \
                *(char *)&name[i] = (char)i;                                                 \
        upc_barrier;                                                                         \
        for (long i = 0; i < N * THREADS; i += 5)                                            \
            for (long j = 0; j < N * THREADS; j += 7)                                        \
                name##_in_phase(i, j);                                                       \
    }

TEST_LAYOUT(ints, 1, int)
TEST_LAYOUT(chars, 1, char)
TEST_LAYOUT(threes, 1, struct three)
TEST_LAYOUT(doubles_of_2, 2, double)
TEST_LAYOUT(ints_of_3, 3, int)
TEST_LAYOUT(chars_of_5, 5, char)
TEST_LAYOUT(threes_of_4, 4, struct three)
TEST_LAYOUT(longs_of_24, 24, long)

shared [6] int rows[4 * THREADS][3];

/* Loops here have labels and gotos: addresses may be computed anywhere. */
static int jumps(int n)
{
    int i = 0, sum = 0;
    upc_barrier;
again:
    sum += rows[i][1];
    if (++i < n)
        goto again;
    return sum;
}

int main(void)
{
    if (MYTHREAD == 0)
        for (int i = 0; i < 4 * THREADS; i++)
            rows[i][1] = i;
    upc_barrier;
    EQ(jumps(4 * THREADS), 2 * THREADS * (4 * THREADS - 1));
    EQ(rows[4 * THREADS - 1][1], 4 * THREADS - 1);
    shared [6] int *end = &rows[MYTHREAD][0] + 3;
    CHECK(end == rows[MYTHREAD + 1]);
    ints_test();
    chars_test();
    threes_test();
    doubles_of_2_test();
    ints_of_3_test();
    chars_of_5_test();
    threes_of_4_test();
    longs_of_24_test();
    return finish();
}
