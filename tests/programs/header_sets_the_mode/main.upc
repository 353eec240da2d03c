#include <upc_relaxed.h>
#include "mode.h"

#include "../check.h"

shared int x[THREADS];
shared int seen[THREADS];
int relaxed_sum(int n);

int main(void)
{
    for (int round = 1; round <= 1000 && THREADS > 1; round++) {
        upc_barrier;
        if (MYTHREAD < 2) {
            x[MYTHREAD] = round;
            seen[MYTHREAD] = x[1 - MYTHREAD];
        }
        upc_barrier;
        CHECK(seen[0] == round || seen[1] == round);
    }
    EQ(relaxed_sum(10), 45);
    return finish();
}
