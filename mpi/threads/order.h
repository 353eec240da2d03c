/*
 * order.h: blocking collective calls without a nonblocking form: MPI_Comm_split, MPI_Win_fence...
 *
 *     bn_turn_await(&turn, comm);
 *     result = bn_below.Comm_split(comm, ...);      inside the arbiter, until all members have called it
 *     bn_turn_end(&turn);
 *
 * A thread that waits inside keeps the other threads of its process out.  If threads of two processes did so, each in a
 * call that in the other process is made by another thread, they would deadlock.  So each process makes these calls one
 * at a time, and all processes make them in the same order: a call begins only when all its members have called it and
 * it is the next one on all of them.  See docs/design/016-mpi-threads.md.
 */
#ifndef BN_MPI_THREADS_ORDER_H
#define BN_MPI_THREADS_ORDER_H

#include "threads/gate.h"

struct bn_turn {
    MPI_Comm comm;
    uint64_t stamp; /* this process's proposal at first, then the largest of all members; 0: none */
    bool is_registered, holds_idups;
    struct bn_turn *next; /* in the list of this process's pending turns */
};

/** Returns inside, when all members of comm are about to make the call and will make no other one before it.  By at
 * most one thread at a time per communicator, as MPI requires.  comm may be an intercommunicator; MPI_COMM_NULL: only
 * this process makes the call, so it enters at once. */
void bn_turn_await(struct bn_turn *turn, MPI_Comm comm);
void bn_turn_end(struct bn_turn *turn);

/** Before bn_turn_end: names the communicator that the call has made, if any, by the stamp; result is the call's. */
void bn_turn_name(const struct bn_turn *turn, int result, const MPI_Comm *created);

/* How the participants of a call that are not the members of one communicator agree on the maximum of their numbers;
 * false: failed.  Inside, but other threads may come in meanwhile. */
typedef bool (*bn_turn_agree)(void *members, uint64_t *number);

/** bn_turn_await for such participants; sets turn->comm to MPI_COMM_NULL. */
void bn_turn_await_agreed(struct bn_turn *turn, bn_turn_agree agree, void *members);

/** For agreements: waits for an operation that was started inside with the given result; returns inside, whether it
 * succeeded. */
bool bn_turn_finish(int result, MPI_Request *request);

/** An agreement of the members of a communicator, an MPI_Comm at `comm`. */
bool bn_turn_agree_all(void *comm, uint64_t *number);

/** Sets the number of this process in its stamps, which no other process of the job may have. */
void bn_turns_begin(int process);

#endif
