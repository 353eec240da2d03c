/*
 * The idea: like the central barrier, but each group of threads counts in a word of its own, so that the word's cache
 * line moves only among neighbours; the last thread of a group counts for the whole group in the word of the next outer
 * group.  All of this happens in notifies, so no thread depends on others entering their waits.  The last thread of all
 * notifies each group, which waits on a line of its own.
 *
 * As in the central barrier, the words are clean before any thread can notify the next phase: to do so it must have
 * been released from this one, and the thread that releases others has finished counting.
 */
#include "sync/barrier_kinds.h"

static void add_value(uint64_t *consensus, uint64_t packed)
{
    uint64_t seen = __atomic_load_n(consensus, __ATOMIC_RELAXED);
    while (bn_barrier_merge(seen, packed) != seen &&
           !__atomic_compare_exchange_n(consensus, &seen, packed, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    }
}

void bn_barrier_notify_tree(const struct bn_barrier_member *member, uint64_t packed)
{
    const struct bn_barrier_tree *tree = &member->tree;
    uint32_t phase = bn_barrier_phase(member);
    uint64_t consensus = packed;
    for (int i = 0; i < tree->path_length; i++) {
        const struct bn_barrier_group *group = &tree->path[i];
        struct bn_barrier_lines *lines = &member->lines[group->line];
        if (bn_barrier_is_given(consensus))
            add_value(&lines->count.consensus, consensus);
        if (__atomic_add_fetch(&lines->count.arrivals, 1, __ATOMIC_SEQ_CST) != phase * group->input_count)
            return;
        consensus = __atomic_load_n(&lines->count.consensus, __ATOMIC_RELAXED);
        __atomic_store_n(&lines->count.consensus, 0, __ATOMIC_RELAXED);
    }
    for (int i = 0; i < tree->line_count; i++) {
        struct bn_event *released = &member->lines[tree->lines[i]].released;
        released->payload[0] = consensus;
        bn_event_publish(released, phase);
    }
}

bool bn_barrier_wait_tree(struct bn_barrier *barrier, const struct bn_barrier_member *member, uint64_t *consensus_p,
                          int *ended_thread_p)
{
    const struct bn_barrier_tree *tree = &member->tree;
    if (tree->path_length == 0) {
        *consensus_p = member->notified.given ? bn_barrier_pack(member->thread, (uint32_t)member->notified.value) : 0;
        return true;
    }
    struct bn_event *released = &member->lines[tree->path[0].line].released;
    if (!bn_barrier_await(barrier, member, released, bn_barrier_phase(member), ended_thread_p))
        return false;
    *consensus_p = released->payload[0];
    return true;
}

bool bn_barrier_is_complete_tree(const struct bn_barrier_member *member)
{
    for (int i = 0; i < member->tree.line_count; i++) {
        if (bn_event_has_reached(&member->lines[member->tree.lines[i]].released, bn_barrier_phase(member)))
            return true;
    }
    return false;
}
