/*
 * arbiter.h: a critical section of the threads of a process, in which they do two kinds of things: they enter with new
 * work (the main path), or they look whether something that they wait for has come (the progress loop).  Who of those
 * that wait is let in next decides whether a communication library gets on (Amer, "Parallelism, Data Movement, and
 * Synchronization in Threading Models on Massively Parallel Systems", chapter VI).
 *
 *     bn_arbiter_enter(&arbiter, self, BN_PATH_MAIN);
 *     ...                                                 start something
 *     bn_arbiter_leave(&arbiter, self);
 *     bn_arbiter_await(&arbiter, self, has_come, &it);    and wait for it
 *
 * Nobody enters twice.  docs/design/015-arbiter.md compares the policies.
 */
#ifndef BN_SYNC_ARBITER_H
#define BN_SYNC_ARBITER_H

#include "sync/arbiter_watch.h"
#include "sync/ticket.h"

#include <pthread.h>

#ifdef __cplusplus
extern "C" {
#endif

/* docs/design/015-arbiter.md; the last one is no choice. */
enum bn_arbiter_policy {
    BN_ARBITER_DRIVEN,   /* priority; one of those that wait looks for all of them, and wakes whose thing has come */
    BN_ARBITER_MUTEX,    /* pthread_mutex: whoever runs */
    BN_ARBITER_TICKET,   /* in the order of asking */
    BN_ARBITER_PRIORITY, /* the main path before the progress loop, each in the order of asking */
    BN_ARBITER_COHORT,   /* within a socket first, each in the order of asking */
    BN_ARBITER_OPEN,     /* nobody is kept out: for the instruments alone */
    BN_ARBITER_POLICY_COUNT,
};

/*
 * With more threads than cores the next one in the order of asking mostly does not run: each turn would cost a context
 * switch, and a library that yields inside would hand its core to threads that wait for it.  All policies then have a
 * door in front, a pthread mutex: whoever runs may pass it, and the others sleep at once.  The first thread has mostly
 * made the others and waits for them, so it is counted only while it asks, too.
 */

/* How many turns on end threads of the main path, or of a socket, take while others wait: nobody starves. */
enum { BN_ARBITER_BOUND = 64, BN_ARBITER_GANGS = 8 };

/* Threads that hand `outer` on among themselves: arbiter_gang.c */
struct bn_gang {
    struct bn_ticket own;
    bool has_outer; /* for who holds own */
    uint32_t turns; /* on end, since the gang got it */
};

struct bn_arbiter;
typedef bool (*bn_arbiter_poll)(void *context);

/* A thread that takes part: bn_arbiter_join. */
struct bn_arbiter_thread {
    struct bn_event told; /* arbiter_driven.c */
    uint32_t turn;
    bn_arbiter_poll poll;
    void *context;
    struct bn_arbiter_thread *next; /* of those that wait, or of those that may be used again */
    struct bn_watch_thread watch;
    bool has_door;
    uint32_t has_asked; /* since somebody looked last whether the first thread does */
};

struct bn_arbiter {
    enum bn_arbiter_policy policy;
    bool is_watched;
    struct bn_wait_policy waits[2];    /* with a core for each thread, and without: who waits then sleeps at once */
    uint32_t is_crowded;               /* which of them */
    int thread_count, threads_at_ease; /* that take part; that have a core each */
    uint32_t entries;                  /* written inside alone */
    struct bn_spinlock join_lock;
    struct bn_arbiter_thread *first; /* to join; null: it has parted, or nobody has joined */
    struct bn_arbiter_thread *free_threads;
    pthread_mutex_t mutex; /* of the policy, or the door */
    struct bn_ticket outer;
    struct bn_gang gangs[BN_ARBITER_GANGS];
    struct bn_gang *gang; /* of the holder */
    struct bn_arbiter_thread *posted;
    struct bn_watch watch;
};

/* What is known of the machine when an arbiter is made */
struct bn_arbiter_place {
    int core_count; /* cores that the threads of this process may use */
    int processes;  /* that share them */
    enum bn_wait_choice wait;
};

/** Makes one that nobody uses yet.  Watched: the instruments run (arbiter_watch.h). */
void bn_arbiter_init(struct bn_arbiter *arbiter, enum bn_arbiter_policy policy, bool is_watched,
                     const struct bn_arbiter_place *place);

/** Gives back what it holds.  All threads have parted, and none of them is inside a call any more. */
void bn_arbiter_destroy(struct bn_arbiter *arbiter);

/** The calling thread takes part from now on, until bn_arbiter_part.  Null: no memory. */
struct bn_arbiter_thread *bn_arbiter_join(struct bn_arbiter *arbiter);
void bn_arbiter_part(struct bn_arbiter *arbiter, struct bn_arbiter_thread *self);

/** Returns once no other thread is inside; what those did is visible.
 *  @cost One atomic operation if nobody is there, two by way of a gang (priority, cohort, driven). */
void bn_arbiter_enter(struct bn_arbiter *arbiter, struct bn_arbiter_thread *self, enum bn_arbiter_path path);
void bn_arbiter_leave(struct bn_arbiter *arbiter, struct bn_arbiter_thread *self);

/** Whether more threads take part than the cores that the process may count on can run. */
static inline bool bn_arbiter_is_crowded(const struct bn_arbiter *arbiter)
{
    return __atomic_load_n(&arbiter->is_crowded, __ATOMIC_RELAXED) != 0;
}

/** By who is inside: whether others want to come in.  Where the policy does not know, true. */
bool bn_arbiter_is_wanted(const struct bn_arbiter *arbiter);

/**
 * The progress loop, by who is not inside: calls poll(context), inside, until it returns true, and lets others in
 * between.  By BN_ARBITER_DRIVEN another thread may call it, but never two at a time, and none after it was true.
 */
void bn_arbiter_await(struct bn_arbiter *arbiter, struct bn_arbiter_thread *self, bn_arbiter_poll poll, void *context);

/** mutex, ticket, ... */
const char *bn_arbiter_policy_name(enum bn_arbiter_policy policy);

#ifdef __cplusplus
}
#endif

#endif
