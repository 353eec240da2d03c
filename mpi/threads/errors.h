/*
 * errors.h: which error handler gets the error of a blocking call that is carried out by nonblocking ones.
 *
 * In MPI_Test, Open MPI calls the handler of the request's communicator, MPICH and Intel MPI that of MPI_COMM_WORLD.
 */
#ifndef BN_MPI_THREADS_ERRORS_H
#define BN_MPI_THREADS_ERRORS_H

#include "threads/library.h"

/** MPI_Test whose errors go to comm's handler; MPI_COMM_NULL: to the one that the library chooses.  Inside.
 *  @cost That of MPI_Test, unless the program has set an error handler. */
int bn_errors_test(MPI_Request *request, int *flag, MPI_Status *status, MPI_Comm comm);

#endif
