/*
 * messages.h: the library below as a network between members of a communicator (wide/network.h).
 */
#ifndef BN_MPI_FRONT_MESSAGES_H
#define BN_MPI_FRONT_MESSAGES_H

#include "coll/operation.h"
#include "front/below.h"
#include "wide/network.h"

struct bn_messages_below {
    MPI_Comm comm; /* private */
    int call;      /* tag of messages sent, and expected of those received: the same on all members in one call */
    enum bn_operation operation; /* the call's operation and root, which with its size make the tag */
    int root;
};

/** A network of such messages; `messages` must live as long.  A message of a call that is not the receiver's aborts the
 * job. */
struct bn_network bn_messages_on(struct bn_messages_below *messages);

/** The next messages belong to this call, which must be the same on all members. */
void bn_messages_begin(struct bn_messages_below *messages, enum bn_operation operation, const struct bn_call *call);

/** Notes that a message, or another request that is_done of such a network tests, has begun; result is what the library
 * below returned. */
void bn_message_begun(MPI_Comm comm, int result, MPI_Request request, struct bn_message *message);

#endif
