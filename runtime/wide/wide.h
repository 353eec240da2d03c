/*
 * wide.h: operations of members on several nodes, composed of the engine's operations on each node and of messages
 * between nodes (docs/design/013-mpi-nodes.md).
 *
 * On each node a team (coll/team.h) that announces its buffers carries out the node's share; towards the network each
 * node has a head: the root on the root's node, the leader (topology/hierarchy.h) elsewhere.  Heads forward data
 * fragment by fragment: while one is copied on a node, the next ones are on the wire.  Large blocks with a single
 * receiver are sent to it without a head.  With one node only the engine is used, and with one member per node only the
 * network.
 *
 * A struct bn_wide is one member's view, private to it.
 */
#ifndef BN_WIDE_WIDE_H
#define BN_WIDE_WIDE_H

#include "coll/node.h"
#include "coll/operation.h"
#include "wide/circle.h"
#include "wide/network.h"
#include "wide/record.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A buffer that is kept between calls unless it is large */
struct bn_wide_room {
    unsigned char *memory;
    size_t size_bytes;
};
enum { BN_WIDE_ROOMS = 4, BN_WIDE_ROOM_KEPT_BYTES = 4 << 20 };

/* Messages of the current operation */
struct bn_messages {
    struct bn_message *list;
    size_t count, room;
};

struct bn_wide {
    struct bn_team *near; /* members of this node, in the order of their positions */
    int rank, size;
    const struct bn_hierarchy *hierarchy; /* of all members, the same everywhere; only its nodes are used */
    const struct bn_network *network;
    /* Null, as set by bn_wide_init: only messages are used.  Otherwise used by operations that support it
     * (bn_circle_has); must be set on all members or on none.  Members that do not lead a node only test whether it is
     * set. */
    const struct bn_circle *circle;
    const int *leaders; /* by node: the member that leads it; null: the first one */
    struct bn_node mine;
    int node_count;
    struct bn_messages messages;
    struct bn_wide_room rooms[BN_WIDE_ROOMS];
    struct bn_record *record; /* null, as set by bn_wide_init, or a record that lives as long */
    size_t *near_tables;      /* four, by rank in near: for calls of operations with blocks of different sizes */
};

/** Initialises the view of a rank.  near, hierarchy and network must live as long. @errors False if there is no
 * memory. */
bool bn_wide_init(struct bn_wide *wide, int rank, struct bn_team *near, const struct bn_hierarchy *hierarchy,
                  const struct bn_network *network);
void bn_wide_destroy(struct bn_wide *wide);

/** Sets, before any call, which member of each node sends and receives for it, instead of the first one; the same on
 * all members, and must live as long. */
void bn_wide_lead(struct bn_wide *wide, const int *leaders);

/** Whether an operation can be carried out; the same on all members.  Prefixes, and operations whose operands may not
 * be reordered, need nodes with consecutive ranks. */
bool bn_wide_can_run(const struct bn_wide *wide, enum bn_operation operation, bool keeps_order);

/**
 * Carries out a call as bn_operation_run does for a team that announces its buffers; dst and src are the member's own,
 * in and out are BN_SYNC_MY, nbytes is the same on all members.  Of UPC's operations it supports broadcast, scatter,
 * gather, gather_all, exchange and barrier.
 *
 * @errors BN_ERR_MEMORY, BN_ERR_INVALID: the others may wait for this member forever.
 */
bn_status_t bn_wide_run(struct bn_wide *wide, enum bn_operation operation, const struct bn_call *call);

#ifdef __cplusplus
}
#endif

#endif
