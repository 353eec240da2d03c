// Clause: of two threads that each write, lock or unlock a lock of their own, and read the other's object, one sees the
// write (facts 1.14)
// threads: 2 3 8
// races: no, it is about a race
#include <upc.h>

#include "check.h"

enum { LOCK, ATTEMPT, UNLOCK, WAYS };
shared int written[THREADS], result[THREADS];

static int read_behind(int way, upc_lock_t *own, int round)
{
    int other = 1 - MYTHREAD;
    if (way == UNLOCK)
        upc_lock(own);
    upc_barrier;
    written[MYTHREAD] = round;
    if (way == LOCK)
        upc_lock(own);
    else if (way == ATTEMPT)
        CHECK(upc_lock_attempt(own));
    else
        upc_unlock(own);
    int seen = written[other];
    if (way != UNLOCK)
        upc_unlock(own);
    return seen;
}

int main(void)
{
    upc_lock_t *own = upc_global_lock_alloc();
    for (int round = 1; round <= FAR_TIMES(600, 60); round++) {
        if (MYTHREAD < 2)
            result[MYTHREAD] = read_behind(round % WAYS, own, round);
        else
            upc_barrier;
        upc_barrier;
        CHECK(result[0] == round || result[1] == round);
        upc_barrier;
    }
    upc_lock_free(own);
    return finish();
}
