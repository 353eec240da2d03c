/*
 * span.h: a communicator over several machines: the compositions that can carry out its calls (wide/), and what is
 * needed for communication between machines.
 *
 * A composition has a node for each machine, or for each socket or memory region that has members.  The first one has
 * machines unless BANYAN_MPI_LEADERS says otherwise.  The composition is chosen for each call, the same on all members,
 * so all of them can send on one communicator: the messages of a call follow those of the previous one.
 */
#ifndef BN_MPI_FRONT_SPAN_H
#define BN_MPI_FRONT_SPAN_H

#include "front/circle.h"
#include "front/members.h"
#include "front/messages.h"
#include "host/ledger.h"
#include "wide/wide.h"

struct bn_composition {
    struct bn_node_team *team; /* members on this node */
    struct bn_hierarchy *hierarchy;
    int *speakers; /* by node: its leader, which may differ from its first member */
    struct bn_wide wide;
    struct bn_record record; /* used if a timeline is wanted */
};

struct bn_communicator_span {
    struct bn_messages_below messages;
    struct bn_network network;
    struct bn_composition *by[BN_CARRIER_COUNT]; /* by carrier; null: not a candidate here */
    struct bn_composition *current;              /* of the current or last call */
    int largest_team;                            /* number of members on the largest node of the first composition */
    bool has_circle;
    struct bn_circle circle; /* of the leaders, if has_circle */
    struct bn_circle_below leaders;
};

/** Makes the span of a communicator.  Collective.
 *
 * @param memory   Shared memory of the processes of this machine; null: none
 * @param has_rest Whether this member has everything else that it needs
 * @return Null on all: some member has no memory. */
struct bn_communicator_span *bn_span_join(struct bn_members *members, struct bn_world *memory, bool has_rest);

/** Writes its timelines, if they are wanted. */
void bn_span_report(const struct bn_communicator_span *span, int world_rank);

/** @param frees_communicators Whether MPI still allows callbacks to free communicators */
void bn_span_release(struct bn_communicator_span *span, bool frees_communicators);

/** Sets the carrier of the next call, which must have a composition. */
void bn_span_use(struct bn_communicator_span *span, enum bn_carrier carrier);

/** The carriers (bits, bn_candidate) by sockets and regions that could carry out an operation, too.
 *  @param may_keep_order Whether some of its calls have operators that are not commutative */
unsigned bn_span_parts(const struct bn_communicator_span *span, enum bn_operation operation, bool may_keep_order);

#endif
