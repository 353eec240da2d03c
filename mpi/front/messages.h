/*
 * messages.h: the library below as a network between members of a communicator (wide/network.h).
 */
#ifndef BN_MPI_FRONT_MESSAGES_H
#define BN_MPI_FRONT_MESSAGES_H

#include "front/below.h"
#include "wide/network.h"

/** Messages on a communicator that nobody else uses, *comm, which must last as long. */
struct bn_network bn_messages_on(MPI_Comm *comm);

#endif
