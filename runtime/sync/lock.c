/*
 * A queue lock after Mellor-Crummey and Scott, in the form of the K42 system, where the holder needs no place in the
 * queue: its successor is noted in the lock.  So a thread needs one waiting place, however many locks it holds.
 *
 *     tail == 0          free
 *     tail == HELD       held, nobody waits; next == 0
 *     tail == thread+1   held; that thread is the last to wait.  The first one is in next, and each waiter knows the
 *                        one behind it.  A link may be missing for as long as its writer is between two instructions.
 *
 * A thread that is granted the lock moves its successor from its waiting place into the lock, or, if it has none, makes
 * tail HELD.  Only the holder does that, so next has one writer at a time: the holder, or, while tail is HELD, whoever
 * changes tail from HELD.
 *
 * A waiter that is descheduled delays those behind it, as in any fair lock, but never stops the one that hands over:
 * granting is a store, and a wake-up if the waiter sleeps.
 *
 * With more threads than cores most waiters should not even look, so that the one whose turn comes finds a core.
 * Therefore whoever grants the lock to the first waiter first tells the second one that it is next (if its link is
 * there), and wakes it after the grant: while the new holder works, the next in line gets ready.  Both are counts of
 * the same event, and the order of these stores makes it grow: tell, grant, and only then can the new holder tell or
 * grant.  Who has not been told, because its link came too late, is granted the lock all the same.
 *
 * tests/models/lock.pml checks the steps that are named here:
 *
 *     A1  tail: 0 -> HELD, the lock is held        R1  holder = 0; look at next
 *     A2  own next = 0                             R2  tail: HELD -> 0, if there is no next: done
 *     A3  tail: what it was -> own id              R3  wait for next, if tail has changed
 *     A4  link from the one before, or the lock    R4  tell the second waiter
 *     A5  wait to be next, then to be granted      R5  grant the first
 *     B1  lock's next = own next                   R6  wake the second
 *     B2  tail: own id -> HELD, if there is none
 *     B3  wait for own next, if tail has changed
 */
#include "sync/lock.h"

#include <stddef.h>

#define HELD UINT32_MAX
#define MAGIC UINT32_C(0x6b636f6c)

_Static_assert(sizeof(struct bn_lock) <= BN_LOCK_BYTES, "a lock fits into a line");

void bn_lock_init(struct bn_lock *lock)
{
    *lock = (struct bn_lock){.magic = MAGIC};
}

static bool is_lock(const struct bn_lock *lock)
{
    return __atomic_load_n(&lock->magic, __ATOMIC_RELAXED) == MAGIC;
}

static bool is_holder(const struct bn_lock *lock, int thread)
{
    return __atomic_load_n(&lock->holder, __ATOMIC_RELAXED) == (uint32_t)thread + 1;
}

static void set_holder(struct bn_lock *lock, uint32_t holder)
{
    __atomic_store_n(&lock->holder, holder, __ATOMIC_RELAXED);
}

enum bn_lock_result bn_lock_destroy(struct bn_lock *lock)
{
    uint32_t magic = MAGIC;
    if (!__atomic_compare_exchange_n(&lock->magic, &magic, 0, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        return BN_LOCK_NO_LOCK;
    return BN_LOCK_OK;
}

static bool change_tail(struct bn_lock *lock, uint32_t from, uint32_t to)
{
    return __atomic_compare_exchange_n(&lock->tail, &from, to, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

static uint32_t wait_for_link(const uint32_t *link, const struct bn_lock_team *team)
{
    uint32_t step = 0;
    uint32_t waiter;
    while ((waiter = __atomic_load_n(link, __ATOMIC_ACQUIRE)) == 0)
        bn_wait_step(&step, &team->policy);
    return waiter;
}

static void wait_for_turn(struct bn_lock_waiter *self, bool is_next, const struct bn_wait_policy *policy)
{
    static const uint32_t is_told = 1;
    self->turn += 2;
    if (!policy->tells_next) {
        bn_event_wait(&self->granted, self->turn, policy);
        return;
    }
    const struct bn_wait_policy behind = {.spin_count = policy->spin_count, .yield_count = policy->behind_yield_count};
    const struct bn_wait_policy next = {.spin_count = policy->next_spin_count, .yield_count = policy->yield_count};
    if (!is_next)
        bn_event_wait(&self->granted, self->turn - is_told, &behind);
    bn_event_wait(&self->granted, self->turn, &next);
}

/* The caller has been granted the lock: leaves the queue. */
static void become_holder(struct bn_lock *lock, const struct bn_lock_waiter *self, uint32_t id,
                          const struct bn_lock_team *team)
{
    uint32_t next = __atomic_load_n(&self->next, __ATOMIC_ACQUIRE);
    __atomic_store_n(&lock->next, next, __ATOMIC_RELAXED); /* B1 */
    if (next != 0 || change_tail(lock, id, HELD))          /* B2 */
        return;
    __atomic_store_n(&lock->next, wait_for_link(&self->next, team), __ATOMIC_RELAXED); /* B3 */
}

/* Out of line: somebody holds the lock. */
static __attribute__((noinline)) void acquire_slow(struct bn_lock *lock, uint32_t id, const struct bn_lock_team *team)
{
    struct bn_lock_waiter *self = &team->waiters[id - 1];
    for (;;) {
        uint32_t tail = __atomic_load_n(&lock->tail, __ATOMIC_RELAXED);
        if (tail == 0) {
            if (change_tail(lock, 0, HELD)) /* A1 */
                return;
            continue;
        }
        __atomic_store_n(&self->next, 0, __ATOMIC_RELAXED); /* A2 */
        if (!change_tail(lock, tail, id))                   /* A3 */
            continue;
        uint32_t *link = tail == HELD ? &lock->next : &team->waiters[tail - 1].next;
        __atomic_store_n(link, id, __ATOMIC_RELEASE);     /* A4 */
        wait_for_turn(self, tail == HELD, &team->policy); /* A5 */
        become_holder(lock, self, id, team);
        return;
    }
}

enum bn_lock_result bn_lock_acquire(struct bn_lock *lock, int thread, const struct bn_lock_team *team)
{
    uint32_t id = (uint32_t)thread + 1;
    if (!is_lock(lock))
        return BN_LOCK_NO_LOCK;
    if (!change_tail(lock, 0, HELD)) { /* A1 */
        if (is_holder(lock, thread))
            return BN_LOCK_HELD_BY_SELF;
        acquire_slow(lock, id, team);
    }
    set_holder(lock, id);
    return BN_LOCK_OK;
}

enum bn_lock_result bn_lock_try(struct bn_lock *lock, int thread)
{
    if (!is_lock(lock))
        return BN_LOCK_NO_LOCK;
    if (__atomic_load_n(&lock->tail, __ATOMIC_RELAXED) != 0 || !change_tail(lock, 0, HELD))
        return is_holder(lock, thread) ? BN_LOCK_HELD_BY_SELF : BN_LOCK_BUSY;
    set_holder(lock, (uint32_t)thread + 1);
    return BN_LOCK_OK;
}

static uint32_t grants_of(const struct bn_lock_waiter *waiter)
{
    return __atomic_load_n(&waiter->granted.value, __ATOMIC_RELAXED) / 2;
}

/* Hands the lock to the first waiter. */
static void grant(const struct bn_lock_team *team, uint32_t first)
{
    struct bn_lock_waiter *waiter = &team->waiters[first - 1];
    struct bn_lock_waiter *second = NULL;
    if (team->policy.tells_next) {
        uint32_t next = __atomic_load_n(&waiter->next, __ATOMIC_ACQUIRE);
        if (next != 0) {
            second = &team->waiters[next - 1];
            bn_event_set(&second->granted, 2 * grants_of(second) + 1); /* R4 */
        }
    }
    bn_event_publish(&waiter->granted, 2 * (grants_of(waiter) + 1)); /* R5 */
    if (second)
        bn_event_wake_sleepers(&second->granted); /* R6 */
}

enum bn_lock_result bn_lock_release(struct bn_lock *lock, int thread, const struct bn_lock_team *team)
{
    if (!is_lock(lock))
        return BN_LOCK_NO_LOCK;
    if (!is_holder(lock, thread))
        return BN_LOCK_NOT_HELD;
    set_holder(lock, 0);
    uint32_t next = __atomic_load_n(&lock->next, __ATOMIC_ACQUIRE); /* R1 */
    if (next == 0) {
        if (change_tail(lock, HELD, 0)) /* R2 */
            return BN_LOCK_OK;
        next = wait_for_link(&lock->next, team); /* R3 */
    }
    grant(team, next);
    return BN_LOCK_OK;
}

uint32_t bn_lock_holder(const struct bn_lock *lock)
{
    return is_lock(lock) ? __atomic_load_n(&lock->holder, __ATOMIC_RELAXED) : 0;
}
