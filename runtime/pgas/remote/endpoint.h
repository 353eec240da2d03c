/*
 * endpoint.h: one endpoint of a network for several threads of a process.  The network knows processes, of which each
 * has the same number of threads, but for the last one, which may have fewer; a thread's allocation is its share of its
 * process's.  Threads enter the library one at a time, through an arbiter (docs/design/015-arbiter.md): who begins or
 * completes a transfer goes before who looks for progress.
 */
#ifndef BN_PGAS_REMOTE_ENDPOINT_H
#define BN_PGAS_REMOTE_ENDPOINT_H

#include "sync/arbiter.h"
#include "transport/transport.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * The transport of the threads, over that of the processes, which has started or will be started by itself: what is for
 * the process alone (start, finish and what comes before) is not for threads, nor are the library's collectives.
 * allocate and barrier are called by one thread of each process.  Once in a process, before it has other threads.
 */
const struct bn_transport *bn_endpoint_open(const struct bn_transport *processes, int threads_each,
                                            enum bn_arbiter_policy policy, const struct bn_arbiter_place *place);

/** The calling thread takes part from now on.  False: no memory. */
bool bn_endpoint_join(void);

#ifdef __cplusplus
}
#endif

#endif
