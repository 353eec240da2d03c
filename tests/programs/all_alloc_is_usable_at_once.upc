// Clause: memory from upc_all_alloc lives from the first return on any thread on; calls may be skewed (gotcha 35)
#include <sched.h>
#include <upc.h>

#include "check.h"

shared int *shared told[THREADS];

int main(void)
{
    for (int round = 1; round <= 50; round++) {
        if (MYTHREAD % 2)
            for (int i = 0; i < round % 7; i++)
                sched_yield();
        shared int *p = upc_all_alloc(THREADS, sizeof(int));
        p[MYTHREAD] = round;
        p[MYTHREAD]++;
        EQ(p[MYTHREAD], round + 1);
        told[MYTHREAD] = p;
        upc_barrier;
        for (int t = 0; t < THREADS; t++) {
            CHECK(told[t] == p);
            EQ(p[t], round + 1);
        }
        upc_all_free(p);
        upc_barrier;
    }
    return finish();
}
