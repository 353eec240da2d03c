/*
 * The idea: in round k a thread polls the one 2^k before it, which has polled k times by then and so knows about 2^k
 * threads.  No line has more than log2(threads) readers, and no single thread has to arrive last and release the
 * others.
 *
 * If the program splits the barrier, a thread's notify polls no other thread; that happens in its wait, which may
 * depend on other threads leaving theirs.  The thread publishes that it has only notified, and threads that would rely
 * on its knowledge instead poll all the threads that it stands for.
 *
 * A thread may be in its wait of phase p while another one has notified p + 1, but not p + 2, for which all threads
 * must have left the wait of p.  So each thread publishes in two places, used alternately.
 */
#include "sync/barrier_kinds.h"

enum { ROUND_BITS = 5, SPLIT_PLACES = 2 };

static uint32_t number_of(uint32_t phase, int round)
{
    return phase << ROUND_BITS | (uint32_t)round;
}

static uint64_t *place_of_value(struct bn_event *progress, uint32_t phase)
{
    return &progress->payload[phase % 2];
}

static uint64_t *place_of_split(struct bn_event *progress, uint32_t phase)
{
    return &progress->payload[SPLIT_PLACES + phase % 2];
}

static void say(struct bn_event *progress, uint32_t phase, int round, uint64_t consensus)
{
    __atomic_store_n(place_of_value(progress, phase), consensus, __ATOMIC_RELAXED);
    bn_event_publish(progress, number_of(phase, round));
}

void bn_barrier_notify_dissemination(const struct bn_barrier_member *member, uint64_t packed, bool is_split)
{
    struct bn_event *mine = &member->lines[member->thread].progress;
    uint32_t phase = bn_barrier_phase(member);
    *place_of_split(mine, phase) = is_split;
    say(mine, phase, 0, packed);
}

/* Waits until a thread has reached a round, and merges its consensus. */
static bool hear(struct bn_barrier *barrier, const struct bn_barrier_member *member, int thread, int round,
                 uint64_t *consensus_p, int *ended_thread_p)
{
    struct bn_event *theirs = &member->lines[thread].progress;
    uint32_t phase = bn_barrier_phase(member);
    if (!bn_barrier_await(barrier, member, theirs, number_of(phase, round), ended_thread_p))
        return false;
    *consensus_p = bn_barrier_merge(*consensus_p, __atomic_load_n(place_of_value(theirs, phase), __ATOMIC_RELAXED));
    return true;
}

/* Learns about the 2^round threads up to partner: from partner itself, or from each of them if it has only notified. */
static bool learn(struct bn_barrier *barrier, const struct bn_barrier_member *member, int partner, int round,
                  uint64_t *consensus_p, int *ended_thread_p)
{
    struct bn_event *theirs = &member->lines[partner].progress;
    uint32_t phase = bn_barrier_phase(member);
    if (!bn_event_has_reached(theirs, number_of(phase, round)) &&
        !bn_barrier_await(barrier, member, theirs, number_of(phase, 0), ended_thread_p))
        return false;
    if (!*place_of_split(theirs, phase))
        return hear(barrier, member, partner, round, consensus_p, ended_thread_p);
    for (int i = 0; i < 1 << round; i++) {
        int thread = (partner - i + barrier->thread_count) % barrier->thread_count;
        if (!hear(barrier, member, thread, 0, consensus_p, ended_thread_p))
            return false;
    }
    return true;
}

bool bn_barrier_wait_dissemination(struct bn_barrier *barrier, const struct bn_barrier_member *member,
                                   uint64_t *consensus_p, int *ended_thread_p)
{
    struct bn_event *mine = &member->lines[member->thread].progress;
    uint32_t phase = bn_barrier_phase(member);
    bool is_split = *place_of_split(mine, phase);
    *consensus_p = __atomic_load_n(place_of_value(mine, phase), __ATOMIC_RELAXED);
    for (int round = 0; 1 << round < barrier->thread_count; round++) {
        int distance = 1 << round;
        int partner = (member->thread - distance + barrier->thread_count) % barrier->thread_count;
        bool is_last = 2 << round >= barrier->thread_count;
        if (!learn(barrier, member, partner, round, consensus_p, ended_thread_p))
            return false;
        if (!is_split && !is_last)
            say(mine, phase, round + 1, *consensus_p);
    }
    return true;
}

bool bn_barrier_has_notified_dissemination(const struct bn_barrier_member *member, int thread)
{
    return bn_event_has_reached(&member->lines[thread].progress, number_of(bn_barrier_phase(member), 0));
}

void bn_barrier_skip_lines_to(const struct bn_barrier_member *member, uint32_t phase)
{
    struct bn_barrier_lines *mine = &member->lines[member->thread];
    mine->progress.value = number_of(phase, 0);
    mine->released.value = phase;
    for (int i = 0; i < member->tree.path_length; i++) {
        const struct bn_barrier_group *group = &member->tree.path[i];
        member->lines[group->line].count.arrivals = phase * group->input_count;
    }
}
