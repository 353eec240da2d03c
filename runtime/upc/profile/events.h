/*
 * events.h: the events of books on one line of time for each node, for those that write traces.
 *
 * Times of one node have one clock, and begin with the thread of it that began first.  Those of another begin there,
 * too: at the barrier before main, so they are as exact as its end.
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
    double end_ns; /* of the thread */
};

/** Whether the events of a thread can be read: in a job that has ended early those of other nodes cannot. */
bool bn_events_are_there(const struct bn_profile *profile, int thread);

/** What there is of a thread, and its events, in the order in which they ended; visit may be null. */
struct bn_events_thread bn_events_of(const struct bn_profile *profile, int thread,
                                     void (*visit)(void *context, const struct bn_book_event *event, double begin_ns,
                                                   double end_ns),
                                     void *context);

#ifdef __cplusplus
}
#endif

#endif
