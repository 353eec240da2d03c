// Clause: upc_fence orders relaxed accesses, also those through pointers-to-local (facts 1.14, gotcha 38)
// threads: 2 4
// races: no, threads wait for relaxed flags
#include <sched.h>
#include <upc_relaxed.h>

#include "check.h"

shared int flag[THREADS], data[THREADS];

int main(void)
{
    int *mine = (int *)&data[MYTHREAD];
    int *my_flag = (int *)&flag[MYTHREAD];

    for (int round = 1; round <= 200; round++) {
        *mine = round * 10;
        upc_fence;
        *my_flag = round;
        for (int t = 0; t < THREADS; t++) {
            while (flag[t] < round) {
                sched_yield();
                upc_fence;
            }
            upc_fence;
            CHECK(data[t] >= round * 10);
        }
        upc_barrier;
    }
    return finish();
}
