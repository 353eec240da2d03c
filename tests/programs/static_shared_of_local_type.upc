// A static shared object whose type only its function knows (facts 1.11)
#include <upc.h>

#include "check.h"

static int add(int n)
{
    struct local {
        int count[2];
        shared struct local *next;
    };
    static shared struct local one;
    static shared [2] struct local many[2 * THREADS];

    many[2 * MYTHREAD].count[1] += n;
    if (MYTHREAD == 0)
        one.next = &one;
    upc_barrier;
    int sum = 0;
    for (int t = 0; t < THREADS; t++)
        sum += many[2 * t].count[1];
    CHECK(one.next == &one);
    upc_barrier;
    return sum;
}

int main(void)
{
    EQ(add(1), THREADS);
    EQ(add(2), 3 * THREADS);
    return finish();
}
