/*
 * once.h: calls that all threads make and one of them carries out.
 *
 * The first thread that comes to the k-th call does its work and publishes the result; the others pick it up.  Nobody
 * waits for threads that come later, so threads may be up to BN_ONCE_CALLS calls apart.  No barrier is involved.
 */
#ifndef BN_SYNC_ONCE_H
#define BN_SYNC_ONCE_H

#include "sync/wait.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { BN_ONCE_CALLS = 64, BN_ONCE_ARGUMENTS = 3 };

struct bn_once_slot {
    struct bn_event ready;    /* rounds whose result is there */
    struct bn_event reusable; /* rounds that all threads have left */
    uint32_t arrivals;
    uint32_t departures;
    uint64_t arguments[BN_ONCE_ARGUMENTS]; /* of the thread that came first */
    uint64_t result;
    int first_thread;
} __attribute__((aligned(BN_LINE_BYTES)));

/* Shared memory, zeroed */
struct bn_once {
    struct bn_once_slot slots[BN_ONCE_CALLS];
};

/* A thread's place; private to the thread, zeroed. */
struct bn_once_member {
    uint64_t calls; /* made so far */
};

/** Begins a call.  True: the caller is first, does the work, and calls bn_once_publish.  False: the result is there. */
bool bn_once_enter(struct bn_once *once, const struct bn_once_member *member, int thread, int thread_count,
                   const uint64_t arguments[BN_ONCE_ARGUMENTS], const struct bn_wait_policy *policy);

/** The call that the member is in. */
struct bn_once_slot *bn_once_current(struct bn_once *once, const struct bn_once_member *member);

/** First thread only: makes the result visible to the others. */
void bn_once_publish(struct bn_once *once, const struct bn_once_member *member, uint64_t result);

/** Ends the call; the slot must not be looked at any more.  True for the thread that is last to leave it. */
bool bn_once_leave(struct bn_once *once, struct bn_once_member *member, int thread_count);

#ifdef __cplusplus
}
#endif

#endif
