/*
 * No wake-up is lost.  A waiter that goes to sleep and the publisher do
 *
 *     waiter                                   publisher
 *     W1  sleepers += 1                        P1  value = new
 *     W2  read value                        P2  sleepers += 0
 *     W3  futex wait, if value is still old    P3  futex wake, if there are sleepers
 *     W4  sleepers -= 1
 *
 * W1 and P2 modify the same word, so one of them comes first.  If P2 does, W1 reads what P2 wrote and synchronises with
 * it: P1 happens before W2, the waiter sees the new value and does not sleep.  If W1 does, P2 sees the sleeper and
 * wakes it. The wake may come before W3; then value changed before W3, and the kernel, which compares under the lock
 * that the wake takes, refuses to sleep.  tests/models/event.pml checks these steps.
 */
#include "sync/wait.h"

#include "platform/clock.h"
#include "platform/futex.h"
#include "platform/pause.h"

#include <limits.h>
#include <stddef.h>

/* Measured in docs/tuning/waiting.md */
enum {
    /* Polls with a pause each (5 to 45 ns): longer than a hand-off between running cores, shorter than a wake-up. */
    SPIN_COUNT = 400,
    /* A waiter that shares its core polls only a few times: the thread it waits for usually needs this very core. */
    SHARED_SPIN_COUNT = 2,
    /*
     * A yield takes 0.4 us if no other thread can run, and a context switch of 1.4 us otherwise.  All yields take 2.5
     * ms; a wake-up afterwards adds a hundredth of that.
     */
    YIELD_COUNT = 6000,
    /* All threads of a core together yield for about as long as a sleep and a wake-up would take. */
    SHARED_YIELD_COUNT = 128,
    /* Ten times what the yields take if no other thread computes; checked every YIELDS_PER_CLOCK yields */
    LONGEST_YIELDS_NS = 25000000,
    YIELDS_PER_CLOCK = 16,
};

void (*bn_wait_progress)(void);
uint64_t *bn_wait_bed;

static void make_progress(void)
{
    if (__builtin_expect(bn_wait_progress != NULL, 0))
        bn_wait_progress();
}

void bn_wait_spin(uint32_t i)
{
    if (i % BN_WAIT_PROGRESS_LOOKS == BN_WAIT_PROGRESS_LOOKS - 1)
        make_progress();
    bn_cpu_pause();
}

void bn_wait_yield(void)
{
    make_progress();
    bn_cpu_yield();
}

static void leave_bed(const uint32_t *word)
{
    uint64_t own = (uint64_t)word;
    __atomic_compare_exchange_n(bn_wait_bed, &own, 0, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

/* Sleeps in slices if there is a progress function to call; a wake-up ends a slice early. */
void bn_wait_sleep(uint32_t *word, uint32_t expected, int64_t timeout_ns)
{
    if (!bn_wait_progress) {
        bn_futex_wait(word, expected, timeout_ns);
        return;
    }
    uint64_t start_ns = bn_clock_ns();
    do {
        if (bn_wait_bed)
            __atomic_store_n(bn_wait_bed, (uint64_t)word, __ATOMIC_SEQ_CST);
        bn_wait_progress();
        bn_futex_wait(word, expected, BN_WAIT_PROGRESS_NS);
        if (bn_wait_bed)
            leave_bed(word);
    } while (__atomic_load_n(word, __ATOMIC_RELAXED) == expected &&
             (timeout_ns == BN_FUTEX_FOREVER || bn_clock_ns() - start_ns < (uint64_t)timeout_ns));
}

bool bn_wait_may_yield(struct bn_yields *yields, const struct bn_wait_policy *policy)
{
    if (policy->yield_count != UINT32_MAX) {
        if (yields->count++ >= policy->yield_count)
            return false;
        if (yields->count % YIELDS_PER_CLOCK == 0) {
            uint64_t now_ns = bn_clock_ns();
            if (yields->begin_ns == 0)
                yields->begin_ns = now_ns;
            if (now_ns - yields->begin_ns > LONGEST_YIELDS_NS)
                return false;
        }
        if (!bn_wait_progress) /* progress is made more often by naps than by sleeps */
            return bn_cpu_yield_unless_crowded();
    }
    bn_wait_yield();
    return true;
}

static struct bn_wait_policy shared_policy(uint32_t threads_per_core)
{
    uint32_t yield_count = SHARED_YIELD_COUNT / threads_per_core;
    return (struct bn_wait_policy){
        .spin_count = SHARED_SPIN_COUNT,
        .yield_count = yield_count > 0 ? yield_count : 1,
    };
}

struct bn_wait_policy bn_wait_policy_make(int thread_count, int core_count, enum bn_wait_choice choice)
{
    switch (choice) {
    case BN_WAIT_AUTO: break;
    case BN_WAIT_SPIN: return (struct bn_wait_policy){.spin_count = UINT32_MAX};
    case BN_WAIT_YIELD: return (struct bn_wait_policy){.yield_count = UINT32_MAX};
    case BN_WAIT_SLEEP: return (struct bn_wait_policy){.spin_count = 0};
    }
    if (thread_count > core_count)
        return shared_policy((uint32_t)((thread_count + core_count - 1) / core_count));
    return (struct bn_wait_policy){.spin_count = SPIN_COUNT, .yield_count = YIELD_COUNT};
}

static void wake_sleepers(struct bn_event *event)
{
    if (__atomic_fetch_add(&event->sleepers, 0, __ATOMIC_SEQ_CST) != 0) /* P2 */
        bn_futex_wake(&event->value, INT_MAX);                          /* P3 */
}

void bn_event_publish(struct bn_event *event, uint32_t value)
{
    __atomic_store_n(&event->value, value, __ATOMIC_RELEASE); /* P1 */
    wake_sleepers(event);
}

void bn_event_ring(struct bn_event *event)
{
    __atomic_add_fetch(&event->value, 1, __ATOMIC_RELEASE); /* P1 */
    wake_sleepers(event);
}

void bn_event_wake_all(struct bn_event *event)
{
    if (__atomic_load_n(&event->sleepers, __ATOMIC_SEQ_CST) != 0)
        bn_futex_wake(&event->value, INT_MAX);
}

/* Out of line, because it runs only when the event is late and the first polls should stay short. */
static __attribute__((noinline)) bool wait_long(struct bn_event *event, uint32_t value,
                                                const struct bn_wait_policy *policy, int64_t timeout_ns)
{
    struct bn_yields yields = {0, 0};
    do {
        if (bn_event_has_reached(event, value))
            return true;
    } while (bn_wait_may_yield(&yields, policy));
    bool has_reached = false;
    bool has_slept = false;
    __atomic_fetch_add(&event->sleepers, 1, __ATOMIC_SEQ_CST); /* W1 */
    for (;;) {
        uint32_t seen = __atomic_load_n(&event->value, __ATOMIC_SEQ_CST); /* W2 */
        has_reached = (int32_t)(seen - value) >= 0;
        if (has_reached || (has_slept && timeout_ns != BN_FUTEX_FOREVER))
            break;
        bn_wait_sleep(&event->value, seen, timeout_ns); /* W3 */
        has_slept = true;
    }
    __atomic_fetch_sub(&event->sleepers, 1, __ATOMIC_SEQ_CST); /* W4 */
    return has_reached;
}

static bool spin(struct bn_event *event, uint32_t value, const struct bn_wait_policy *policy)
{
    for (uint32_t i = 0; i < policy->spin_count || policy->spin_count == UINT32_MAX; i++) {
        if (bn_event_has_reached(event, value))
            return true;
        bn_wait_spin(i);
    }
    return bn_event_has_reached(event, value);
}

bool bn_event_wait_for(struct bn_event *event, uint32_t value, const struct bn_wait_policy *policy, int64_t timeout_ns)
{
    return spin(event, value, policy) || wait_long(event, value, policy, timeout_ns);
}

void bn_event_wait(struct bn_event *event, uint32_t value, const struct bn_wait_policy *policy)
{
    bn_event_wait_for(event, value, policy, BN_FUTEX_FOREVER);
}

void bn_wait_step(uint32_t *step, const struct bn_wait_policy *policy)
{
    if ((*step)++ < policy->spin_count)
        bn_cpu_pause();
    else
        bn_cpu_yield();
}
