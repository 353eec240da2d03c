/*
 * barrier.h: the split-phase barrier, with and without values.
 *
 * The barrier itself lies in memory that all threads share; each thread keeps its own state in a struct
 * bn_barrier_member.  A thread notifies, then waits; the wait ends when every thread has notified.
 *
 * Values: all values passed to the notifies of a phase must agree, and each value passed to a wait must equal them.  A
 * notify without a value agrees with any.  Whether there is a value is a separate flag; every int is a valid value.
 *
 * There are several kinds of barrier, which differ in which thread polls whose cache lines.  All have the same
 * semantics; in all of them, once a thread has notified, others can complete their waits before it begins its own:
 *
 *     central         all count in one word, and the last one notifies all.  Two threads notify each other.
 *     dissemination   in round k a thread polls the one 2^k before it, and then knows about 2^(k+1) threads
 *     tree            threads count in one word for each group; the last one in a group counts in the next outer
 *                     group, and the last one of all notifies each group
 */
#ifndef BN_SYNC_BARRIER_H
#define BN_SYNC_BARRIER_H

#include "sync/wait.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The value that a thread passes to notify or wait */
struct bn_barrier_value {
    bool given;
    int value;
};

enum bn_barrier_result {
    BN_BARRIER_OK = 0,
    BN_BARRIER_NOT_NOTIFIED,    /* wait without a notify before it */
    BN_BARRIER_NOTIFIED_TWICE,  /* notify after a notify without a wait between them */
    BN_BARRIER_NOTIFY_MISMATCH, /* this thread's notify value differs from that of other_thread */
    BN_BARRIER_WAIT_MISMATCH,   /* this thread's wait value differs from the notify value of other_thread */
    BN_BARRIER_ABANDONED,       /* other_thread has ended, or is absent: it will never notify this phase */
};

/* The other side of a mismatch; written with the results that name it */
struct bn_barrier_conflict {
    int other_thread;
    int other_value;
    int own_value;
};

enum bn_barrier_kind { BN_BARRIER_CENTRAL, BN_BARRIER_DISSEMINATION, BN_BARRIER_TREE, BN_BARRIER_KIND_COUNT };

/* Shared state of the kinds other than central, one struct for each thread; all zero is a valid initial state */
struct bn_barrier_lines;

/* A group that joins several inputs: threads, or inner groups, whose last thread continues to this group */
struct bn_barrier_group {
    uint32_t line; /* the thread in whose lines the group counts; a thread has at most one group */
    uint32_t input_count;
};

/* The groups of a tree.  The lists belong to the caller and must live as long as the barrier.  All threads see the same
 * groups. */
struct bn_barrier_tree {
    const struct bn_barrier_group *path; /* the groups of this thread, from the innermost to the one of all threads */
    int path_length;                     /* 0: this thread is alone */
    const uint32_t *lines;               /* lines of all groups at which threads wait, that is, which have threads as
                                          * direct inputs */
    int line_count;
};

/* A thread's state in a barrier; private to the thread. */
struct bn_barrier_member {
    uint32_t phase;                                /* phases notified so far, modulo 2^32 */
    uint32_t phase_of_kind[BN_BARRIER_KIND_COUNT]; /* phases notified with each kind, modulo 2^32 */
    uint32_t arrival_target;                       /* central: arrivals at which the phase is complete, modulo 2^32 */
    enum bn_barrier_kind kind;                     /* kind of the next notify */
    struct bn_barrier_lines *lines;                /* null while only the central kind is used */
    struct bn_barrier_tree tree;
    bool has_notified;                /* true between notify and wait */
    struct bn_barrier_value notified; /* the value passed to notify */
    int thread;
    /* For threads that may do something else instead of notifying; null, or both set (bn_barrier_watch) */
    bool (*is_ahead)(const void *context, int thread);
    void (*waits_long)(const void *context, bool waits);
    const void *context;
};

struct bn_barrier; /* lies in shared memory */

/** Bytes of shared memory that a barrier takes, aligned to BN_LINE_BYTES. */
size_t bn_barrier_size_bytes(void);

/** Makes a barrier in memory that all threads will see; called once, before any thread uses it. */
void bn_barrier_init(struct bn_barrier *barrier, int thread_count, struct bn_wait_policy policy);

/** The initial state of thread (0 .. thread_count-1) in a barrier. */
struct bn_barrier_member bn_barrier_join(int thread);

/** Bytes of shared memory for the lines of all threads; the memory must be aligned to BN_LINE_BYTES and zeroed. */
size_t bn_barrier_lines_bytes(int thread_count);

/** Gives a member the state that kinds other than central need.  tree may be null if that kind is not used. */
void bn_barrier_extend(struct bn_barrier_member *member, struct bn_barrier_lines *lines,
                       const struct bn_barrier_tree *tree);

/** Sets the kind of barrier from now on.  All threads must make the same choice between the same phases, not between
 * notify and wait; kinds other than central need bn_barrier_extend first. */
void bn_barrier_choose(struct bn_barrier_member *member, enum bn_barrier_kind kind);

/** Makes this member look around when it has waited for long.  is_ahead says whether a thread has been seen at a place
 * that it may reach only behind the current phase: if it has not passed this phase, the wait ends with
 * BN_BARRIER_ABANDONED.  waits_long is called before (true), and again if the phase completes after all (false). */
static inline void bn_barrier_watch(struct bn_barrier_member *member, bool (*is_ahead)(const void *context, int thread),
                                    void (*waits_long)(const void *context, bool waits), const void *context)
{
    member->is_ahead = is_ahead;
    member->waits_long = waits_long;
    member->context = context;
}

/** All earlier accesses of this thread are visible to every thread after that thread's wait.  Does not block. @errors
 * BN_BARRIER_NOTIFIED_TWICE (nothing was done).  A mismatch is reported by the wait. */
enum bn_barrier_result bn_barrier_notify(struct bn_barrier *barrier, struct bn_barrier_member *member,
                                         struct bn_barrier_value value);

/** Blocks until all threads have notified.  @errors BN_BARRIER_NOT_NOTIFIED (nothing was done), _NOTIFY_MISMATCH,
 *  _WAIT_MISMATCH (the phase is complete; conflict_p is written), _ABANDONED (other_thread is written). */
enum bn_barrier_result bn_barrier_wait(struct bn_barrier *barrier, struct bn_barrier_member *member,
                                       struct bn_barrier_value value, struct bn_barrier_conflict *conflict_p);

/** bn_barrier_notify and bn_barrier_wait in one call, both with value; a little faster than two calls. @errors Those of
 * both. */
enum bn_barrier_result bn_barrier_cross(struct bn_barrier *barrier, struct bn_barrier_member *member,
                                        struct bn_barrier_value value, struct bn_barrier_conflict *conflict_p);

/** bn_barrier_cross without a value, for the runtime's own barriers, which no thread abandons. */
static inline void bn_barrier_pass(struct bn_barrier *barrier, struct bn_barrier_member *member)
{
    const struct bn_barrier_value none = {false, 0};
    struct bn_barrier_conflict conflict;
    bn_barrier_cross(barrier, member, none, &conflict);
}

/** This thread will never notify again: threads that wait for it in a later phase get BN_BARRIER_ABANDONED. */
void bn_barrier_abandon(struct bn_barrier *barrier, const struct bn_barrier_member *member);

/** Sets a barrier and all its members to the state after `phase` notifies of each kind; before any thread uses them.
 * For tests of the wrap-around at 2^32. */
void bn_barrier_skip_to(struct bn_barrier *barrier, struct bn_barrier_member *members, uint32_t phase);

#ifdef __cplusplus
}
#endif

#endif
