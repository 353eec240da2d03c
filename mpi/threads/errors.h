/*
 * errors.h: which error handler gets the errors of calls that are carried out by other ones.
 *
 * In MPI_Test, Open MPI calls the handler of the request's communicator, MPICH and Intel MPI that of MPI_COMM_WORLD.
 * In MPI_Request_get_status, MPICH calls the latter for a request that has failed, too, and Open MPI none.
 */
#ifndef BN_MPI_THREADS_ERRORS_H
#define BN_MPI_THREADS_ERRORS_H

#include "threads/library.h"

/** MPI_Test whose errors go to comm's handler; MPI_COMM_NULL: to the one that the library chooses.  Inside.
 *  @cost That of MPI_Test, unless the program has set an error handler. */
int bn_errors_test(MPI_Request *request, int *flag, MPI_Status *status, MPI_Comm comm);

/** MPI_Request_get_status that only returns its errors.  Inside.
 *  @cost That of MPI_Request_get_status, unless the program has set an error handler. */
int bn_errors_get_status(MPI_Request request, int *flag);

/** MPI_Reduce_local that only returns its errors.  Inside. */
int bn_errors_reduce(const void *from, void *to, int count, MPI_Datatype type, MPI_Op op);

/** Reports an error of a call that the library does not get to the window's handler, and returns its class. */
int bn_errors_report(MPI_Win window, int error_class);

#endif
