/* start.h: from MPI_Init to MPI_Finalize. */
#ifndef BN_MPI_THREADS_START_H
#define BN_MPI_THREADS_START_H

#include "threads/library.h"

/** The processes of MPI_COMM_WORLD, for messages of this library. */
MPI_Comm bn_threads_messages(void);

#endif
