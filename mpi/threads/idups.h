/*
 * idups.h: MPI_Comm_idup, the one call that makes a communicator and does not wait for the other members.
 *
 * While one is under way that some member has not begun, no communicator may be made inside (order.h): libraries finish
 * them in an order of their own, and the thread that is to begin it might wait to come in.
 */
#ifndef BN_MPI_THREADS_IDUPS_H
#define BN_MPI_THREADS_IDUPS_H

#include "threads/library.h"

/* One that is under way */
struct bn_idup;

/** Goes in, for a call on comm; the library's own is to get the request of bn_idup_request, and bn_idup_begin its
 *  result, which leaves.  By who is not inside. */
struct bn_idup *bn_idup_prepare(MPI_Comm comm);
MPI_Request *bn_idup_request(struct bn_idup *idup);
int bn_idup_begin(struct bn_idup *idup, int result, const MPI_Comm *created, MPI_Request *request);

/** How many this process has begun that have not ended.  Inside. */
extern uint64_t bn_idups_under_way;

/** Looks whether they have ended.  Inside; by all who look for anything. */
void bn_idups_look(void);

/** Before a blocking collective call on comm, which waits for all members anyway: those of it have ended.  Inside. */
void bn_idups_await(MPI_Comm comm);

/** From the one to the other, none begins.  Inside. */
void bn_idups_hold(void);
void bn_idups_let_go(void);

#endif
