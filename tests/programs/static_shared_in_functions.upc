// Function-local static shared objects: one for the program, kept between calls, one for each function (facts 1.11)
// races: no, all threads write the same value
#include <upc.h>

#include "check.h"

static int count(int by)
{
    static shared int total = 100;
    static shared [2] int per_thread[2 * THREADS];

    per_thread[2 * MYTHREAD] += by;
    upc_barrier;
    if (MYTHREAD == 0)
        for (int t = 0; t < THREADS; t++)
            total += per_thread[2 * t];
    upc_barrier;
    return total;
}

static int other(void)
{
    static shared int total = 7;
    {
        static shared int total = 8;
        return total;
    }
    return total;
}

static inline shared int *address(void)
{
    static shared int object;
    return &object;
}

int main(void)
{
    for (int round = 1; round <= 3; round++) {
        int expected = 100 + THREADS * round * (round + 1) / 2;
        EQ(count(1), expected);
    }
    EQ(other(), 8);
    CHECK(address() == address());
    *address() = 3;
    upc_barrier;
    EQ(*address(), 3);
    extern shared int elsewhere;
    EQ(elsewhere, 12);
    for (int i = 0; i < 2; i++) {
        static shared int in_loop = 4;
        EQ(in_loop, 4);
    }
    return finish();
}

shared int elsewhere = 12;
