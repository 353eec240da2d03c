// Facts 3.1: bupc_thread_distance on a machine of two sockets with a memory region each, of two caches of two cores.
// env: "BANYAN_TOPOLOGY=pack:2 [numa] l3:2 core:2 pu:1"
// threads: 1 2 3 8 10
#include <upc_castable.h>
#include <upc_relaxed.h>

#include <bupc.h>

#include "check.h"

static shared int first_near[THREADS];

/* The threads of a node occupy one core after another, and start again after the eighth. */
static int core_of(int thread)
{
    int place = 0;
    for (int other = 0; other < thread; other++)
        place += first_near[other] == first_near[thread];
    return place % 8;
}

static unsigned expected(int a, int b)
{
    if (a == b)
        return BUPC_THREADS_SAME;
    if (first_near[a] != first_near[b])
        return BUPC_THREADS_FAR;
    a = core_of(a);
    b = core_of(b);
    return a == b ? 25 : a / 2 == b / 2 ? 50 : a / 4 == b / 4 ? 75 : 175;
}

int main(void)
{
    while (!upc_cast((shared void *)&first_near[first_near[MYTHREAD]]))
        first_near[MYTHREAD]++;
    upc_barrier;
    for (int a = 0; a < THREADS; a++) {
        for (int b = 0; b < THREADS; b++)
            EQ(bupc_thread_distance(a, b), expected(a, b));
    }
    return finish();
}
