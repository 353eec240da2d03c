// Mutual exclusion with upc_lock_attempt alone, and strict order across a lock (facts 2.3, 1.14)
#include <sched.h>
#include <upc_relaxed.h>

#include "check.h"

shared int a, b, inside;

int main(void)
{
    upc_lock_t *lock = upc_all_lock_alloc();

    for (int i = 0; i < 300; i++) {
        while (!upc_lock_attempt(lock))
            sched_yield();
        EQ(inside++, 0);
        EQ(a, b);
        a++;
        b++;
        EQ(inside--, 1);
        upc_unlock(lock);
    }
    upc_barrier;
    EQ(a, 300 * THREADS);
    EQ(b, 300 * THREADS);
    upc_all_lock_free(lock);
    return finish();
}
