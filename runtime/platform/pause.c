/*
 * Next to compute-bound threads, of this program or others, a yield takes as long as the time slices of all of them, a
 * few milliseconds each; a thread that needs an answer from a process that yields likewise waits for many of these.  A
 * thread that sleeps instead, however briefly, has used less than its share when it wakes, and gets the core
 * immediately.  So for some time after a long yield all threads of the process nap instead of yielding, and for twice
 * as long if the next yield is long again.  Threads that can sleep until they are woken do that, because they are then
 * scheduled without a nap's delay.
 *
 * Once no other thread computes, naps end on time.  After a few such prompt naps in succession a yield is tried
 * immediately; if it is long, as it is next to threads of the same process that compute in turns, twice as many prompt
 * naps are required before the next try.  Sleeps that follow each other closely say less, since they do so next to
 * other programs, too, but they are also much cheaper without them; more of them are required, and their number doubles
 * likewise.  A thread that has just slept has a right to the core and may get it back at once even if others compute;
 * only several short yields in succession show that none does.
 *
 * docs/tuning/waiting.md has the measurements.
 */
#include "platform/pause.h"

#include "platform/atomic_word.h"
#include "platform/clock.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum {
    LONG_NS = 1000000,
    NAP_NS = 50000,
    NAPS_PER_YIELD = 4,
    MOST_NS = 1000000000,
    PROMPT_NS = 180000, /* the system adds 50 us and a switch; next to compute-bound threads a nap takes 0.2 to 4
                         * ms */
    PROMPT_NAPS = 4,
    MOST_PROMPT_NAPS = 32,
    SLEEPS = 64,        /* without other programs they take 1 to 3 ms, about as long as one long yield */
    MOST_SLEEPS = 4096, /* next to other programs they take ten times as long as the yield that follows, or longer */
    SHORT_YIELDS = 16,
    YIELDS_PER_CLOCK = 8, /* per thread; two readings of the clock cost a tenth of a yield without another runnable
                           * thread */
};

/* Until when threads nap (0: they yield), for how long, and how many prompt naps, or sleeps, end this.  Shared by all
 * threads of the process; the last writer wins. */
static uint64_t naps_end_ns, naps_ns, naps_wanted, sleeps_wanted;

/* What a thread has done since the last long yield */
static _Thread_local struct trial {
    uint64_t prompt_naps, sleeps; /* in succession */
    uint64_t slept_ns;            /* when the last of these sleeps began */
    uint32_t short_yields;        /* in succession, after these */
} trial;

/* Sets a number that doubles as long as yields are long. */
static void raise_number(uint64_t *number, bool is_first, uint64_t first, uint64_t most)
{
    uint64_t next = is_first ? first : 2 * bn_word64_get(number);
    bn_word64_set(number, next < most ? next : most);
}

/* Begins naps, or makes them last longer, after a yield that took took_ns. */
static void begin_naps(uint64_t now_ns, uint64_t took_ns)
{
    bool is_first = bn_word64_get(&naps_ns) == 0;
    raise_number(&naps_wanted, is_first, PROMPT_NAPS, MOST_PROMPT_NAPS);
    if (is_first || trial.sleeps >= bn_word64_get(&sleeps_wanted))
        raise_number(&sleeps_wanted, is_first, SLEEPS, MOST_SLEEPS);
    raise_number(&naps_ns, is_first, NAPS_PER_YIELD * took_ns, MOST_NS);
    bn_word64_set(&naps_end_ns, now_ns + bn_word64_get(&naps_ns));
}

static void end_naps(void)
{
    bn_word64_set(&naps_ns, 0);
    bn_word64_set(&naps_end_ns, 0);
}

static void yield_by_the_clock(uint64_t begin_ns)
{
    syscall(SYS_sched_yield);
    uint64_t end_ns = bn_clock_ns(), took_ns = end_ns - begin_ns;
    if (took_ns >= LONG_NS) {
        begin_naps(end_ns, took_ns);
        trial = (struct trial){0};
    } else if (bn_word64_get(&naps_ns) > 0 && ++trial.short_yields >= SHORT_YIELDS) {
        trial = (struct trial){0};
        end_naps();
    }
}

static void nap_or_yield(uint64_t end_ns)
{
    const struct timespec nap = {.tv_nsec = NAP_NS};
    uint64_t now_ns = bn_clock_ns();
    if (now_ns >= end_ns || trial.prompt_naps >= bn_word64_get(&naps_wanted)) {
        yield_by_the_clock(now_ns);
        return;
    }
    nanosleep(&nap, NULL);
    trial.prompt_naps = bn_clock_ns() - now_ns < PROMPT_NS ? trial.prompt_naps + 1 : 0;
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

bool bn_cpu_yield_unless_crowded(void)
{
    uint64_t end_ns = bn_word64_get(&naps_end_ns);
    if (end_ns == 0) {
        bn_cpu_yield();
        return true;
    }
    uint64_t now_ns = bn_clock_ns();
    if (now_ns < end_ns && trial.sleeps < bn_word64_get(&sleeps_wanted)) {
        trial.sleeps = now_ns - trial.slept_ns < PROMPT_NS ? trial.sleeps + 1 : 0;
        trial.slept_ns = now_ns;
        return false;
    }
    int saved_errno = errno;
    yield_by_the_clock(now_ns);
    errno = saved_errno;
    return true;
}
