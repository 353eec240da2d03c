/*
 * names.h: a number by which all members of a communicator know it: the stamp of the call that made it (order.h).  It
 * is kept with the communicator, as an attribute, so it ends with it.
 */
#ifndef BN_MPI_THREADS_NAMES_H
#define BN_MPI_THREADS_NAMES_H

#include "threads/library.h"

/** Before the first call is arbitrated.  MPI_COMM_WORLD gets a name, too. */
void bn_names_begin(void);

/** After the last one. */
void bn_names_end(void);

/** Called by all members of comm, with one number that no other communicator of theirs has.  Inside.  Null: nothing. */
void bn_names_give(MPI_Comm comm, uint64_t name);

/** 0: it has none, since it was made before calls were arbitrated, or by a process that Banyan does not know.  Inside.
 */
uint64_t bn_names_of(MPI_Comm comm);

/** A name for what all members of comm make of it now, without asking each other: they do so in one order.  Inside. */
uint64_t bn_names_next_of(MPI_Comm comm);

/** Whether there has been one: the same for all members that have come to the same call.  Inside. */
bool bn_names_have_begun(MPI_Comm comm);

#endif
