/* lock.upc: lock and unlock, by thread 0 alone and by all threads at once. */
#include "families.h"

#include <upc_relaxed.h>

static upc_lock_t *lock;
static shared long counter; /* guarded by the lock */

int lock_setup(struct uoms_run *run)
{
    (void)run;
    lock = upc_all_lock_alloc();
    return lock == NULL;
}

void lock_prepare(struct uoms_run *run)
{
    (void)run;
    if (MYTHREAD == 0)
        counter = 0;
}

void lock_run(struct uoms_run *run, long count)
{
    for (long i = 0; i < count; i++) {
        if (run->bench->param == LOCK_ATTEMPT) {
            if (!upc_lock_attempt(lock))
                continue;
        } else {
            upc_lock(lock);
        }
        counter++;
        upc_unlock(lock);
    }
}

size_t lock_check(struct uoms_run *run)
{
    long good = run->bench->param == LOCK_CONTENDED ? THREADS : 1;
    if (MYTHREAD != 0 || counter == good)
        return 0;
    run->bad_place = 0;
    run->bad_value = (unsigned)counter;
    run->good_value = (unsigned)good;
    return sizeof counter;
}

void lock_teardown(struct uoms_run *run)
{
    (void)run;
    upc_barrier;
    if (MYTHREAD == 0)
        upc_lock_free(lock);
    upc_barrier;
}
