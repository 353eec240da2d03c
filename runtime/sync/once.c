/*
 * Call k uses slot k % BN_ONCE_CALLS, in round k / BN_ONCE_CALLS.  Arrivals and departures of a slot are counted and
 * never reset: round r begins when r * thread_count threads have left the slot, and the thread that makes arrival r *
 * thread_count + 1 is first.  Counts and rounds are modulo 2^32.
 */
#include "sync/once.h"

static uint32_t round_of(const struct bn_once_member *member)
{
    return (uint32_t)(member->calls / BN_ONCE_CALLS);
}

struct bn_once_slot *bn_once_current(struct bn_once *once, const struct bn_once_member *member)
{
    return &once->slots[member->calls % BN_ONCE_CALLS];
}

bool bn_once_enter(struct bn_once *once, const struct bn_once_member *member, int thread, int thread_count,
                   const uint64_t arguments[BN_ONCE_ARGUMENTS], const struct bn_wait_policy *policy)
{
    struct bn_once_slot *slot = bn_once_current(once, member);
    uint32_t round = round_of(member);
    bn_event_wait(&slot->reusable, round, policy);
    if (__atomic_fetch_add(&slot->arrivals, 1, __ATOMIC_ACQ_REL) != round * (uint32_t)thread_count) {
        bn_event_wait(&slot->ready, round + 1, policy);
        return false;
    }
    for (int i = 0; i < BN_ONCE_ARGUMENTS; i++)
        slot->arguments[i] = arguments[i];
    slot->first_thread = thread;
    return true;
}

void bn_once_publish(struct bn_once *once, const struct bn_once_member *member, uint64_t result)
{
    struct bn_once_slot *slot = bn_once_current(once, member);
    slot->result = result;
    bn_event_publish(&slot->ready, round_of(member) + 1);
}

bool bn_once_leave(struct bn_once *once, struct bn_once_member *member, int thread_count)
{
    struct bn_once_slot *slot = bn_once_current(once, member);
    uint32_t next_round = round_of(member) + 1;
    bool is_last = __atomic_add_fetch(&slot->departures, 1, __ATOMIC_ACQ_REL) == next_round * (uint32_t)thread_count;
    if (is_last)
        bn_event_publish(&slot->reusable, next_round);
    member->calls++;
    return is_last;
}
