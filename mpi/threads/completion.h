/*
 * completion.h: waiting for requests, by looks between which other threads come in.
 */
#ifndef BN_MPI_THREADS_COMPLETION_H
#define BN_MPI_THREADS_COMPLETION_H

#include "threads/gate.h"

/* A request that is waited for, and what came of it */
struct bn_wait_one {
    MPI_Request *request;
    MPI_Status *status;
    MPI_Comm comm; /* whose errors are those of the call (errors.h) */
    int result;
    bool has_ended;
};

/** Whether it came of a probe of MPI_PROC_NULL. */
bool bn_is_of_nobody(const MPI_Message *message);

/** Looks whether it has ended, or failed.  Inside. */
bool bn_look_at_one(void *wait_one);

/** Goes on with a call on comm that has been started inside, with that result, leaves, and returns when it has ended;
 *  returns what the call does. */
int bn_complete(int result, MPI_Request *request, MPI_Status *status, MPI_Comm comm);

#endif
