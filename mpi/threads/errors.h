/*
 * errors.h: whose error handler gets the error of a call that blocks, and is made of one that does not.
 *
 * Open MPI calls that of the request's communicator in MPI_Test, MPICH and Intel MPI that of MPI_COMM_SELF.
 */
#ifndef BN_MPI_THREADS_ERRORS_H
#define BN_MPI_THREADS_ERRORS_H

#include "threads/library.h"

/** MPI_Test, whose errors are those of comm; of none: as the library has it.  Inside.
 *  @cost Nothing more, unless the program has set an error handler. */
int bn_errors_test(MPI_Request *request, int *flag, MPI_Status *status, MPI_Comm comm);

#endif
