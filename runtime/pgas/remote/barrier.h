/*
 * barrier.h: what the barrier over several nodes has beyond sync/barrier.h.
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

/** Sends what can be sent of the phase that this thread has notified.  Never blocks. */
void bn_barrier_advance(struct bn_barrier *barrier);

/** bn_barrier_cross that tells *payload of thread 0 to all threads.  @errors As bn_barrier_cross. */
enum bn_barrier_result bn_barrier_tell(struct bn_barrier *barrier, struct bn_barrier_member *member,
                                       struct bn_barrier_value value, uint64_t *payload,
                                       struct bn_barrier_conflict *conflict_p);

#ifdef __cplusplus
}
#endif

#endif
