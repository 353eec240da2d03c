/*
 * The queue lock of sync/lock.c with the atomics of the transport: same states, same order of steps.  A lock is named by its window
 * address, a waiter is a thread's bn_control.lock_waiter.
 *
 * Words that steps depend on are written by swap, which is done when it returns.  A thread looks only at its own words while it waits.
 */
#include "sync/lock.h"

#include "pgas/remote/remote.h"
#include "platform/atomic_word.h"

#define HELD UINT64_C(0xffffffff)
#define MAGIC UINT64_C(0x6b636f6c)

/* What a struct bn_lock of sync/lock.h is here */
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

/* Own words, written by others */
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
    set(lock, WORD(next), next);
    if (next == 0 && !change_tail(lock, id, HELD))
        set(lock, WORD(next), wait_for_own(own, 0));
}

static void wait_in_line(struct place lock, uint64_t id)
{
    for (;;) {
        uint64_t tail = load(lock, WORD(tail));
        if (tail == 0) {
            if (change_tail(lock, 0, HELD))
                return;
            continue;
        }
        uint64_t grants = bn_word64_see(&bn_remote.control->lock_waiter.grants);
        bn_word64_show(&bn_remote.control->lock_waiter.next, 0);
        if (!change_tail(lock, tail, id))
            continue;
        if (tail == HELD)
            set(lock, WORD(next), id);
        else
            bn_remote.transport->swap((int)tail - 1, BN_CONTROL_OFFSET(lock_waiter.next), id);
        wait_for_own(&bn_remote.control->lock_waiter.grants, grants);
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
    if (!change_tail(place, 0, HELD)) {
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

enum bn_lock_result bn_lock_release(struct bn_lock *lock, int thread, const struct bn_lock_team *team)
{
    struct place place;
    (void)team;
    if (!find(lock, &place))
        return BN_LOCK_NO_LOCK;
    if (load(place, WORD(holder)) != (uint64_t)thread + 1)
        return BN_LOCK_NOT_HELD;
    bn_fence(); /* what this thread has written is there before the next one goes on */
    set(place, WORD(holder), 0);
    uint64_t next = load(place, WORD(next));
    if (next == 0) {
        if (change_tail(place, HELD, 0))
            return BN_LOCK_OK;
        next = wait_for_next(place);
    }
    bn_remote.transport->add((int)next - 1, BN_CONTROL_OFFSET(lock_waiter.grants), 1);
    return BN_LOCK_OK;
}

uint32_t bn_lock_holder(const struct bn_lock *lock)
{
    struct place place;
    return find(lock, &place) ? (uint32_t)load(place, WORD(holder)) : 0;
}
