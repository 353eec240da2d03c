/*
 * messages.h: the library below as a network between members of a communicator (wide/network.h).
 */
#ifndef BN_MPI_FRONT_MESSAGES_H
#define BN_MPI_FRONT_MESSAGES_H

#include "front/below.h"
#include "wide/network.h"

/** Messages on a communicator that nobody else uses, *comm, which must last as long. */
struct bn_network bn_messages_on(MPI_Comm *comm);

/** A message, or whatever else is_done of such a network knows, has been begun, and the library below said result. */
void bn_message_begun(MPI_Comm comm, int result, MPI_Request request, struct bn_message *message);

#endif
