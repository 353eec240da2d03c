/*
 * spinlock.h: a lock for the runtime's own short critical sections, in memory that processes share.
 *
 * Usually held for well under a microsecond, so waiters spin briefly and then sleep.  It is not fair; programs use the
 * lock of sync/lock.h.  All zero is the free state.
 */
#ifndef BN_SYNC_SPINLOCK_H
#define BN_SYNC_SPINLOCK_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct bn_spinlock {
    uint32_t state; /* 0 free, 1 held, 2 held with possible sleepers */
};

void bn_spinlock_acquire_slow(struct bn_spinlock *lock);
void bn_spinlock_release_slow(struct bn_spinlock *lock);

/** On return, everything that the last holder did is visible.  @cost One atomic operation if the lock is free. */
static inline void bn_spinlock_acquire(struct bn_spinlock *lock)
{
    uint32_t free_state = 0;
    if (!__atomic_compare_exchange_n(&lock->state, &free_state, 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) /* S1 */
        bn_spinlock_acquire_slow(lock);
}

static inline void bn_spinlock_release(struct bn_spinlock *lock)
{
    if (__atomic_exchange_n(&lock->state, 0, __ATOMIC_RELEASE) == 2) /* U1 */
        bn_spinlock_release_slow(lock);                              /* U2 */
}

#ifdef __cplusplus
}
#endif

#endif
