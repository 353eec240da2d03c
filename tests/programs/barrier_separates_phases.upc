// Clause: upc_barrier and upc_notify / upc_wait separate phases (facts 1.13)
// Over several nodes barriers go one way on up to 2, another on up to 8, and the first again on more.
// threads: 1 2 3 4 7 8 9 13
#include <upc.h>

#include "check.h"

shared int a[THREADS];
static int work;

int main(void)
{
    for (int round = 0; round < 300; round++) {
        a[MYTHREAD] = round;
        if (round % 3 == 0) {
            upc_barrier;
        } else if (round % 3 == 1) {
            upc_barrier round;
        } else {
            upc_notify;
            work += round;
            upc_wait;
        }
        for (int t = 0; t < THREADS; t++)
            EQ(a[t], round);
        if (round % 2) {
            upc_notify round;
            upc_wait round;
        } else {
            upc_barrier;
        }
    }
    return finish();
}
