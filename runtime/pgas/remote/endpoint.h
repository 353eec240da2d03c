/*
 * endpoint.h: one network endpoint for several threads of a process.  The network knows only processes.  Each process
 * has the same number of threads, except that the last one may have fewer; a thread's allocation is its share of its
 * process's.  Threads enter the library one at a time, through an arbiter (docs/design/015-arbiter.md): a thread that
 * begins or completes a transfer takes precedence over one that polls for progress.
 */
#ifndef BN_PGAS_REMOTE_ENDPOINT_H
#define BN_PGAS_REMOTE_ENDPOINT_H

#include "sync/arbiter.h"
#include "transport/transport.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Returns the threads' transport, built on that of the processes, which is started and finished separately: threads
 * must not call the functions for the process as a whole (start, finish and what comes before) nor the library's
 * collectives. allocate and barrier are called by one thread of each process.  Called once per process, before it has
 * other threads.
 */
const struct bn_transport *bn_endpoint_open(const struct bn_transport *processes, int threads_each,
                                            enum bn_arbiter_policy policy, const struct bn_arbiter_place *place);

/** Lets the calling thread use the endpoint from now on.  False: no memory. */
bool bn_endpoint_join(void);

#ifdef __cplusplus
}
#endif

#endif
