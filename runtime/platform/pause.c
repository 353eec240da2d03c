/*
 * Next to compute-bound threads, of this program or others, a yield takes as long as the time slices of all of them, a
 * few milliseconds each; a thread that needs an answer from a process that yields likewise waits for many of these.  A
 * thread that sleeps instead, however briefly, has used less than its share when it wakes, and gets the core
 * immediately.  So for some time after a long yield all threads of the process nap instead of yielding, and for twice
 * as long if the next yield is long again.
 *
 * Once no other thread computes, naps end on time.  After a few such prompt naps in succession a yield is tried
 * immediately; if it is long, as it is next to threads of the same process that compute in turns, twice as many prompt
 * naps are required before the next try. docs/tuning/waiting.md has the measurements.
 */
#include "platform/pause.h"

#include "platform/atomic_word.h"
#include "platform/clock.h"

#include <errno.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum {
    LONG_NS = 1000000,
    NAP_NS = 50000,
    NAPS_PER_YIELD = 4,
    MOST_NS = 1000000000,
    PROMPT_NAP_NS = 180000, /* the system adds 50 us and a switch; next to compute-bound threads a nap takes 0.2 to 4
                             * ms */
    PROMPT_NAPS = 4,
    MOST_PROMPT_NAPS = 32,
    YIELDS_PER_CLOCK = 8, /* per thread; two readings of the clock cost a tenth of a yield without another runnable
                           * thread */
};

/* Until when threads nap (0: they yield), for how long, and how many prompt naps end this.  Shared by all threads of
 * the process; the last writer wins. */
static uint64_t naps_end_ns, naps_ns, naps_wanted;

static void yield_by_the_clock(uint64_t begin_ns)
{
    syscall(SYS_sched_yield);
    uint64_t end_ns = bn_clock_ns(), took_ns = end_ns - begin_ns, last_ns = bn_word64_get(&naps_ns);
    if (took_ns < LONG_NS) {
        if (last_ns > 0) {
            bn_word64_set(&naps_ns, 0);
            bn_word64_set(&naps_wanted, PROMPT_NAPS);
            bn_word64_set(&naps_end_ns, 0);
        }
        return;
    }
    uint64_t wanted = last_ns > 0 ? 2 * bn_word64_get(&naps_wanted) : PROMPT_NAPS;
    bn_word64_set(&naps_wanted, wanted < MOST_PROMPT_NAPS ? wanted : MOST_PROMPT_NAPS);
    uint64_t next_ns = last_ns > 0 ? 2 * last_ns : NAPS_PER_YIELD * took_ns;
    next_ns = next_ns < MOST_NS ? next_ns : MOST_NS;
    bn_word64_set(&naps_ns, next_ns);
    bn_word64_set(&naps_end_ns, end_ns + next_ns);
}

static void nap_or_yield(uint64_t end_ns)
{
    static _Thread_local uint64_t prompt_naps;
    const struct timespec nap = {.tv_nsec = NAP_NS};
    uint64_t now_ns = bn_clock_ns();
    if (now_ns >= end_ns || prompt_naps >= bn_word64_get(&naps_wanted)) {
        prompt_naps = 0;
        yield_by_the_clock(now_ns);
        return;
    }
    nanosleep(&nap, NULL);
    prompt_naps = bn_clock_ns() - now_ns < PROMPT_NAP_NS ? prompt_naps + 1 : 0;
}

void bn_cpu_yield(void)
{
    static _Thread_local uint32_t yields;
    int saved_errno = errno;
    uint64_t end_ns = bn_word64_get(&naps_end_ns);
    if (end_ns == 0 && ++yields % YIELDS_PER_CLOCK != 0)
        syscall(SYS_sched_yield);
    else
        nap_or_yield(end_ns);
    errno = saved_errno;
}
