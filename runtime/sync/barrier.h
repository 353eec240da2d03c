/*
 * barrier.h: the split-phase barrier, with and without values.
 *
 * The barrier proper lies in memory that all threads share; each thread keeps its own place in a struct
 * bn_barrier_member.  A thread notifies, then waits; a wait ends when every thread has notified.
 *
 * Values: when at least one notify of a phase gave a value, all values given to notifies must agree, and each value
 * given to a wait must equal them.  A notify without a value agrees with everything.  Whether there is a value is a
 * flag of its own; every int is a valid value.
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
    BN_BARRIER_ABANDONED,       /* other_thread has ended: it will never notify this phase */
};

/* The other side of a mismatch; written with the results that name it */
struct bn_barrier_conflict {
    int other_thread;
    int other_value;
    int own_value;
};

/* A thread's place in a barrier: private to the thread. */
struct bn_barrier_member {
    uint32_t phase;                   /* phases notified so far, modulo 2^32 */
    uint32_t arrival_target;          /* arrivals at which the phase is complete, modulo 2^32 */
    bool has_notified;                /* between notify and wait */
    struct bn_barrier_value notified; /* what notify said */
    int thread;
};

struct bn_barrier; /* lies in shared memory */

/** Bytes of shared memory that a barrier takes; to be aligned to BN_LINE_BYTES. */
size_t bn_barrier_size_bytes(void);

/** Makes a barrier in memory that all threads will see; called once, before any thread uses it. */
void bn_barrier_init(struct bn_barrier *barrier, int thread_count, struct bn_wait_policy policy);

/** The place of thread (0 .. thread_count-1) in a barrier. */
struct bn_barrier_member bn_barrier_join(int thread);

/** All accesses of this thread before it are visible to every thread after its wait.  Does not block.
 *  @errors BN_BARRIER_NOTIFIED_TWICE, and nothing was done.  A mismatch is reported by the wait. */
enum bn_barrier_result bn_barrier_notify(struct bn_barrier *barrier, struct bn_barrier_member *member,
                                         struct bn_barrier_value value);

/** Blocks until all threads have notified.  @errors BN_BARRIER_NOT_NOTIFIED (nothing was done), _NOTIFY_MISMATCH,
 *  _WAIT_MISMATCH (the phase is complete; conflict_p is written), _ABANDONED (other_thread is written). */
enum bn_barrier_result bn_barrier_wait(struct bn_barrier *barrier, struct bn_barrier_member *member,
                                       struct bn_barrier_value value, struct bn_barrier_conflict *conflict_p);

/** bn_barrier_notify and bn_barrier_wait in one, both with value.  @errors As of both. */
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
