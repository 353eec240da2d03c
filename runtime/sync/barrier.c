/*
 * The idea: arrivals are counted in one word, and whoever comes last publishes the phase as an event.  A thread that
 * waits looks at one line, however many threads there are, so with more threads than cores a look costs nothing beside
 * the context switch it follows.  Two threads on two cores do better by telling each other directly: each has a flag in
 * a line of its own, and the hand-offs of both directions overlap: 178 ns against 290 of the counter,
 * where two bare flags take 200 (docs/tuning/waiting.md).
 *
 * Nothing is ever reset: arrivals and phases only grow, modulo 2^32.  Phase p (1, 2, ...) is complete at p *
 * thread_count arrivals.
 *
 * Values: the first thread that gives one in a phase puts it into count.consensus, as (given, thread, value) in one
 * word. The last thread to arrive moves that word to the line of the event and empties it for the next phase, which
 * nobody can have begun.  Nobody can still be reading the word of the phase before, either: all threads have notified
 * since.  In the wait each thread compares its values with the word.
 *
 * A pair has no consensus word; each side reads the other's.  There a thread may notify phase p + 1 while the other
 * still is in the wait of p and about to read, so there are two words, used in turn.
 *
 * tests/models/barrier.pml checks the steps that are named here:
 *
 *     N1  give a value: consensus, if it is empty      X1  own word of the phase = value
 *     N2  arrivals += 1; the last one goes on          X2  publish the phase to the other
 *     N3  released.payload = consensus
 *     N4  consensus = empty                            C1  wait for the phase
 *     N5  publish the phase                            C2  compare values with the word
 */
#include "sync/barrier.h"

enum {
    VALUE_GIVEN_SHIFT = 63,
    VALUE_THREAD_SHIFT = 32,
    VALUE_THREAD_MASK = 0x7fffffff,
    PAIR_THREADS = 2,
    /* How often a sleeper looks whether a thread has ended, in case it missed being told */
    ABANDON_CHECK_NS = 500000000,
};

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

size_t bn_barrier_size_bytes(void)
{
    return sizeof(struct bn_barrier);
}

void bn_barrier_init(struct bn_barrier *barrier, int thread_count, struct bn_wait_policy policy)
{
    *barrier = (struct bn_barrier){.thread_count = thread_count, .policy = policy};
}

struct bn_barrier_member bn_barrier_join(int thread)
{
    return (struct bn_barrier_member){.thread = thread};
}

static uint64_t pack(int thread, uint32_t number)
{
    return UINT64_C(1) << VALUE_GIVEN_SHIFT | (uint64_t)thread << VALUE_THREAD_SHIFT | number;
}

static bool is_given(uint64_t packed)
{
    return packed >> VALUE_GIVEN_SHIFT;
}

static int packed_thread(uint64_t packed)
{
    return (int)(packed >> VALUE_THREAD_SHIFT & VALUE_THREAD_MASK);
}

static void notify_pair(struct bn_barrier *barrier, const struct bn_barrier_member *member, uint64_t packed)
{
    struct bn_event *mine = &barrier->pair[member->thread];
    mine->payload[member->phase % 2] = packed; /* X1 */
    bn_event_publish(mine, member->phase);     /* X2 */
}

static void notify_all(struct bn_barrier *barrier, const struct bn_barrier_member *member, uint64_t packed)
{
    if (is_given(packed)) {
        uint64_t none = 0;
        __atomic_compare_exchange_n(&barrier->count.consensus, &none, packed, false, __ATOMIC_RELAXED,
                                    __ATOMIC_RELAXED); /* N1 */
    }
    /* N2.  All arrivals are read-modify-writes of one word, so the last one sees what went before each of them. */
    if (__atomic_add_fetch(&barrier->count.arrivals, 1, __ATOMIC_SEQ_CST) != member->arrival_target)
        return;
    barrier->released.payload[0] = __atomic_load_n(&barrier->count.consensus, __ATOMIC_RELAXED); /* N3 */
    __atomic_store_n(&barrier->count.consensus, 0, __ATOMIC_RELAXED);                            /* N4 */
    bn_event_publish(&barrier->released, member->phase);                                         /* N5 */
}

enum bn_barrier_result bn_barrier_notify(struct bn_barrier *barrier, struct bn_barrier_member *member,
                                         struct bn_barrier_value value)
{
    if (member->has_notified)
        return BN_BARRIER_NOTIFIED_TWICE;
    member->has_notified = true;
    member->notified = value;
    member->phase++;
    member->arrival_target += (uint32_t)barrier->thread_count;
    uint64_t packed = value.given ? pack(member->thread, (uint32_t)value.value) : 0;
    if (barrier->thread_count == PAIR_THREADS)
        notify_pair(barrier, member, packed);
    else
        notify_all(barrier, member, packed);
    return BN_BARRIER_OK;
}

/* The event that ends the wait of a member */
static struct bn_event *awaited_event(struct bn_barrier *barrier, const struct bn_barrier_member *member)
{
    return barrier->thread_count == PAIR_THREADS ? &barrier->pair[1 - member->thread] : &barrier->released;
}

/* Whether a thread has ended that would have to take part in this phase */
static bool is_abandoned(const struct bn_barrier *barrier, uint32_t phase, int *thread_p)
{
    uint64_t abandoned = __atomic_load_n(&barrier->abandoned, __ATOMIC_ACQUIRE);
    if (!is_given(abandoned) || (int32_t)(phase - (uint32_t)abandoned) <= 0)
        return false;
    *thread_p = packed_thread(abandoned);
    return true;
}

static enum bn_barrier_result check_values(const struct bn_barrier_member *member, struct bn_barrier_value value,
                                           uint64_t other, struct bn_barrier_conflict *conflict_p)
{
    int other_value = (int)(uint32_t)other;
    if (is_given(other)) {
        conflict_p->other_thread = packed_thread(other);
        conflict_p->other_value = other_value;
        if (member->notified.given && member->notified.value != other_value) {
            conflict_p->own_value = member->notified.value;
            return BN_BARRIER_NOTIFY_MISMATCH;
        }
    } else if (member->notified.given) {
        conflict_p->other_thread = member->thread;
        conflict_p->other_value = other_value = member->notified.value;
    } else {
        return BN_BARRIER_OK;
    }
    if (value.given && value.value != other_value) {
        conflict_p->own_value = value.value;
        return BN_BARRIER_WAIT_MISMATCH;
    }
    return BN_BARRIER_OK;
}

enum bn_barrier_result bn_barrier_wait(struct bn_barrier *barrier, struct bn_barrier_member *member,
                                       struct bn_barrier_value value, struct bn_barrier_conflict *conflict_p)
{
    static const struct bn_wait_policy sleep_at_once = {.yield_count = 0};
    if (!member->has_notified)
        return BN_BARRIER_NOT_NOTIFIED;
    struct bn_event *event = awaited_event(barrier, member);
    const struct bn_wait_policy *policy = &barrier->policy;
    if (!bn_event_has_reached(event, member->phase) &&
        is_abandoned(barrier, member->phase, &conflict_p->other_thread))
        return BN_BARRIER_ABANDONED;
    while (!bn_event_wait_for(event, member->phase, policy, ABANDON_CHECK_NS)) { /* C1 */
        if (is_abandoned(barrier, member->phase, &conflict_p->other_thread))
            return BN_BARRIER_ABANDONED;
        policy = &sleep_at_once;
    }
    member->has_notified = false;
    uint64_t other = event->payload[barrier->thread_count == PAIR_THREADS ? member->phase % 2 : 0];
    if (!is_given(other) && !value.given)
        return BN_BARRIER_OK;
    return check_values(member, value, other, conflict_p); /* C2 */
}

enum bn_barrier_result bn_barrier_cross(struct bn_barrier *barrier, struct bn_barrier_member *member,
                                        struct bn_barrier_value value, struct bn_barrier_conflict *conflict_p)
{
    enum bn_barrier_result result = bn_barrier_notify(barrier, member, value);
    return result == BN_BARRIER_OK ? bn_barrier_wait(barrier, member, value, conflict_p) : result;
}

void bn_barrier_pass(struct bn_barrier *barrier, struct bn_barrier_member *member)
{
    static const struct bn_barrier_value none = {false, 0};
    struct bn_barrier_conflict conflict;
    bn_barrier_cross(barrier, member, none, &conflict);
}

void bn_barrier_abandon(struct bn_barrier *barrier, const struct bn_barrier_member *member)
{
    uint64_t mine = pack(member->thread, member->phase);
    uint64_t earliest = __atomic_load_n(&barrier->abandoned, __ATOMIC_RELAXED);
    while (!is_given(earliest) || (int32_t)((uint32_t)mine - (uint32_t)earliest) < 0) {
        if (__atomic_compare_exchange_n(&barrier->abandoned, &earliest, mine, false, __ATOMIC_ACQ_REL,
                                        __ATOMIC_RELAXED))
            break;
    }
    bn_event_wake_all(&barrier->released);
    for (int i = 0; i < PAIR_THREADS; i++)
        bn_event_wake_all(&barrier->pair[i]);
}

void bn_barrier_skip_to(struct bn_barrier *barrier, struct bn_barrier_member *members, uint32_t phase)
{
    uint32_t arrivals = phase * (uint32_t)barrier->thread_count;
    barrier->count.arrivals = arrivals;
    barrier->released.value = phase;
    for (int i = 0; i < PAIR_THREADS; i++)
        barrier->pair[i].value = phase;
    for (int thread = 0; thread < barrier->thread_count; thread++) {
        members[thread].phase = phase;
        members[thread].arrival_target = arrivals;
    }
}
