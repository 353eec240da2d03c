// Clause: #pragma upc strict in blocks and outside functions, and its end (facts 1.15)
// threads: 2 4
#include <sched.h>
#include <upc.h>

#include "check.h"

shared int x[THREADS];
shared int seen[THREADS];
shared int flag;

#pragma upc strict

static void exchange(int round)
{
    x[MYTHREAD] = round;
    seen[MYTHREAD] = x[1 - MYTHREAD];
}

#pragma upc relaxed

static void exchange_in_block(int round)
{
#pragma upc strict
    x[MYTHREAD] = round;
    seen[MYTHREAD] = x[1 - MYTHREAD];
}

static void wait_for(int round)
{
    {
#pragma upc strict
        while (flag != round)
            sched_yield();
    }
    EQ(flag, round);
}

int main(void)
{
    for (int round = 1; round <= 2000; round++) {
        upc_barrier;
        if (MYTHREAD < 2) {
            if (round % 2)
                exchange(round);
            else
                exchange_in_block(round);
        }
        upc_barrier;
        CHECK(seen[0] == round || seen[1] == round);
    }
    if (MYTHREAD == 0) {
#pragma upc strict
        flag = 5;
    }
    wait_for(5);
    return finish();
}
