/* barrier_await.c: waiting in a barrier while a thread that is needed may have ended. */
#include "sync/barrier_kinds.h"

enum {
    /* How often a sleeper checks whether a thread has ended, in case it missed the wake-up */
    ABANDON_CHECK_NS = 500000000,
};

/* Whether a thread that this phase needs has ended */
static bool is_abandoned(const struct bn_barrier *barrier, uint32_t phase, int *thread_p)
{
    uint64_t abandoned = __atomic_load_n(&barrier->abandoned, __ATOMIC_ACQUIRE);
    if (!bn_barrier_is_given(abandoned) || (int32_t)(phase - (uint32_t)abandoned) <= 0)
        return false;
    *thread_p = bn_barrier_packed_thread(abandoned);
    return true;
}

/* Whether a thread may have left this phase.  Where threads learn one after the other that a phase is complete, one may
 * have left it that this member has not heard of. */
static bool may_have_passed(struct bn_barrier *barrier, const struct bn_barrier_member *member, int thread)
{
    if (member->kind == BN_BARRIER_DISSEMINATION)
        return bn_barrier_has_notified_dissemination(member, thread);
    if (member->kind == BN_BARRIER_TREE)
        return bn_barrier_is_complete_tree(member);
    bool is_pair = barrier->thread_count == PAIR_THREADS;
    return bn_event_has_reached(is_pair ? &barrier->pair[thread] : &barrier->released, bn_barrier_phase(member));
}

/* A thread that has gone past this phase without notifying, or -1.  What a thread has passed is looked up after it was
 * seen ahead: had it passed the phase before, that would be visible by then, however slow any thread is. */
static int find_absent(struct bn_barrier *barrier, const struct bn_barrier_member *member)
{
    for (int thread = 0; thread < barrier->thread_count; thread++) {
        if (member->is_ahead(member->context, thread) && !may_have_passed(barrier, member, thread))
            return thread;
    }
    return -1;
}

static bool await_long(struct bn_barrier *barrier, const struct bn_barrier_member *member, struct bn_event *event,
                       uint32_t value, int *ended_thread_p)
{
    static const struct bn_wait_policy sleep_at_once = {.yield_count = 0};
    do {
        if (is_abandoned(barrier, member->phase, ended_thread_p))
            return false;
        int absent = member->is_ahead ? find_absent(barrier, member) : -1;
        if (absent >= 0) {
            *ended_thread_p = absent;
            return false;
        }
    } while (!bn_event_wait_for(event, value, &sleep_at_once, ABANDON_CHECK_NS));
    return true;
}

bool bn_barrier_await_or_end(struct bn_barrier *barrier, const struct bn_barrier_member *member, struct bn_event *event,
                             uint32_t value, int *ended_thread_p)
{
    if (!bn_event_has_reached(event, value) && is_abandoned(barrier, member->phase, ended_thread_p))
        return false;
    if (bn_event_wait_for(event, value, &barrier->policy, ABANDON_CHECK_NS))
        return true;
    if (member->waits_long)
        member->waits_long(member->context, true);
    if (!await_long(barrier, member, event, value, ended_thread_p))
        return false;
    if (member->waits_long)
        member->waits_long(member->context, false);
    return true;
}
