/*
 * arbiter_watch.h: the instruments of an arbiter: the order in which threads entered, and how long they waited.
 *
 * The bias factor of arbitration is how often the next owner was the same as the last one (of the same core), or on the
 * same socket, divided by how often this would have happened by chance among the threads waiting at that time (section
 * VI.3.3 of the study that arbiter.h names): 1 is fair, 2 is twice too often.
 */
#ifndef BN_SYNC_ARBITER_WATCH_H
#define BN_SYNC_ARBITER_WATCH_H

#include "sync/spinlock.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

enum bn_arbiter_path { BN_PATH_MAIN, BN_PATH_PROGRESS, BN_PATH_COUNT };

enum { BN_WATCH_SOCKETS = 16 };

/* Sums since the beginning; those of several processes may be added. */
struct bn_watch_record {
    uint64_t acquisitions[BN_PATH_COUNT];
    uint64_t wait_ns[BN_PATH_COUNT], hold_ns[BN_PATH_COUNT];
    uint64_t contended;                  /* acquisitions while two or more threads waited; only these count below */
    uint64_t same_owner, same_socket;    /* acquisitions with the same owner, or socket, as the one before */
    double fair_owner, fair_socket;      /* the expected counts under fair arbitration */
    uint64_t dangling, dangling_samples; /* requests complete but not yet freed, summed over the samples; number of
                                          * samples */
    uint64_t most_threads;               /* the most threads that participated at a time; over several processes, the
                                          * maximum */
};

/* The state of a thread, for the instruments */
struct bn_watch_thread {
    uint64_t asked_ticks, entered_ticks;
    enum bn_arbiter_path path;
    uint32_t socket;
};

struct bn_watch {
    struct bn_spinlock lock; /* redundant inside the arbiter, unless the policy is open */
    uint32_t waiting[BN_WATCH_SOCKETS];
    const void *last_owner;
    uint32_t last_socket;
    uint64_t wait_ticks[BN_PATH_COUNT], hold_ticks[BN_PATH_COUNT];
    struct bn_watch_record record; /* except for the times */
};

/** The steps of an acquisition: a thread requests entry, enters, and is about to leave. */
void bn_watch_ask(struct bn_watch *watch, struct bn_watch_thread *self, enum bn_arbiter_path path);
void bn_watch_enter(struct bn_watch *watch, struct bn_watch_thread *self);
void bn_watch_leave(struct bn_watch *watch, const struct bn_watch_thread *self);

/** Records that `count` requests are complete but not yet freed.  Called inside the section. */
void bn_watch_dangling(struct bn_watch *watch, uint64_t count);

/** The sums so far. */
struct bn_watch_record bn_watch_read(struct bn_watch *watch);
void bn_watch_record_add(struct bn_watch_record *sum, const struct bn_watch_record *record);

/** Bias factors; 0 if two threads never waited at the same time. */
double bn_watch_core_bias(const struct bn_watch_record *record);
double bn_watch_socket_bias(const struct bn_watch_record *record);

/** The socket on which the calling thread runs, below BN_WATCH_SOCKETS. @cost Some ns; the first call reads files. */
uint32_t bn_watch_socket(void);

#ifdef __cplusplus
}
#endif

#endif
