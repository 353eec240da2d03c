/*
 * names.h: the name of a communicator, a number that is the same on all its members: the stamp of the call that made it
 * (order.h).  It is kept in an attribute of the communicator.
 */
#ifndef BN_MPI_THREADS_NAMES_H
#define BN_MPI_THREADS_NAMES_H

#include "threads/library.h"

/** Called before the first call is arbitrated.  Names MPI_COMM_WORLD, too. */
void bn_names_begin(void);

/** Called after the last arbitrated call. */
void bn_names_end(void);

/** Names comm; called by all its members with the same, otherwise unused number.  Inside.  MPI_COMM_NULL: no effect. */
void bn_names_give(MPI_Comm comm, uint64_t name);

/** The name; 0: none, since comm was made before calls were arbitrated, or by a process without Banyan.  Inside. */
uint64_t bn_names_of(MPI_Comm comm);

/** A name for a communicator that all members of comm make from it, in the same order, without agreeing.  Inside. */
uint64_t bn_names_next_of(MPI_Comm comm);

/** Whether bn_names_next_of was called for it: the same for all members at the same call.  Inside. */
bool bn_names_have_begun(MPI_Comm comm);

#endif
