/* exchange.h: what MPI_Sendrecv and MPI_Sendrecv_replace have in common, whatever the type of counts. */
#ifndef BN_MPI_THREADS_EXCHANGE_H
#define BN_MPI_THREADS_EXCHANGE_H

#include "threads/completion.h"

/** Goes on with a receive and a send, in that order, of which the receive has been started inside, and the send with
 *  that result; leaves, and returns when both have ended. */
int bn_complete_exchange(int send_result, MPI_Request requests[2], MPI_Status *status, MPI_Comm comm);

/** There is no memory: what the communicator's error handler makes of it. */
int bn_exchange_without_memory(MPI_Comm comm);

#endif
