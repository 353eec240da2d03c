// Clause: each inclusion of upc_strict.h and upc_relaxed.h sets the default anew (facts 1.15, gotcha 41)
// threads: 2 3
#include <upc_relaxed.h>
#include <upc_strict.h>
#include <upc_relaxed.h>
#include <upc_strict.h>

#include "check.h"

shared int x[THREADS];
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
