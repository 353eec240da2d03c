// Clause: of two threads that each write, notify, and read the other's object, one sees the write (facts 1.13)
// threads: 2 3 8
// races: no, it is about a race
#include <upc.h>

#include "check.h"

shared int written[THREADS], result[THREADS];

int main(void)
{
    for (int round = 1; round <= 500; round++) {
        if (MYTHREAD < 2) {
            written[MYTHREAD] = round;
            upc_notify;
            result[MYTHREAD] = written[1 - MYTHREAD];
            upc_wait;
        } else {
            upc_notify;
            upc_wait;
        }
        upc_barrier;
        CHECK(result[0] == round || result[1] == round);
        upc_barrier;
    }
    return finish();
}
