// Clause: strict accesses have one order for all: of two writers one sees the other (facts 1.14, gotcha 37)
// threads: 2 4
#include <upc.h>

#include "check.h"

strict shared int x[THREADS];
shared int seen[THREADS];

int main(void)
{
    for (int round = 1; round <= 2000; round++) {
        upc_barrier;
        if (MYTHREAD < 2) {
            x[MYTHREAD] = round;
            seen[MYTHREAD] = x[1 - MYTHREAD];
        }
        upc_barrier;
        CHECK(seen[0] == round || seen[1] == round);
    }
    return finish();
}
