/*
 * typed_copies.h: copies between two types within this process, done by the MPI library: the same as a message to
 * itself.
 */
#ifndef BN_MPI_THREADS_TYPED_COPIES_H
#define BN_MPI_THREADS_TYPED_COPIES_H

#include "threads/library.h"

void bn_typed_copies_begin(void);
void bn_typed_copies_end(void);

/** Copies data.  Inside.  False: the types are invalid, or there is less room than data. */
bool bn_typed_copy(const void *from, MPI_Count from_count, MPI_Datatype from_type, void *to, MPI_Count to_count,
                   MPI_Datatype to_type);

/** The same if a count does not fit in an int; a null pointer where mpi.h has no such calls, hence no such counts. */
bool bn_typed_copy_large(const void *from, MPI_Count from_count, MPI_Datatype from_type, void *to, MPI_Count to_count,
                         MPI_Datatype to_type, MPI_Comm self) __attribute__((weak));

/** Whether the type may be used for copies: it is committed.  Inside. */
bool bn_typed_copies_take(MPI_Datatype type);

/** Makes a completed request.  Inside. */
int bn_typed_copies_request(MPI_Request *request);

#endif
