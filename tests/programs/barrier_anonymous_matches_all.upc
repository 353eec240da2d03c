// Clause: a barrier without a value matches every value; waits are not compared if nobody gave one at notify (facts
// 1.13)
#include <limits.h>
#include <upc.h>

#include "check.h"

int main(void)
{
    for (int round = 0; round < 20; round++) {
        if (MYTHREAD == round % THREADS)
            upc_barrier;
        else
            upc_barrier round;

        if (MYTHREAD == round % THREADS)
            upc_barrier INT_MIN;
        else
            upc_barrier;

        if (MYTHREAD % 2 == 0)
            upc_notify 7;
        else
            upc_notify;
        if (MYTHREAD % 3)
            upc_wait 7;
        else
            upc_wait;

        /* no thread gave a value at notify: any value is accepted at wait */
        upc_notify;
        upc_wait MYTHREAD;
        upc_notify;
        upc_wait round * 10 + MYTHREAD;
    }
    return finish();
}
