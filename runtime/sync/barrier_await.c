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

bool bn_barrier_await_or_end(struct bn_barrier *barrier, const struct bn_barrier_member *member, struct bn_event *event,
                             uint32_t value, int *ended_thread_p)
{
    static const struct bn_wait_policy sleep_at_once = {.yield_count = 0};
    const struct bn_wait_policy *policy = &barrier->policy;
    if (!bn_event_has_reached(event, value) && is_abandoned(barrier, member->phase, ended_thread_p))
        return false;
    int absent = -1;
    while (!bn_event_wait_for(event, value, policy, ABANDON_CHECK_NS)) {
        if (is_abandoned(barrier, member->phase, ended_thread_p))
            return false;
        /* A thread seen elsewhere may have passed this barrier before, so the event was checked again after it was
         * seen. */
        *ended_thread_p = absent;
        if (absent >= 0)
            return false;
        absent = member->find_absent ? member->find_absent(member->context) : -1;
        policy = &sleep_at_once;
    }
    return true;
}
