// A static shared object in a function may have a type that the function defines.
#include <upc.h>

#include "check.h"

static int next(void)
{
    struct counter { int value; double step; };
    enum colour { RED, GREEN };
    static shared struct counter counters[THREADS];
    static shared [2] struct counter more[4 * THREADS];
    static shared enum colour colours[THREADS];
    counters[MYTHREAD].value += 2;
    more[2 * MYTHREAD + 1].step = counters[MYTHREAD].value;
    colours[MYTHREAD] = GREEN;
    CHECK(upc_threadof(&more[3]) == (size_t)(1 % THREADS));
    return (int)more[2 * MYTHREAD + 1].step + colours[MYTHREAD];
}

int main(void)
{
    EQ(next(), 3);
    upc_barrier;
    EQ(next(), 5);
    return finish();
}
