/* barriers.h: which barriers a job over several nodes has. */
#ifndef BN_UPC_REMOTE_BARRIERS_H
#define BN_UPC_REMOTE_BARRIERS_H

enum { BN_BARRIER_OF_PROGRAM, BN_BARRIER_OF_RUNTIME, BN_BARRIER_OF_CALLS, BN_BARRIER_OF_TEAM };

/** The calling thread makes no more collective calls of sync/once_call.h; threads that wait for it in one are told. */
void bn_once_calls_abandon(void);

#endif
