/*
 * idups.h: MPI_Comm_idup, the only call that makes a communicator without waiting for the other members.
 *
 * While one is in progress that some member has not begun yet, no communicator may be made inside (order.h): libraries
 * finish them in an order of their own, and the thread that is about to begin it might be waiting to come in.
 */
#ifndef BN_MPI_THREADS_IDUPS_H
#define BN_MPI_THREADS_IDUPS_H

#include "threads/library.h"

/* One in progress */
struct bn_idup;

/** Enters for a call on comm.  The caller then calls the library with the request of bn_idup_request, and passes the
 *  result to bn_idup_begin, which leaves and returns the result of the call. */
struct bn_idup *bn_idup_prepare(MPI_Comm comm);
MPI_Request *bn_idup_request(struct bn_idup *idup);
int bn_idup_begin(struct bn_idup *idup, int result, const MPI_Comm *created, MPI_Request *request);

/** How many of this process are in progress.  Inside. */
extern uint64_t bn_idups_under_way;

/** Polls them.  Inside; called before every other poll. */
void bn_idups_look(void);

/** Waits for those of comm; before a blocking collective call on comm, which waits for all members anyway.  Inside. */
void bn_idups_await(MPI_Comm comm);

/** Between these two calls, none can begin.  Inside. */
void bn_idups_hold(void);
void bn_idups_let_go(void);

#endif
