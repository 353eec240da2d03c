/*
 * valid.h: whether the library below accepts a handle of the program, and some calls that MPI forbids.
 *
 * Functions that ask about a type or an operation report an invalid one to the error handler of MPI_COMM_WORLD, which
 * by default ends the job.  So handles are first tried in calls of nothing on a private communicator, whose errors are
 * returned; then the program's own call reports the error, to the handler of its communicator.
 */
#ifndef BN_MPI_FRONT_VALID_H
#define BN_MPI_FRONT_VALID_H

#include <mpi.h>

#include <stdbool.h>

void bn_valid_begin(void);
void bn_valid_end(void);

/** Whether a type is valid and committed.  @cost 50 to 100 ns */
bool bn_type_is_valid(MPI_Datatype type);

/** Whether an operation is valid that is not predefined.  @cost A few comparisons if it is one of the last of the
 *  thread; else 50 to 100 ns */
bool bn_op_is_valid(MPI_Op op);

/** The error that the library reports for a call whose send and receive buffers are the same memory; MPI_SUCCESS: it
 * allows that, or another thread is about to find out.  Reductions to a root have an error of their own.  @cost A
 * comparison; the first time, three calls */
int bn_alias_error(bool is_reduce);

/** Whether MPI_Alltoallw accepts MPI_DATATYPE_NULL for blocks without elements, or another thread is about to find out.
 * @cost As above */
bool bn_takes_no_type(void);

#endif
