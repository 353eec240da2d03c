/*
 * A lock that any running thread may take, and a queue ("line") for threads that could not take it.  A strict queue
 * would be slower, whether threads outnumber cores or not: the next thread in line often is not running when the lock
 * becomes free, and waiting for it would cost a context switch or a cache-line transfer for each acquisition
 * (docs/tuning/waiting.md).
 *
 *     state   HELD       a thread holds the lock
 *             CLAIMED    reserved for the first in line: no other thread may take it
 *             SLEEPING   the first in line sleeps on this word
 *     tail    the last thread in line, plus 1; 0 if the line is empty
 *
 * A thread takes the lock if the state is 0.  If not, it polls a few times and then joins the line, as in the queue
 * lock of Mellor-Crummey and Scott: each thread waits on a cache line of its own until it is the first.  The first in
 * line takes the lock when it is free, like any other thread.  Once it has been first for CLAIM_NS, it claims the lock
 * and is the next to hold it.  So the wait is bounded by CLAIM_NS and one turn of a holder for each thread ahead in
 * line.
 *
 * A thread that has taken the lock from the head of the line tells the next one in line that it is first now.  A
 * descheduled waiter delays those behind it, but no thread outside the line until it claims the lock.
 *
 * No wake-up is lost: a thread sets SLEEPING and checks HELD in one atomic step, and the kernel does not let it sleep
 * unless both are still set; both are cleared in one atomic step, by a thread that then sees SLEEPING and wakes the
 * sleeper.
 *
 * tests/models/lock.pml checks the steps that are named here:
 *
 *     A1  state: 0 -> HELD, the lock is held           R1  state: HELD -> 0, if nothing else is set: done
 *     A2  own next = 0                                 R2  state: clear HELD and SLEEPING
 *     A3  tail: old -> own id                          R3  wake, if SLEEPING was set
 *     A4  link from the previous one
 *     A5  wait to be first                             L1  tail: own id -> 0, if no thread is behind: done
 *     F1  state: without HELD -> HELD: holds it        L2  wait for own next, if tail has changed
 *     F2  set CLAIMED                                  L3  tell the next one that it is first
 *     F3  set SLEEPING, if the state is HELD
 *     F4  sleep, if the state is what F3 left
 */
#include "sync/lock.h"

#include "platform/clock.h"
#include "platform/futex.h"
#include "platform/pause.h"

#include <stddef.h>

#define MAGIC UINT32_C(0x6b636f6c)

enum { HELD = 1, CLAIMED = 2, SLEEPING = 4 };

/* Measured in docs/tuning/waiting.md */
enum {
    CLAIM_NS = 1000000,
    /* Pauses between two readings of the clock, or two yields */
    PAUSES = 200,
    /*
     * Pauses between two polls.  A poll takes the cache line from the holder's core, which needs it back for its next
     * step. Threads of two cores that poll continuously slow each other down at each step; with gaps, one of them takes
     * the lock many times in a row.
     */
    GAP = 16,
    /* How long the first in line sleeps at a time: a thread that ends while holding the lock does not wake it. */
    SLEEP_NS = 250000000,
};

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

static bool change_state(struct bn_lock *lock, uint32_t from, uint32_t to)
{
    return __atomic_compare_exchange_n(&lock->state, &from, to, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

static uint32_t state_of(const struct bn_lock *lock)
{
    return __atomic_load_n(&lock->state, __ATOMIC_RELAXED);
}

/* ---- The first in line ---- */

static bool take_as_first(struct bn_lock *lock)
{
    uint32_t state = state_of(lock);
    return (state & HELD) == 0 && change_state(lock, state, HELD); /* F1 */
}

static void pause_between_looks(void)
{
    for (uint32_t i = 0; i < GAP; i++)
        bn_cpu_pause();
}

static bool take_within(struct bn_lock *lock, uint32_t pauses)
{
    for (uint32_t done = 0; done < pauses; done += GAP) {
        if (take_as_first(lock))
            return true;
        pause_between_looks();
    }
    return take_as_first(lock);
}

static void sleep_as_first(struct bn_lock *lock, int64_t timeout_ns)
{
    uint32_t state = state_of(lock);
    if ((state & HELD) == 0)
        return;
    if ((state & SLEEPING) == 0 && !change_state(lock, state, state | SLEEPING)) /* F3 */
        return;
    bn_futex_wait(&lock->state, state | SLEEPING, timeout_ns); /* F4 */
}

/* A thread's last unlock precedes its end: if it is still the holder afterwards, it holds the lock forever. */
static bool has_holder_ended(const struct bn_lock *lock, const struct bn_lock_team *team)
{
    uint32_t holder = __atomic_load_n(&lock->holder, __ATOMIC_RELAXED);
    return holder != 0 && __atomic_load_n(&team->waiters[holder - 1].has_ended, __ATOMIC_ACQUIRE) != 0 &&
           __atomic_load_n(&lock->holder, __ATOMIC_RELAXED) == holder;
}

/*
 * Takes the lock as the first in line.  Only that thread sets CLAIMED and SLEEPING, and its successor finds neither
 * set. Returns false if the lock can no longer be had.
 */
static bool take_at_last(struct bn_lock *lock, const struct bn_lock_team *team)
{
    const struct bn_wait_policy *policy = &team->policy;
    uint32_t pauses = policy->spin_count == 0 ? 0 : PAUSES;
    uint32_t spins_left = policy->spin_count;
    uint32_t yields_left = policy->yield_count;
    uint64_t claim_at_ns = bn_clock_ns() + CLAIM_NS;
    bool has_claimed = false;
    while (!take_within(lock, pauses)) {
        if (has_claimed && has_holder_ended(lock, team))
            return false;
        int64_t left_ns = has_claimed ? SLEEP_NS : (int64_t)(claim_at_ns - bn_clock_ns());
        if (!has_claimed && left_ns <= 0) {
            has_claimed = true;
            __atomic_fetch_or(&lock->state, CLAIMED, __ATOMIC_RELAXED); /* F2 */
        } else if (spins_left > PAUSES) {
            spins_left -= spins_left == UINT32_MAX ? 0 : PAUSES;
        } else if (yields_left > 0) {
            yields_left -= yields_left != UINT32_MAX;
            bn_cpu_yield();
        } else {
            sleep_as_first(lock, left_ns);
        }
    }
    return true;
}

/* ---- The line ---- */

static uint32_t wait_for_link(const uint32_t *link, const struct bn_lock_team *team)
{
    uint32_t step = 0;
    uint32_t waiter;
    while ((waiter = __atomic_load_n(link, __ATOMIC_ACQUIRE)) == 0)
        bn_wait_step(&step, &team->policy);
    return waiter;
}

/* Joins the line, and returns when the thread is first in it. */
static void stand_in_line(struct bn_lock *lock, struct bn_lock_waiter *self, uint32_t id,
                          const struct bn_lock_team *team)
{
    __atomic_store_n(&self->next, 0, __ATOMIC_RELAXED);                       /* A2 */
    uint32_t before = __atomic_exchange_n(&lock->tail, id, __ATOMIC_ACQ_REL); /* A3 */
    if (before == 0)
        return;
    self->turn++;
    __atomic_store_n(&team->waiters[before - 1].next, id, __ATOMIC_RELEASE); /* A4 */
    bn_event_wait(&self->first, self->turn, &team->policy);                  /* A5 */
}

static void leave_line(struct bn_lock *lock, struct bn_lock_waiter *self, uint32_t id, const struct bn_lock_team *team)
{
    uint32_t next = __atomic_load_n(&self->next, __ATOMIC_ACQUIRE);
    uint32_t last = id;
    if (next == 0) {
        if (__atomic_compare_exchange_n(&lock->tail, &last, 0, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) /* L1 */
            return;
        next = wait_for_link(&self->next, team); /* L2 */
    }
    struct bn_event *first = &team->waiters[next - 1].first;
    bn_event_publish(first, __atomic_load_n(&first->value, __ATOMIC_RELAXED) + 1); /* L3 */
}

/* Out of line, because it runs only if the lock is held. */
static __attribute__((noinline)) enum bn_lock_result acquire_slow(struct bn_lock *lock, uint32_t id,
                                                                  const struct bn_lock_team *team)
{
    struct bn_lock_waiter *self = &team->waiters[id - 1];
    uint32_t pauses = team->policy.spin_count == 0 ? 0 : PAUSES;
    for (uint32_t done = 0; done < pauses; done += GAP) {
        pause_between_looks();
        if (state_of(lock) == 0 && change_state(lock, 0, HELD)) /* A1 */
            return BN_LOCK_OK;
    }
    stand_in_line(lock, self, id, team);
    if (!take_at_last(lock, team))
        return BN_LOCK_HOLDER_ENDED;
    leave_line(lock, self, id, team);
    return BN_LOCK_OK;
}

/* ---- Public functions ---- */

enum bn_lock_result bn_lock_acquire(struct bn_lock *lock, int thread, const struct bn_lock_team *team)
{
    uint32_t id = (uint32_t)thread + 1;
    if (!is_lock(lock))
        return BN_LOCK_NO_LOCK;
    if (!change_state(lock, 0, HELD)) { /* A1 */
        if (is_holder(lock, thread))
            return BN_LOCK_HELD_BY_SELF;
        enum bn_lock_result result = acquire_slow(lock, id, team);
        if (result != BN_LOCK_OK)
            return result;
    }
    set_holder(lock, id);
    return BN_LOCK_OK;
}

enum bn_lock_result bn_lock_try(struct bn_lock *lock, int thread)
{
    if (!is_lock(lock))
        return BN_LOCK_NO_LOCK;
    if (state_of(lock) != 0 || !change_state(lock, 0, HELD)) /* A1 */
        return is_holder(lock, thread) ? BN_LOCK_HELD_BY_SELF : BN_LOCK_BUSY;
    set_holder(lock, (uint32_t)thread + 1);
    return BN_LOCK_OK;
}

enum bn_lock_result bn_lock_release(struct bn_lock *lock, int thread)
{
    if (!is_lock(lock))
        return BN_LOCK_NO_LOCK;
    if (!is_holder(lock, thread))
        return BN_LOCK_NOT_HELD;
    set_holder(lock, 0);
    if (change_state(lock, HELD, 0)) /* R1 */
        return BN_LOCK_OK;
    uint32_t before = __atomic_fetch_and(&lock->state, CLAIMED, __ATOMIC_RELEASE); /* R2 */
    if (before & SLEEPING)
        bn_futex_wake(&lock->state, 1); /* R3 */
    return BN_LOCK_OK;
}

void bn_lock_leave(int thread, const struct bn_lock_team *team)
{
    __atomic_store_n(&team->waiters[thread].has_ended, 1, __ATOMIC_RELEASE);
}

uint32_t bn_lock_holder(const struct bn_lock *lock)
{
    return is_lock(lock) ? __atomic_load_n(&lock->holder, __ATOMIC_RELAXED) : 0;
}
