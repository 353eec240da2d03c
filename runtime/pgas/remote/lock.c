/*
 * A queue lock (MCS) on top of the transport's atomics: first come, first served, because over a network an attempt
 * costs as much as a hand-over.  This is the lock of Mellor-Crummey and Scott in the form of the K42 system, where the
 * holder needs no place in the queue: its successor is stored in the lock.  So a thread needs only one waiting place,
 * however many locks it holds.  A lock is identified by its window address; a waiter is a thread's
 * bn_control.lock_waiter.
 *
 *     tail == 0          free
 *     tail == HELD       held, nobody waits; next == 0
 *     tail == thread+1   held; that thread is the last waiter. next names the first one, and each waiter knows its
 *                        successor.  A link may be missing while its writer is between two steps.
 *
 * A thread that is granted the lock moves its successor from its waiting place into the lock or, if it has none, makes
 * tail HELD.  Only the holder does that, so next has one writer at a time: the holder or, while tail is HELD, the
 * thread that changes tail from HELD.
 *
 * Words that later steps depend on are written by swap, which is complete when it returns.  A waiting thread polls only
 * its own words.
 *
 * tests/models/remote_lock.pml checks these steps:
 *
 *     A1  tail: 0 -> HELD, the lock is held        R1  holder = 0; look at next
 *     A2  own next = 0                             R2  tail: HELD -> 0, if there is no next: done
 *     A3  tail: what it was -> own id              R3  wait for next, if tail has changed
 *     A4  link from the one before, or the lock    R4  grant the first
 *     A5  wait to be granted
 *     B1  lock's next = own next
 *     B2  tail: own id -> HELD, if there is none
 *     B3  wait for own next, if tail has changed
 */
#include "sync/lock.h"

#include "pgas/remote/remote.h"
#include "platform/atomic_word.h"

#define HELD UINT64_C(0xffffffff)
#define MAGIC UINT64_C(0x6b636f6c)

/* The representation of struct bn_lock (sync/lock.h) here */
struct lock {
    uint64_t tail;
    uint64_t next;
    uint64_t holder;
    uint64_t magic;
};

_Static_assert(sizeof(struct lock) <= BN_LOCK_BYTES, "a lock fits into a line");

struct place {
    int thread;
    uint64_t offset;
};

#define WORD(member) offsetof(struct lock, member)

static uint64_t load(struct place lock, uint64_t word)
{
    return bn_remote.transport->load(lock.thread, lock.offset + word);
}

static void set(struct place lock, uint64_t word, uint64_t value)
{
    bn_remote.transport->swap(lock.thread, lock.offset + word, value);
}

static bool change_tail(struct place lock, uint64_t from, uint64_t to)
{
    return bn_remote.transport->change(lock.thread, lock.offset + WORD(tail), from, to) == from;
}

static bool find(const struct bn_lock *lock, struct place *place_p)
{
    return bn_remote_find((uint64_t)lock, &place_p->thread, &place_p->offset) && load(*place_p, WORD(magic)) == MAGIC;
}

void bn_lock_init(struct bn_lock *lock)
{
    *(struct lock *)lock = (struct lock){.magic = MAGIC};
}

enum bn_lock_result bn_lock_destroy(struct bn_lock *lock)
{
    struct place place;
    if (!bn_remote_find((uint64_t)lock, &place.thread, &place.offset) ||
        bn_remote.transport->change(place.thread, place.offset + WORD(magic), MAGIC, 0) != MAGIC)
        return BN_LOCK_NO_LOCK;
    return BN_LOCK_OK;
}

/* Waits until one of this thread's own words, written by others, changes. */
static uint64_t wait_for_own(const uint64_t *word, uint64_t old)
{
    uint32_t step = 0;
    uint64_t value;
    while ((value = bn_word64_see(word)) == old)
        bn_remote_step(&step);
    return value;
}

static uint64_t wait_for_next(struct place lock)
{
    uint32_t step = 0;
    uint64_t next;
    while ((next = load(lock, WORD(next))) == 0)
        bn_remote_step(&step);
    return next;
}

static void become_holder(struct place lock, uint64_t id)
{
    const uint64_t *own = &bn_remote.control->lock_waiter.next;
    uint64_t next = bn_word64_see(own);
    set(lock, WORD(next), next);                     /* B1 */
    if (next == 0 && !change_tail(lock, id, HELD))   /* B2 */
        set(lock, WORD(next), wait_for_own(own, 0)); /* B3 */
}

static void wait_in_line(struct place lock, uint64_t id)
{
    for (;;) {
        uint64_t tail = load(lock, WORD(tail));
        if (tail == 0) {
            if (change_tail(lock, 0, HELD)) /* A1 */
                return;
            continue;
        }
        uint64_t grants = bn_word64_see(&bn_remote.control->lock_waiter.grants);
        bn_word64_show(&bn_remote.control->lock_waiter.next, 0); /* A2 */
        if (!change_tail(lock, tail, id))                        /* A3 */
            continue;
        if (tail == HELD) /* A4 */
            set(lock, WORD(next), id);
        else
            bn_remote.transport->swap((int)tail - 1, BN_CONTROL_OFFSET(lock_waiter.next), id);
        wait_for_own(&bn_remote.control->lock_waiter.grants, grants); /* A5 */
        become_holder(lock, id);
        return;
    }
}

enum bn_lock_result bn_lock_acquire(struct bn_lock *lock, int thread, const struct bn_lock_team *team)
{
    struct place place;
    uint64_t id = (uint64_t)thread + 1;
    (void)team;
    if (!find(lock, &place))
        return BN_LOCK_NO_LOCK;
    if (!change_tail(place, 0, HELD)) { /* A1 */
        if (load(place, WORD(holder)) == id)
            return BN_LOCK_HELD_BY_SELF;
        wait_in_line(place, id);
    }
    set(place, WORD(holder), id);
    bn_fence();
    return BN_LOCK_OK;
}

enum bn_lock_result bn_lock_try(struct bn_lock *lock, int thread)
{
    struct place place;
    uint64_t id = (uint64_t)thread + 1;
    bn_poll();
    if (!find(lock, &place))
        return BN_LOCK_NO_LOCK;
    if (!change_tail(place, 0, HELD))
        return load(place, WORD(holder)) == id ? BN_LOCK_HELD_BY_SELF : BN_LOCK_BUSY;
    set(place, WORD(holder), id);
    bn_fence();
    return BN_LOCK_OK;
}

enum bn_lock_result bn_lock_release(struct bn_lock *lock, int thread)
{
    struct place place;
    if (!find(lock, &place))
        return BN_LOCK_NO_LOCK;
    if (load(place, WORD(holder)) != (uint64_t)thread + 1)
        return BN_LOCK_NOT_HELD;
    bn_fence(); /* what this thread has written is visible before the next holder goes on */
    set(place, WORD(holder), 0);
    uint64_t next = load(place, WORD(next)); /* R1 */
    if (next == 0) {
        if (change_tail(place, HELD, 0)) /* R2 */
            return BN_LOCK_OK;
        next = wait_for_next(place); /* R3 */
    }
    bn_remote.transport->add((int)next - 1, BN_CONTROL_OFFSET(lock_waiter.grants), 1); /* R4 */
    return BN_LOCK_OK;
}

uint32_t bn_lock_holder(const struct bn_lock *lock)
{
    struct place place;
    return find(lock, &place) ? (uint32_t)load(place, WORD(holder)) : 0;
}
