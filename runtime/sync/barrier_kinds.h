/*
 * barrier_kinds.h: internal declarations shared by the barrier's source files.
 */
#ifndef BN_SYNC_BARRIER_KINDS_H
#define BN_SYNC_BARRIER_KINDS_H

#include "sync/barrier.h"

enum { VALUE_GIVEN_SHIFT = 63, VALUE_THREAD_SHIFT = 32, VALUE_THREAD_MASK = 0x7fffffff, PAIR_THREADS = 2 };

/*
 *  line 0    line 1                  line 2        line 3      lines 4, 5               lines 6, 7
 *  +-------+ +---------------------+ +-----------+ +---------+ +----------------------+ +----------------------+
 *  | fixed | | arrivals, consensus | | released, | | its     | | thread 0 of a pair,  | | thread 1 of a pair,  |
 *  |       | |                     | | consensus | | sleepers| | two values; sleepers | | two values; sleepers |
 *  +-------+ +---------------------+ +-----------+ +---------+ +----------------------+ +----------------------+
 */
struct bn_barrier {
    int thread_count;
    struct bn_wait_policy policy;
    uint64_t abandoned; /* (given, thread, last phase) of the thread that ended earliest */

    struct {
        uint32_t arrivals;
        uint64_t consensus;
    } count __attribute__((aligned(BN_LINE_BYTES)));

    struct bn_event released;           /* payload: the consensus of the phase */
    struct bn_event pair[PAIR_THREADS]; /* payload: the values of even and odd phases */
};

_Static_assert(offsetof(struct bn_barrier, released) == 2 * BN_LINE_BYTES, "line 2");
_Static_assert(sizeof(struct bn_barrier) == 8 * BN_LINE_BYTES, "eight lines");

/*
 * Shared state of the other kinds for each thread
 *
 *     dissemination   progress: (phase, rounds done); payload, by parity of the phase: consensus of those that the
 *                     thread knows about, and whether it has only notified so far
 *     tree            the group that counts here, if any
 */
struct bn_barrier_lines {
    struct bn_event progress;

    struct {
        uint32_t arrivals;
        uint64_t consensus;
    } count __attribute__((aligned(BN_LINE_BYTES)));

    struct bn_event released; /* payload: the consensus of the phase */
};

/* ---- Values: (given, thread, value) in one word; 0: none ---- */

static inline uint64_t bn_barrier_pack(int thread, uint32_t number)
{
    return UINT64_C(1) << VALUE_GIVEN_SHIFT | (uint64_t)thread << VALUE_THREAD_SHIFT | number;
}

static inline bool bn_barrier_is_given(uint64_t packed)
{
    return packed >> VALUE_GIVEN_SHIFT;
}

static inline int bn_barrier_packed_thread(uint64_t packed)
{
    return (int)(packed >> VALUE_THREAD_SHIFT & VALUE_THREAD_MASK);
}

/* Picks the value of the lower thread, so that all threads find the same consensus, in whatever order they learn
 * values. */
static inline uint64_t bn_barrier_merge(uint64_t one, uint64_t other)
{
    bool is_other_first = bn_barrier_is_given(other) && other < one;
    return !bn_barrier_is_given(one) || is_other_first ? other : one;
}

/* The phase of the current kind */
static inline uint32_t bn_barrier_phase(const struct bn_barrier_member *member)
{
    return member->phase_of_kind[member->kind];
}

/* Waits until the event has reached value; returns false if a thread that this phase needs has ended. */
bool bn_barrier_await_or_end(struct bn_barrier *barrier, const struct bn_barrier_member *member, struct bn_event *event,
                             uint32_t value, int *ended_thread_p);
static inline bool bn_barrier_await(struct bn_barrier *barrier, const struct bn_barrier_member *member,
                                    struct bn_event *event, uint32_t value, int *ended_thread_p)
{
    return bn_event_has_reached(event, value) || bn_barrier_await_or_end(barrier, member, event, value, ended_thread_p);
}

/* is_split: the thread may do something else before it waits. */
void bn_barrier_notify_dissemination(const struct bn_barrier_member *member, uint64_t packed, bool is_split);
bool bn_barrier_wait_dissemination(struct bn_barrier *barrier, const struct bn_barrier_member *member,
                                   uint64_t *consensus_p, int *ended_thread_p);

/* Whether a thread has notified this phase */
bool bn_barrier_has_notified_dissemination(const struct bn_barrier_member *member, int thread);

void bn_barrier_notify_tree(const struct bn_barrier_member *member, uint64_t packed);
bool bn_barrier_wait_tree(struct bn_barrier *barrier, const struct bn_barrier_member *member, uint64_t *consensus_p,
                          int *ended_thread_p);

/* Whether the last thread has begun to release the others */
bool bn_barrier_is_complete_tree(const struct bn_barrier_member *member);

/* Like bn_barrier_skip_to, for the lines of a thread. */
void bn_barrier_skip_lines_to(const struct bn_barrier_member *member, uint32_t phase);

#endif
