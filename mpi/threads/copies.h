/*
 * copies.h: from memory to memory of this process, by the library's own reading of types: what a message to itself
 * does.
 */
#ifndef BN_MPI_THREADS_COPIES_H
#define BN_MPI_THREADS_COPIES_H

#include "threads/library.h"

void bn_copies_begin(void);
void bn_copies_end(void);

/** Inside.  False: the types are none, or have not the same data. */
bool bn_copy(const void *from, MPI_Count from_count, MPI_Datatype from_type, void *to, MPI_Count to_count,
             MPI_Datatype to_type);

/** Where a count is more than an int: null where mpi.h has no such calls, and no program has such counts. */
bool bn_copy_large(const void *from, MPI_Count from_count, MPI_Datatype from_type, void *to, MPI_Count to_count,
                   MPI_Datatype to_type, MPI_Comm self) __attribute__((weak));

/** Makes a request that has ended.  Inside. */
int bn_copies_request(MPI_Request *request);

#endif
