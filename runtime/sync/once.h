/*
 * once.h: calls that all threads make and only one of them executes.
 *
 * The first thread to reach the k-th call does its work and publishes the result, which the others pick up.  No thread
 * waits for later ones, so threads may be up to BN_ONCE_CALLS calls apart.  No barrier is involved.
 */
#ifndef BN_SYNC_ONCE_H
#define BN_SYNC_ONCE_H

#include "sync/wait.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { BN_ONCE_CALLS = 64, BN_ONCE_ARGUMENTS = 3 };

struct bn_once_slot {
    struct bn_event ready;    /* rounds whose result is available */
    struct bn_event reusable; /* rounds that all threads have completed */
    uint32_t arrivals;
    uint32_t departures;
    uint64_t arguments[BN_ONCE_ARGUMENTS]; /* those of the thread that came first */
    uint64_t result;
    int first_thread;
} __attribute__((aligned(BN_LINE_BYTES)));

/* Shared memory, zeroed */
struct bn_once {
    struct bn_once_slot slots[BN_ONCE_CALLS];
};

/* The state of one thread; private to the thread, initially zero. */
struct bn_once_member {
    uint64_t calls; /* calls made so far */
};

/** Begins a call.  Returns true if the caller is first; it then does the work and calls bn_once_publish.  Returns false
 * once the result is available. */
bool bn_once_enter(struct bn_once *once, const struct bn_once_member *member, int thread, int thread_count,
                   const uint64_t arguments[BN_ONCE_ARGUMENTS], const struct bn_wait_policy *policy);

/** The slot of the member's current call. */
struct bn_once_slot *bn_once_current(struct bn_once *once, const struct bn_once_member *member);

/** First thread only: makes the result visible to the others. */
void bn_once_publish(struct bn_once *once, const struct bn_once_member *member, uint64_t result);

/** Ends the call, after which the slot must not be accessed.  Returns true for the last thread to leave it. */
bool bn_once_leave(struct bn_once *once, struct bn_once_member *member, int thread_count);

#ifdef __cplusplus
}
#endif

#endif
