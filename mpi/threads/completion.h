/*
 * completion.h: waiting for requests by polling, so that other threads can come in between polls.
 */
#ifndef BN_MPI_THREADS_COMPLETION_H
#define BN_MPI_THREADS_COMPLETION_H

#include "threads/gate.h"

/* A request that is waited for, and its outcome */
struct bn_wait_one {
    MPI_Request *request;
    MPI_Status *status;
    MPI_Comm comm; /* whose error handler is responsible for the call (errors.h) */
    int result;
    bool has_ended;
};

/** The program has made requests of persistent collectives or partitioned messages: MPICH's MPI_Testall fails for them,
 *  its MPI_Waitall does not.  Inside. */
extern bool bn_testall_may_fail;

/** Whether a call has started a request, which was bn_handles.no_request before.  After an error that the program's own
 *  handler has taken, MPICH 5 returns MPI_SUCCESS and leaves the request as it was. */
static inline bool bn_has_started(int result, MPI_Request request)
{
    return result == MPI_SUCCESS && request != bn_handles.no_request;
}

/** Whether a message came from a probe of MPI_PROC_NULL. */
bool bn_is_of_nobody(const MPI_Message *message);

/** Polls a struct bn_wait_one: whether it has ended or failed.  Inside. */
bool bn_look_at_one(void *wait_one);

/** Finishes a call on comm that was started inside with the given result: leaves, waits until it has ended, and returns
 *  the result of the whole call.  The null request has ended. */
int bn_request_complete(int result, MPI_Request *request, MPI_Status *status, MPI_Comm comm);

#endif
