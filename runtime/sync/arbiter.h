/*
 * arbiter.h: a critical section shared by the threads of a process.  Threads enter it for one of two purposes: to start
 * new work (the main path), or to poll whether something that they wait for has completed (the progress loop).  Which
 * of the waiting threads is let in next decides how well a communication library makes progress (Amer, "Parallelism,
 * Data Movement, and Synchronization in Threading Models on Massively Parallel Systems", chapter VI).
 *
 *     bn_arbiter_enter(&arbiter, self, BN_PATH_MAIN);
 *     ...                                                 start an operation
 *     bn_arbiter_leave(&arbiter, self);
 *     bn_arbiter_await(&arbiter, self, has_come, &it);    and wait for it
 *
 * The section is not recursive. docs/design/015-arbiter.md compares the policies.
 */
#ifndef BN_SYNC_ARBITER_H
#define BN_SYNC_ARBITER_H

#include "base/options.h"
#include "sync/arbiter_watch.h"
#include "sync/ticket.h"

#include <pthread.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * With more threads than cores, the next thread in the order of requests usually is not running: each turn would cost a
 * context switch, and a library that yields inside would hand its core to threads that wait for the section.  All
 * queueing policies then put a door in front, a pthread mutex: whichever thread is running may pass it, and the others
 * sleep immediately.  The first thread has usually created the others and waits for them, so it counts only while it
 * enters the section, too.
 */

/* The number of consecutive turns that threads of the main path, or of a socket, may take while others wait, so that no
 * thread starves. */
enum { BN_ARBITER_BOUND = 64, BN_ARBITER_GANGS = 8 };

/* Threads that pass `outer` on among themselves: arbiter_gang.c */
struct bn_gang {
    struct bn_ticket own;
    bool has_outer; /* only for the holder of `own` */
    uint32_t turns; /* consecutive turns since the gang got `outer` */
};

struct bn_arbiter;
typedef bool (*bn_arbiter_poll)(void *context);

/* A participating thread: bn_arbiter_join. */
struct bn_arbiter_thread {
    struct bn_event told; /* arbiter_driven.c */
    uint32_t turn;
    bn_arbiter_poll poll;
    void *context;
    struct bn_arbiter_thread *next; /* in the list of waiting threads or in the free list */
    struct bn_watch_thread watch;
    bool has_door;
    uint32_t has_asked; /* it has entered since look_for_first last checked */
};

struct bn_arbiter {
    enum bn_arbiter_policy policy;
    bool is_watched;
    struct bn_wait_policy waits[2];    /* [0] with a core for each thread; [1] without, where waiting threads sleep
                                        * immediately */
    uint32_t is_crowded;               /* index into waits */
    int thread_count, threads_at_ease; /* participating threads; the most that have a core each */
    uint32_t entries;                  /* written only inside the section */
    struct bn_spinlock join_lock;
    struct bn_arbiter_thread *first; /* the first thread to join; null: it has parted, or no thread has joined */
    struct bn_arbiter_thread *free_threads;
    pthread_mutex_t mutex; /* that of the mutex policy, or the door */
    struct bn_ticket outer;
    struct bn_gang gangs[BN_ARBITER_GANGS];
    struct bn_gang *gang; /* the holder's gang */
    struct bn_arbiter_thread *posted;
    struct bn_watch watch;
};

/* What is known about the machine when an arbiter is made */
struct bn_arbiter_place {
    int core_count; /* cores that the threads of this process may use */
    int processes;  /* processes that share these cores */
    enum bn_wait_choice wait;
};

/** Initialises an arbiter.  If is_watched, the instruments run (arbiter_watch.h). */
void bn_arbiter_init(struct bn_arbiter *arbiter, enum bn_arbiter_policy policy, bool is_watched,
                     const struct bn_arbiter_place *place);

/** Frees the resources of an arbiter, after all threads have parted and have returned from their calls. */
void bn_arbiter_destroy(struct bn_arbiter *arbiter);

/** Makes the calling thread a participant until bn_arbiter_part.  Returns null if there is no memory. */
struct bn_arbiter_thread *bn_arbiter_join(struct bn_arbiter *arbiter);
void bn_arbiter_part(struct bn_arbiter *arbiter, struct bn_arbiter_thread *self);

/** Returns once no other thread is inside; everything that earlier threads did inside is visible. @cost Without
 * contention one atomic operation, or two for policies with gangs (priority, cohort, driven). */
void bn_arbiter_enter(struct bn_arbiter *arbiter, struct bn_arbiter_thread *self, enum bn_arbiter_path path);
void bn_arbiter_leave(struct bn_arbiter *arbiter, struct bn_arbiter_thread *self);

/** Whether there are more participants than cores that the process may count on. */
static inline bool bn_arbiter_is_crowded(const struct bn_arbiter *arbiter)
{
    return __atomic_load_n(&arbiter->is_crowded, __ATOMIC_RELAXED) != 0;
}

/** Whether other threads wait to enter; true if the policy cannot tell.  Called inside the section. */
bool bn_arbiter_is_wanted(const struct bn_arbiter *arbiter);

/**
 * The progress loop: calls poll(context) inside the section until it returns true, and lets other threads in between
 * calls.  Called outside the section.  With BN_ARBITER_DRIVEN another thread may call poll, but never two at a time,
 * and none after it has returned true.
 */
void bn_arbiter_await(struct bn_arbiter *arbiter, struct bn_arbiter_thread *self, bn_arbiter_poll poll, void *context);

/** "mutex", "ticket", ... */
const char *bn_arbiter_policy_name(enum bn_arbiter_policy policy);

#ifdef __cplusplus
}
#endif

#endif
