/*
 * barrier.h: functions that barriers over several nodes have in addition to sync/barrier.h.
 */
#ifndef BN_PGAS_REMOTE_BARRIER_H
#define BN_PGAS_REMOTE_BARRIER_H

#include "pgas/remote/remote.h"
#include "sync/barrier.h"

#ifdef __cplusplus
extern "C" {
#endif

/** One of BN_REMOTE_BARRIERS barriers of all threads; after bn_remote_create. */
struct bn_barrier *bn_remote_barrier(int index);

/** Sends the messages that can already be sent for the phase that this thread has notified.  Never blocks. */
void bn_barrier_advance(struct bn_barrier *barrier);

/** Like bn_barrier_cross, and also broadcasts thread 0's *payload to all threads. @errors As bn_barrier_cross. */
enum bn_barrier_result bn_barrier_tell(struct bn_barrier *barrier, struct bn_barrier_member *member,
                                       struct bn_barrier_value value, uint64_t *payload,
                                       struct bn_barrier_conflict *conflict_p);

#ifdef __cplusplus
}
#endif

#endif
