/*
 * wait.h: the waiting policy that all waits share.
 *
 * A thread that waits for another one waits on an event and lets the policy decide how: it spins briefly, because a
 * hand-off between two running cores takes a fraction of a microsecond; then it yields, because the other thread may
 * need the core; then it sleeps in the kernel, because an idle program must not burn a core.  With more threads than
 * cores spinning only delays the other thread, so there is almost none.
 */
#ifndef BN_SYNC_WAIT_H
#define BN_SYNC_WAIT_H

#include "base/options.h"
#include "platform/cache_line.h"

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How long each step of a wait lasts.  Read-only after bn_wait_policy_make. */
struct bn_wait_policy {
    uint32_t spin_count;  /* polls of the event, separated by cpu pauses, before the first yield */
    uint32_t yield_count; /* yields before the first sleep */
};

/*
 * Progress function for a library below or for another process, called while a thread waits: every
 * BN_WAIT_PROGRESS_LOOKS spins, at every yield, and every BN_WAIT_PROGRESS_NS of a sleep.  Null: none.  Must be set
 * before the first wait, and must not wait on events itself.
 */
extern void (*bn_wait_progress)(void);
/* Where a sleeping thread stores the address of the word that it sleeps on (0 while awake), so that another process
 * that needs it to make progress can wake it; null: not stored.  If several threads sleep, the last one's address is
 * stored, also when another one wakes before it, unless both sleep on the same word: then 0, until the slice of sleep
 * (BN_WAIT_PROGRESS_NS) of the one that sleeps on ends.  Set together with bn_wait_progress. */
extern uint64_t *bn_wait_bed;
enum { BN_WAIT_PROGRESS_LOOKS = 64, BN_WAIT_PROGRESS_NS = 1000000 };

/**
 * The policy for thread_count threads (of the job, on this node) that share core_count cores (those that this process
 * may actually use, by affinity mask and cgroup quota), or the one that the user chose.
 */
struct bn_wait_policy bn_wait_policy_make(int thread_count, int core_count, enum bn_wait_choice choice);

/* Counts the yields of one wait; initially all zero */
struct bn_yields {
    uint32_t count;
    uint64_t begin_ns; /* time of the first reading of the clock, after the first few yields */
};

/** Yields once more and returns true, or returns false if it is time to sleep: after the policy's number of yields, or
 * where a yield takes long because other threads compute on the core (bn_cpu_yield_unless_crowded).  A sleeping thread
 * is scheduled immediately when it is woken.  While threads make progress (bn_wait_progress), they go on for about 25
 * ms even there. */
bool bn_wait_may_yield(struct bn_yields *yields, const struct bn_wait_policy *policy);

/*
 * A 32-bit sequence number that threads wait for.  It lies in memory that all waiters share and only grows (modulo
 * 2^32; values are compared by the sign of their difference, so a waiter may be at most 2^31 - 1 away from the event).
 * All zero is a valid initial state.  Only one thread at a time may publish.
 *
 * The sleepers are counted in a separate cache line: the publisher reads it each time, and the waiters hardly ever
 * touch it.
 */
struct bn_event {
    uint32_t value;
    uint64_t payload[4]; /* data from the publisher, in the line that waiters read anyway */
    uint32_t sleepers __attribute__((aligned(BN_LINE_BYTES))); /* threads that sleep, or are about to */
} __attribute__((aligned(BN_LINE_BYTES)));

/** Sets the event to value and wakes sleepers.  All earlier accesses happen before the return of the waits that see the
 * value.  @cost One atomic operation; a system call only if a thread sleeps. */
void bn_event_publish(struct bn_event *event, uint32_t value);

/** Like bn_event_publish, but adds 1 to the event.  Any number of threads may ring at the same time. */
void bn_event_ring(struct bn_event *event);

/** The current value of the event; everything done before it was published is visible. */
static inline uint32_t bn_event_value(const struct bn_event *event)
{
    return __atomic_load_n(&event->value, __ATOMIC_ACQUIRE);
}

/** Whether the event has reached value; if so, everything that the publisher did before is visible. */
static inline bool bn_event_has_reached(struct bn_event *event, uint32_t value)
{
    return (int32_t)(__atomic_load_n(&event->value, __ATOMIC_ACQUIRE) - value) >= 0;
}

/** Returns once the event has reached value; everything that the publisher did before is then visible. */
void bn_event_wait(struct bn_event *event, uint32_t value, const struct bn_wait_policy *policy);

/** Like bn_event_wait, but gives up and returns false after it has slept for timeout_ns nanoseconds or was woken
 * without the event having reached value. */
bool bn_event_wait_for(struct bn_event *event, uint32_t value, const struct bn_wait_policy *policy, int64_t timeout_ns);

/** Wakes all threads that sleep on the event without changing it.  Only a hint: a thread that is just falling asleep
 * may miss it, so waiters need a timeout (bn_event_wait_for).  @cost A load if no thread sleeps. */
void bn_event_wake_all(struct bn_event *event);

/* The steps of a wait, for files that implement waits: the i-th spin, a yield, and a sleep like bn_futex_wait.
 */
void bn_wait_spin(uint32_t i);
void bn_wait_yield(void);
void bn_wait_sleep(uint32_t *word, uint32_t expected, int64_t timeout_ns);

/** One step of waiting for something that another thread will do within a few instructions: pauses at first, then
 * yields; never sleeps.  *step counts the steps; start with 0. */
void bn_wait_step(uint32_t *step, const struct bn_wait_policy *policy);

#ifdef __cplusplus
}
#endif

#endif
