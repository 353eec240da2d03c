/*
 * events.h: the events of all books on one time axis per node, for the trace writers.
 *
 * All times on one node are of one clock, and start at the node's first thread to begin.  Each node starts at the same
 * point, the barrier before main, so times of different nodes differ by no more than the threads' departures from that
 * barrier.
 */
#ifndef BN_UPC_PROFILE_EVENTS_H
#define BN_UPC_PROFILE_EVENTS_H

#include "upc/profile/gather.h"

#ifdef __cplusplus
extern "C" {
#endif

struct bn_events_thread {
    int thread;
    uint64_t event_count, dropped_events;
    double end_ns; /* when the thread ended */
};

/** Whether the events of a thread can be read: in a job that ended early, those of other nodes cannot. */
bool bn_events_are_there(const struct bn_profile *profile, int thread);

/** Returns the summary of a thread, and visits its events in the order in which they ended; visit may be null. */
struct bn_events_thread bn_events_of(const struct bn_profile *profile, int thread,
                                     void (*visit)(void *context, const struct bn_book_event *event, double begin_ns,
                                                   double end_ns),
                                     void *context);

#ifdef __cplusplus
}
#endif

#endif
