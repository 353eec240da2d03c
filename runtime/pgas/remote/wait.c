/* wait.c: one step of waiting for other threads of the job. */
#include "pgas/remote/remote.h"

#include "platform/clock.h"

enum {
    STEPS_PER_POLL = 64,     /* if no thread is far: only OpenSHMEM's own messages need progress */
    NEAR_STEPS_PER_POLL = 8, /* if the awaited write cannot come over the network */
    NEAR_NS_PER_POLL = 100 * 1000
};

static BN_PER_THREAD uint64_t polled_ns; /* when this thread last made progress on the network while waiting for a near
                                            one */

static void poll_or_yield(uint32_t *step, bool is_poll_due)
{
    bn_remote_check_end();
    if (is_poll_due && bn_remote.transport->poll())
        (*step)++;
    else
        bn_wait_step(step, &bn_remote.policy);
}

void bn_remote_poll(void)
{
    static BN_PER_THREAD uint32_t count;
    if (bn_remote.has_far_threads || count++ % STEPS_PER_POLL == 0)
        bn_remote.transport->poll();
}

void bn_remote_step(uint32_t *step)
{
    poll_or_yield(step, bn_remote.has_far_threads || *step % STEPS_PER_POLL == 0);
}

/* A step takes half a microsecond, or as long as the time slices of all threads that compute on this core.  So neither
 * steps nor time alone tell how long others have been waiting for an answer. */
void bn_remote_step_for_near(uint32_t *step)
{
    if (!bn_remote.has_far_threads) {
        bn_remote_step(step);
        return;
    }
    uint64_t now_ns = bn_clock_ns();
    bool is_due = *step % NEAR_STEPS_PER_POLL == 0 || now_ns - polled_ns >= NEAR_NS_PER_POLL;
    if (is_due)
        polled_ns = now_ns;
    poll_or_yield(step, is_due);
}
