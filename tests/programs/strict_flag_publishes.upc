// Clause: relaxed accesses do not cross strict ones; a loop on a strict flag reads it again (facts 1.14, gotcha 37)
// threads: 2 3 8
#include <sched.h>
#include <upc_relaxed.h>

#include "check.h"

strict shared int flag;
shared int data[8 * THREADS];
shared [] char text[100];

int main(void)
{
    for (int round = 1; round <= 200; round++) {
        if (MYTHREAD == 0) {
            for (int i = 0; i < 8 * THREADS; i++)
                data[i] = round + i;
            upc_memset(text, round, sizeof text);
            flag = round;
        } else {
            while (flag != round)
                sched_yield();
            for (int i = 0; i < 8 * THREADS; i++)
                EQ(data[i], round + i);
            char copy[100];
            upc_memget(copy, text, sizeof copy);
            EQ(copy[99], (char)round);
        }
        upc_barrier;
    }
    return finish();
}
