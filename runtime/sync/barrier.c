/*
 * The idea: arrivals are counted in one word, and the last thread to arrive publishes the phase as an event.  A waiting
 * thread polls a single cache line, however many threads there are, so with more threads than cores a poll is cheap
 * compared with the context switch before it.  Two threads on two cores are faster if they notify each other directly:
 * each has a flag in a cache line of its own, and the hand-offs of both directions overlap.  This takes 178 ns instead
 * of 290 with the counter; two bare flags take 200 (docs/tuning/waiting.md).
 *
 * Nothing is ever reset: arrivals and phases only grow, modulo 2^32.  Phase p (1, 2, ...) is complete at p *
 * thread_count arrivals.
 *
 * Values: the first thread that gives one in a phase puts it into count.consensus, as (given, thread, value) in one
 * word. The last thread to arrive moves that word to the line of the event and clears it for the next phase, which no
 * thread can have begun.  Nor can a thread still be reading the event's word of the previous phase: all threads have
 * notified since.  In the wait each thread compares its values with the word.
 *
 * A pair has no consensus word; each side reads the other's value.  A thread may notify phase p + 1 while the other is
 * still in the wait of p and about to read, so each side has two words, used alternately.
 *
 * tests/models/barrier.pml checks the steps that are named here:
 *
 *     N1  give a value: consensus, if it is empty      X1  own word of the phase = value
 *     N2  arrivals += 1; the last one continues        X2  publish the phase to the other
 *     N3  released.payload = consensus
 *     N4  consensus = empty                            C1  wait for the phase
 *     N5  publish the phase                            C2  compare values with the word
 */
#include "sync/barrier_kinds.h"

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

size_t bn_barrier_lines_bytes(int thread_count)
{
    return (size_t)thread_count * sizeof(struct bn_barrier_lines);
}

void bn_barrier_extend(struct bn_barrier_member *member, struct bn_barrier_lines *lines,
                       const struct bn_barrier_tree *tree)
{
    member->lines = lines;
    member->tree = tree ? *tree : (struct bn_barrier_tree){.path_length = 0};
}

void bn_barrier_choose(struct bn_barrier_member *member, enum bn_barrier_kind kind)
{
    member->kind = kind;
}

static void notify_pair(struct bn_barrier *barrier, const struct bn_barrier_member *member, uint64_t packed)
{
    struct bn_event *mine = &barrier->pair[member->thread];
    uint32_t phase = bn_barrier_phase(member);
    mine->payload[phase % 2] = packed; /* X1 */
    bn_event_publish(mine, phase);     /* X2 */
}

static void notify_all(struct bn_barrier *barrier, struct bn_barrier_member *member, uint64_t packed)
{
    member->arrival_target += (uint32_t)barrier->thread_count;
    if (bn_barrier_is_given(packed)) {
        uint64_t none = 0;
        __atomic_compare_exchange_n(&barrier->count.consensus, &none, packed, false, __ATOMIC_RELAXED,
                                    __ATOMIC_RELAXED); /* N1 */
    }
    /* N2.  All arrivals are read-modify-writes of one word, so the last thread sees everything that preceded each of
     * them. */
    if (__atomic_add_fetch(&barrier->count.arrivals, 1, __ATOMIC_SEQ_CST) != member->arrival_target)
        return;
    barrier->released.payload[0] = __atomic_load_n(&barrier->count.consensus, __ATOMIC_RELAXED); /* N3 */
    __atomic_store_n(&barrier->count.consensus, 0, __ATOMIC_RELAXED);                            /* N4 */
    bn_event_publish(&barrier->released, bn_barrier_phase(member));                              /* N5 */
}

static enum bn_barrier_result notify(struct bn_barrier *barrier, struct bn_barrier_member *member,
                                     struct bn_barrier_value value, bool is_split)
{
    if (member->has_notified)
        return BN_BARRIER_NOTIFIED_TWICE;
    member->has_notified = true;
    member->notified = value;
    member->phase++;
    member->phase_of_kind[member->kind]++;
    uint64_t packed = value.given ? bn_barrier_pack(member->thread, (uint32_t)value.value) : 0;
    if (__builtin_expect(member->kind == BN_BARRIER_DISSEMINATION, 0))
        bn_barrier_notify_dissemination(member, packed, is_split);
    else if (__builtin_expect(member->kind == BN_BARRIER_TREE, 0))
        bn_barrier_notify_tree(member, packed);
    else if (barrier->thread_count == PAIR_THREADS)
        notify_pair(barrier, member, packed);
    else
        notify_all(barrier, member, packed);
    return BN_BARRIER_OK;
}

enum bn_barrier_result bn_barrier_notify(struct bn_barrier *barrier, struct bn_barrier_member *member,
                                         struct bn_barrier_value value)
{
    return notify(barrier, member, value, true);
}

static enum bn_barrier_result check_values(const struct bn_barrier_member *member, struct bn_barrier_value value,
                                           uint64_t other, struct bn_barrier_conflict *conflict_p)
{
    int other_value = (int)(uint32_t)other;
    if (bn_barrier_is_given(other)) {
        conflict_p->other_thread = bn_barrier_packed_thread(other);
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

/* Waits until the phase is complete, and stores its consensus in *consensus_p. */
static bool await_phase(struct bn_barrier *barrier, const struct bn_barrier_member *member, uint64_t *consensus_p,
                        int *ended_thread_p)
{
    if (__builtin_expect(member->kind == BN_BARRIER_DISSEMINATION, 0))
        return bn_barrier_wait_dissemination(barrier, member, consensus_p, ended_thread_p);
    if (__builtin_expect(member->kind == BN_BARRIER_TREE, 0))
        return bn_barrier_wait_tree(barrier, member, consensus_p, ended_thread_p);
    bool is_pair = barrier->thread_count == PAIR_THREADS;
    uint32_t phase = bn_barrier_phase(member);
    struct bn_event *event = is_pair ? &barrier->pair[1 - member->thread] : &barrier->released;
    if (!bn_barrier_await(barrier, member, event, phase, ended_thread_p)) /* C1 */
        return false;
    *consensus_p = event->payload[is_pair ? phase % 2 : 0];
    return true;
}

enum bn_barrier_result bn_barrier_wait(struct bn_barrier *barrier, struct bn_barrier_member *member,
                                       struct bn_barrier_value value, struct bn_barrier_conflict *conflict_p)
{
    uint64_t other;
    if (!member->has_notified)
        return BN_BARRIER_NOT_NOTIFIED;
    if (!await_phase(barrier, member, &other, &conflict_p->other_thread))
        return BN_BARRIER_ABANDONED;
    member->has_notified = false;
    if (!bn_barrier_is_given(other) && !value.given)
        return BN_BARRIER_OK;
    return check_values(member, value, other, conflict_p); /* C2 */
}

enum bn_barrier_result bn_barrier_cross(struct bn_barrier *barrier, struct bn_barrier_member *member,
                                        struct bn_barrier_value value, struct bn_barrier_conflict *conflict_p)
{
    enum bn_barrier_result result = notify(barrier, member, value, false);
    return result == BN_BARRIER_OK ? bn_barrier_wait(barrier, member, value, conflict_p) : result;
}

void bn_barrier_abandon(struct bn_barrier *barrier, const struct bn_barrier_member *member)
{
    uint64_t mine = bn_barrier_pack(member->thread, member->phase);
    uint64_t earliest = __atomic_load_n(&barrier->abandoned, __ATOMIC_RELAXED);
    while (!bn_barrier_is_given(earliest) || (int32_t)((uint32_t)mine - (uint32_t)earliest) < 0) {
        if (__atomic_compare_exchange_n(&barrier->abandoned, &earliest, mine, false, __ATOMIC_ACQ_REL,
                                        __ATOMIC_RELAXED))
            break;
    }
    bn_event_wake_all(&barrier->released);
    for (int i = 0; i < PAIR_THREADS; i++)
        bn_event_wake_all(&barrier->pair[i]);
    for (int thread = 0; member->lines && thread < barrier->thread_count; thread++) {
        bn_event_wake_all(&member->lines[thread].progress);
        bn_event_wake_all(&member->lines[thread].released);
    }
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
        for (int kind = 0; kind < BN_BARRIER_KIND_COUNT; kind++)
            members[thread].phase_of_kind[kind] = phase;
        if (members[thread].lines)
            bn_barrier_skip_lines_to(&members[thread], phase);
        members[thread].arrival_target = arrivals;
    }
}
