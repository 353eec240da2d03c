/* exchange.h: what MPI_Sendrecv and MPI_Sendrecv_replace have in common, independent of the type of counts. */
#ifndef BN_MPI_THREADS_EXCHANGE_H
#define BN_MPI_THREADS_EXCHANGE_H

#include "threads/completion.h"

/** Finishes a receive and a send, in that order, that were started inside, the send with the given result: leaves, and
 *  returns when both have ended. */
int bn_complete_exchange(int send_result, MPI_Request requests[2], MPI_Status *status, MPI_Comm comm);

/** Reports to the communicator's error handler that there is no memory. */
int bn_exchange_without_memory(MPI_Comm comm);

#endif
