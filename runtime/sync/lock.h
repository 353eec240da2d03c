/*
 * lock.h: the lock behind upc_lock_t.
 *
 * A thread that requests the lock while it is free gets it.  The others queue, each waiting on its own cache line.  New
 * threads may overtake the first in the queue, but only until it has been first for a millisecond: then it gets the
 * lock at the next release.  A lock is one cache line of shared memory and contains no addresses, so it may be mapped
 * at different addresses in different processes.
 */
#ifndef BN_SYNC_LOCK_H
#define BN_SYNC_LOCK_H

#include "sync/wait.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { BN_LOCK_BYTES = 64 };

struct bn_lock {
    uint32_t state;  /* 0 free; see lock.c */
    uint32_t tail;   /* the last thread in the queue, plus 1; 0 if the queue is empty */
    uint32_t holder; /* the holding thread plus 1, for detecting misuse */
    uint32_t magic;
};

/* A thread's entry in a queue.  A thread can wait for one lock at a time and hold any number of locks. */
struct bn_lock_waiter {
    struct bn_event first; /* how often the thread was told that it is first in the queue */
    uint32_t turn;         /* the value of `first` to wait for */
    uint32_t next;         /* the next thread in the queue, plus 1, or 0 */
    uint32_t has_ended;    /* the thread has left the program, and keeps the locks it holds */
} __attribute__((aligned(BN_LINE_BYTES)));

/* The threads that may use a lock.  Each process holds a copy; waiters is shared memory, zeroed, one per thread. */
struct bn_lock_team {
    struct bn_lock_waiter *waiters;
    struct bn_wait_policy policy;
};

enum bn_lock_result {
    BN_LOCK_OK = 0,
    BN_LOCK_BUSY,         /* attempt: another thread holds it */
    BN_LOCK_NO_LOCK,      /* not a lock, or a freed one */
    BN_LOCK_HELD_BY_SELF, /* the caller already holds it and would deadlock */
    BN_LOCK_NOT_HELD,     /* unlock: the caller does not hold it */
    BN_LOCK_HOLDER_ENDED, /* lock: the holder has called bn_lock_leave, so nobody will ever get the lock */
};

/** Makes a free lock in BN_LOCK_BYTES of memory, aligned to 16. */
void bn_lock_init(struct bn_lock *lock);

/** Marks a lock as freed, whether or not it is held. @errors BN_LOCK_NO_LOCK. */
enum bn_lock_result bn_lock_destroy(struct bn_lock *lock);

/** Returns with the lock held; everything that earlier holders did is visible.  @cost One atomic operation if it is
 * free.  @errors BN_LOCK_NO_LOCK, BN_LOCK_HELD_BY_SELF; BN_LOCK_HOLDER_ENDED, after which the lock is unusable. */
enum bn_lock_result bn_lock_acquire(struct bn_lock *lock, int thread, const struct bn_lock_team *team);

/** Takes the lock if it is free.  @errors BN_LOCK_BUSY, and as bn_lock_acquire. */
enum bn_lock_result bn_lock_try(struct bn_lock *lock, int thread);

/** Releases the lock.  If the first in the queue must not be overtaken any more, only that thread can take it. @cost
 * One atomic operation; two, and a system call, if the first in the queue sleeps.  @errors BN_LOCK_NO_LOCK,
 * BN_LOCK_NOT_HELD. */
enum bn_lock_result bn_lock_release(struct bn_lock *lock, int thread);

/** Tells threads that wait for locks held by this thread that it will not release them.  Called when the thread leaves
 * the program. */
void bn_lock_leave(int thread, const struct bn_lock_team *team);

/** The thread that holds the lock, plus 1; 0 if the lock is free or freed, or its new holder has not recorded itself
 * yet. */
uint32_t bn_lock_holder(const struct bn_lock *lock);

#ifdef __cplusplus
}
#endif

#endif
