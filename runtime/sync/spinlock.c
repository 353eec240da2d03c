/*
 * State 2 means that threads may be sleeping.  A thread that takes the lock after waiting leaves it at 2, because it
 * cannot know whether others still sleep; at worst that costs one needless wake.  No wake-up is lost: a sleeper has set
 * 2, the kernel lets it sleep only while the state is 2, and a thread that changes it from 2 wakes one sleeper.
 *
 * tests/models/spinlock.pml checks these steps:
 *
 *     S1  state: 0 -> 1, taken                U1  state: old -> 0
 *     S2  state: old -> 2; taken if           U2  futex wake of one, if it was 2
 *         it was 0
 *     S3  futex wait, if state is still 2;
 *         S2 again
 */
#include "sync/spinlock.h"

#include "platform/futex.h"
#include "platform/pause.h"

enum { SPIN_COUNT = 50, YIELD_COUNT = 20 };

void bn_spinlock_acquire_slow(struct bn_spinlock *lock)
{
    for (int i = 0; i < SPIN_COUNT + YIELD_COUNT; i++) {
        uint32_t free_state = 0;
        if (__atomic_load_n(&lock->state, __ATOMIC_RELAXED) == 0 &&
            __atomic_compare_exchange_n(&lock->state, &free_state, 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) /* S1 */
            return;
        if (i < SPIN_COUNT)
            bn_cpu_pause();
        else
            bn_cpu_yield();
    }
    while (__atomic_exchange_n(&lock->state, 2, __ATOMIC_ACQUIRE) != 0) /* S2 */
        bn_futex_wait(&lock->state, 2, BN_FUTEX_FOREVER);               /* S3 */
}

void bn_spinlock_release_slow(struct bn_spinlock *lock)
{
    bn_futex_wake(&lock->state, 1);
}
