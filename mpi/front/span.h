/*
 * span.h: what a communicator over several machines has: the ways in which its calls are composed (wide/), and what
 * goes between machines.
 *
 * A composition has a node for each machine (the first one, if BANYAN_MPI_LEADERS says nothing else), or for each
 * socket or memory region that has members.  Which of them carries out a call is chosen for each call, the same on all
 * members; so all send on one communicator, since a call's messages follow those of the call before.
 */
#ifndef BN_MPI_FRONT_SPAN_H
#define BN_MPI_FRONT_SPAN_H

#include "front/circle.h"
#include "front/members.h"
#include "front/messages.h"
#include "host/ledger.h"
#include "wide/link.h"
#include "wide/wide.h"

struct bn_composition {
    struct bn_node_team *team; /* of the members on this node */
    struct bn_hierarchy *hierarchy;
    int *speakers; /* by node: its leader, if that is not the first of its members */
    struct bn_wide wide;
    struct bn_record record; /* if a timeline is wanted */
};

struct bn_communicator_span {
    struct bn_messages_below messages;
    struct bn_network network;
    struct bn_composition *by[BN_CARRIER_COUNT]; /* that a carrier runs; null: it is no candidate here */
    struct bn_composition *current;              /* that runs the call, or ran the last one */
    int largest_team;                            /* members on the node of the first composition that has most */
    bool has_circle;
    struct bn_circle circle; /* of its leaders, if so */
    struct bn_circle_below leaders;
};

/** Makes that of a communicator; all members come here.
 *
 * @param memory   What the processes of this machine have together; null: nothing
 * @param has_rest This member has what else it needs.
 * @return Null on all: some member has no memory. */
struct bn_communicator_span *bn_span_join(struct bn_members *members, struct bn_world *memory, bool has_rest);

/** Writes what is to be kept of it: timelines. */
void bn_span_report(const struct bn_communicator_span *span, int world_rank);

/** @param frees_communicators While MPI lets callbacks free those that it has made */
void bn_span_release(struct bn_communicator_span *span, bool frees_communicators);

/** Who carries out the next call: one that is there. */
void bn_span_use(struct bn_communicator_span *span, enum bn_carrier carrier);

/** The sum of bn_candidate of the compositions of sockets and regions that could carry out an operation as well as the
 *  first one.
 *  @param may_keep_order Some of its calls have operands that may not change places. */
unsigned bn_span_parts(const struct bn_communicator_span *span, enum bn_operation operation, bool may_keep_order);

#endif
