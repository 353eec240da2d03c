/*
 * barrier.h: the split-phase barrier, with and without values.
 *
 * The barrier itself lies in memory that all threads share; each thread keeps its own state in a struct
 * bn_barrier_member.  A thread notifies, then waits; the wait ends when every thread has notified.
 *
 * Values: all values passed to the notifies of a phase must agree, and each value passed to a wait must equal them.  A
 * notify without a value agrees with any.  Whether there is a value is a separate flag; every int is a valid value.
 *
 * There are several kinds of barrier, which differ in which thread looks at whose cache lines.  All have the same
 * meaning, and in all of them other threads can leave their waits before a thread that has notified comes to its own:
 *
 *     central         all count in one word, and the last one tells all.  Two threads tell each other.
 *     dissemination   in round k a thread looks at the one 2^k before it, and knows then of 2^(k+1) threads
 *     tree            threads count in one word for each group; the last one in a group counts in the next outer
 *                     group, and the last one of all tells each group
 */
#ifndef BN_SYNC_BARRIER_H
#define BN_SYNC_BARRIER_H

#include "sync/wait.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a thread says at notify or wait */
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

/* What kinds other than central share: one struct for each thread; all zero is a valid initial state */
struct bn_barrier_lines;

/* A group in which several inputs meet: threads, or groups whose last thread goes on */
struct bn_barrier_group {
    uint32_t line; /* the thread whose lines the group counts in; each has one group at most */
    uint32_t input_count;
};

/* The groups of a tree; lists belong to the caller, and last as long as the barrier.  All threads see the same
 * groups. */
struct bn_barrier_tree {
    const struct bn_barrier_group *path; /* of this thread: from the innermost to that of all threads */
    int path_length;                     /* 0: this thread is alone */
    const uint32_t *lines;               /* of all groups that threads wait at: those they are direct inputs of */
    int line_count;
};

/* A thread's place in a barrier: private to the thread. */
struct bn_barrier_member {
    uint32_t phase;                                /* phases notified so far, modulo 2^32 */
    uint32_t phase_of_kind[BN_BARRIER_KIND_COUNT]; /* those of each kind, modulo 2^32 */
    uint32_t arrival_target;                       /* central: arrivals at which the phase is complete, modulo 2^32 */
    enum bn_barrier_kind kind;                     /* of the next notify */
    struct bn_barrier_lines *lines;                /* null while only central ones are used */
    struct bn_barrier_tree tree;
    bool has_notified;                /* between notify and wait */
    struct bn_barrier_value notified; /* what notify said */
    int thread;
    /* Asked by a member that has waited for long: a thread that has been seen where it does not come from before the
     * barrier is complete; -1: none has.  Null: nobody is asked. */
    int (*find_absent)(const void *context);
    const void *context;
};

struct bn_barrier; /* lies in shared memory */

/** Bytes of shared memory that a barrier takes; to be aligned to BN_LINE_BYTES. */
size_t bn_barrier_size_bytes(void);

/** Makes a barrier in memory that all threads will see; called once, before any thread uses it. */
void bn_barrier_init(struct bn_barrier *barrier, int thread_count, struct bn_wait_policy policy);

/** The place of thread (0 .. thread_count-1) in a barrier. */
struct bn_barrier_member bn_barrier_join(int thread);

/** Bytes of shared memory for the lines of all threads; to be aligned to BN_LINE_BYTES, zeroed. */
size_t bn_barrier_lines_bytes(int thread_count);

/** Gives a member what kinds other than central need.  tree may be null if that kind is not used. */
void bn_barrier_extend(struct bn_barrier_member *member, struct bn_barrier_lines *lines,
                       const struct bn_barrier_tree *tree);

/** How the thread meets the others from now on.  All threads choose alike, between the same phases, and not between
 * notify and wait; kinds other than central after bn_barrier_extend. */
void bn_barrier_choose(struct bn_barrier_member *member, enum bn_barrier_kind kind);

/** All accesses of this thread before it are visible to every thread after its wait.  Does not block.
 *  @errors BN_BARRIER_NOTIFIED_TWICE, and nothing was done.  A mismatch is reported by the wait. */
enum bn_barrier_result bn_barrier_notify(struct bn_barrier *barrier, struct bn_barrier_member *member,
                                         struct bn_barrier_value value);

/** Blocks until all threads have notified.  @errors BN_BARRIER_NOT_NOTIFIED (nothing was done), _NOTIFY_MISMATCH,
 *  _WAIT_MISMATCH (the phase is complete; conflict_p is written), _ABANDONED (other_thread is written). */
enum bn_barrier_result bn_barrier_wait(struct bn_barrier *barrier, struct bn_barrier_member *member,
                                       struct bn_barrier_value value, struct bn_barrier_conflict *conflict_p);

/** bn_barrier_notify and bn_barrier_wait in one, both with value.  A little faster than both.  @errors As of both. */
enum bn_barrier_result bn_barrier_cross(struct bn_barrier *barrier, struct bn_barrier_member *member,
                                        struct bn_barrier_value value, struct bn_barrier_conflict *conflict_p);

/** bn_barrier_cross without a value, for the runtime's own barriers, which nobody abandons. */
void bn_barrier_pass(struct bn_barrier *barrier, struct bn_barrier_member *member);

/** This thread will never notify again: threads that wait for it in a later phase get BN_BARRIER_ABANDONED. */
void bn_barrier_abandon(struct bn_barrier *barrier, const struct bn_barrier_member *member);

/** Puts a barrier and all its members where phase notifies of each lead; before any thread uses them.  For tests of the
 *  wrap at 2^32. */
void bn_barrier_skip_to(struct bn_barrier *barrier, struct bn_barrier_member *members, uint32_t phase);

#ifdef __cplusplus
}
#endif

#endif
