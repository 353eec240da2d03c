/*
 * messages.h: the library below as a network between members of a communicator (wide/network.h).
 */
#ifndef BN_MPI_FRONT_MESSAGES_H
#define BN_MPI_FRONT_MESSAGES_H

#include "coll/operation.h"
#include "front/below.h"
#include "wide/network.h"

struct bn_messages_below {
    MPI_Comm comm;               /* that nobody else uses */
    int call;                    /* tag of what is sent, and of what must come: the same on all members in one call */
    enum bn_operation operation; /* and what it is made of, beside bytes */
    int root;
};

/** Messages of such, which must last as long.  One that belongs to another call than its receiver's ends the job. */
struct bn_network bn_messages_on(struct bn_messages_below *messages);

/** The messages that follow are of this call, which all its members describe alike. */
void bn_messages_begin(struct bn_messages_below *messages, enum bn_operation operation, const struct bn_call *call);

/** A message, or whatever else is_done of such a network knows, has been begun, and the library below said result. */
void bn_message_begun(MPI_Comm comm, int result, MPI_Request request, struct bn_message *message);

#endif
