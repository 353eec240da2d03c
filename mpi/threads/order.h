/*
 * order.h: collective calls that block, and that MPI has no form of that only starts: MPI_Comm_split, MPI_Win_fence...
 *
 *     bn_turn_await(&turn, comm);
 *     result = bn_real.Comm_split(comm, ...);      inside the arbiter, until all members have called it
 *     bn_turn_end(&turn);
 *
 * A thread that waits inside keeps the others of its process out.  If two did so in two processes, each in a call that
 * the other process has begun by another thread, they would wait forever.  So these calls are made one at a time in
 * each process, and in the same order in all: one that all members have called, and that is the next one on all of
 * them. docs/design/016-mpi-threads.md.
 */
#ifndef BN_MPI_THREADS_ORDER_H
#define BN_MPI_THREADS_ORDER_H

#include "threads/gate.h"

struct bn_turn {
    MPI_Comm comm;
    uint64_t stamp; /* at first what this process says, then the largest of all members; 0: it has none */
    bool is_registered, holds_idups;
    struct bn_turn *next; /* of those of this process that have not been made */
};

/** Returns inside, when all members of comm are about to make the call, and make no other one before it.  By no more
 *  than one thread at a time for each communicator, as MPI has it.  comm is an intercommunicator, too; null: only this
 *  process makes the call, and comes inside at once. */
void bn_turn_await(struct bn_turn *turn, MPI_Comm comm);
void bn_turn_end(struct bn_turn *turn);

/** Before that: the communicator that the call has made, if any, with that result, gets the stamp as its name. */
void bn_turn_name(const struct bn_turn *turn, int result, const MPI_Comm *created);

/* How those that make a call agree, where they are not the members of one communicator: the largest number of all, or
 * false.  Inside, and between others that come in. */
typedef bool (*bn_turn_agree)(void *members, uint64_t *number);

/** The same for these: turn->comm is null then. */
void bn_turn_await_agreed(struct bn_turn *turn, bn_turn_agree agree, void *members);

/** For agreements: waits for what has been started inside with that result, and returns inside, whether it went well.
 */
bool bn_turn_finish(int result, MPI_Request *request);

/** An agreement of the members of a communicator, *comm. */
bool bn_turn_agree_all(void *comm, uint64_t *number);

/** A number for stamps that no other process of the job has. */
void bn_turns_begin(int process);

#endif
