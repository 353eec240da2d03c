/* exchange.h: what MPI_Sendrecv and MPI_Sendrecv_replace have in common, independent of the type of counts. */
#ifndef BN_MPI_THREADS_EXCHANGE_H
#define BN_MPI_THREADS_EXCHANGE_H

#include "threads/completion.h"
#include "threads/typed_copies.h"
#include "threads/transfers.h"

/* A copy of data with the same layout */
struct bn_twin {
    void *data;   /* to be passed to MPI with the count and type */
    void *memory; /* for the caller to free */
};

/** Finishes a receive and a send, in that order, that were started inside, the send with the given result: leaves, and
 *  returns when both have ended. */
int bn_complete_exchange(int send_result, MPI_Request requests[2], MPI_Status *status, MPI_Comm comm);

/** Reports an error to the communicator's error handler, and returns it.  Outside. */
int bn_exchange_fails(MPI_Comm comm, int error);

/** Copies valid data of at least one element.  Inside.  Returns a class of error; if there is one, nothing is to be
 *  freed. */
int bn_twin_make(struct bn_twin *twin, const void *buffer, MPI_Count count, MPI_Datatype type);

#endif
