/*
 * helpers.h: helpers shared by the files of this folder: heads, the node's share of an operation, messages, rooms.
 */
#ifndef BN_WIDE_HELPERS_H
#define BN_WIDE_HELPERS_H

#include "wide/wide.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Members ---- */

static inline int bn_wide_node_of(const struct bn_wide *wide, int rank)
{
    return bn_hierarchy_group_of(wide->hierarchy, BN_LEVEL_NODE, rank);
}

static inline int bn_wide_leader(const struct bn_wide *wide, int node)
{
    return wide->leaders ? wide->leaders[node] : bn_hierarchy_leader(wide->hierarchy, BN_LEVEL_NODE, node);
}

static inline struct bn_node bn_wide_node(const struct bn_wide *wide, int index)
{
    struct bn_node node = bn_node_at(wide->hierarchy, index);
    node.leader = bn_wide_leader(wide, index);
    return node;
}

/* The node `distance` after this one, in circular order */
static inline struct bn_node bn_wide_node_behind(const struct bn_wide *wide, int distance)
{
    return bn_wide_node(wide, (wide->mine.index + distance) % wide->node_count);
}

/* The member at the node's first position, where its blocks begin; often its leader */
static inline int bn_wide_first(const struct bn_wide *wide, const struct bn_node *node)
{
    return bn_hierarchy_member_at(wide->hierarchy, node->begin);
}

/* The head of a node, which sends and receives for it in an operation with a root */
static inline int bn_wide_head(const struct bn_wide *wide, int node, int root)
{
    return bn_wide_node_of(wide, root) == node ? root : bn_wide_leader(wide, node);
}

/* The rank in near of a member of this node, and back */
static inline int bn_wide_near_rank(const struct bn_wide *wide, int rank)
{
    return bn_hierarchy_position_of(wide->hierarchy, rank) - wide->mine.begin;
}

static inline int bn_wide_rank_of_near(const struct bn_wide *wide, int near_rank)
{
    return bn_hierarchy_member_at(wide->hierarchy, wide->mine.begin + near_rank);
}

static inline int bn_wide_near_size(const struct bn_wide *wide)
{
    return bn_node_size(&wide->mine);
}

static inline int bn_wide_near_leader(const struct bn_wide *wide)
{
    return bn_wide_near_rank(wide, wide->mine.leader);
}

static inline bool bn_wide_is_leader(const struct bn_wide *wide)
{
    return wide->rank == wide->mine.leader;
}

/* ---- Blocks ---- */

/* Where the blocks of an array of all members lie: as `parts` says, or contiguous if it is null */
static inline size_t bn_wide_block_bytes(const struct bn_block_table *parts, size_t nbytes, int rank)
{
    return parts ? parts->bytes[rank] : nbytes;
}

static inline size_t bn_wide_block_offset(const struct bn_block_table *parts, size_t nbytes, int rank)
{
    return parts ? parts->offsets[rank] : (size_t)rank * nbytes;
}

/** The blocks of this node's members in an array of all members, for a call of near; uses two tables starting at index
 * 0 or 2. */
struct bn_block_table bn_wide_near_parts(struct bn_wide *wide, int table, const struct bn_block_table *parts,
                                         size_t nbytes);

/* ---- The node's share ---- */

/** Runs a call of near, with MYSYNC on both sides; its root is a rank in near. */
bn_status_t bn_wide_near(struct bn_wide *wide, enum bn_operation operation, struct bn_call call);

/* ---- Messages ---- */

/** Begin messages of any size, numbered from the current messages.count on; their pieces are awaited together. @errors
 * False if there is no memory. */
bool bn_wide_send(struct bn_wide *wide, int to, const void *data, size_t nbytes);
bool bn_wide_receive(struct bn_wide *wide, int from, void *data, size_t nbytes);

/** The next message, to be begun by the caller.  Null if there is no memory. */
struct bn_message *bn_wide_next_message(struct bn_wide *wide);

/** Waits for messages begin .. end-1 of this operation. */
void bn_wide_await(struct bn_wide *wide, size_t begin, size_t end);
void bn_wide_await_all(struct bn_wide *wide);

/* The largest blocks of an exchange that travel through leaders. */
enum { BN_WIDE_PACKED_BYTES = 4096 };

/* ---- Rooms ---- */

/** Memory of a room, aligned to 64 bytes; null if there is no memory. */
unsigned char *bn_wide_room(struct bn_wide *wide, int which, size_t nbytes);

/* ---- Trees of nodes ---- */

enum { BN_WIDE_CHILDREN = 32, BN_WIDE_FLAT_NODES = 16 };

/* One node's view of a tree; nodes are numbered as in the hierarchy. */
struct bn_wide_tree {
    int parent; /* -1 at the root */
    int child_count;
    int children[BN_WIDE_CHILDREN]; /* the child with the deepest subtree comes first */
    double time;                    /* time of the whole operation, in bytes that a link carries in it */
    size_t fragment;                /* bytes of the pieces in which data travels down the tree */
};

/** The fastest tree for a message according to a model of the network: flat, binomial or a chain. */
struct bn_wide_tree bn_wide_tree_choose(const struct bn_wide *wide, int root_node, size_t nbytes);

/**
 * Bytes of the pieces in which nbytes travel; pieces are as equal as possible.
 *
 * @param behind The number of hops that wait for one whole piece (the last one) because they forward it.
 * @param has_steps All members of a node must take part in each piece before it is sent.
 */
size_t bn_wide_fragment(const struct bn_wide *wide, size_t nbytes, int behind, bool has_steps);

/** The time of a chain with this many hops */
double bn_wide_chain_time(const struct bn_wide *wide, int hops, size_t nbytes);

/* ---- Collectives of leaders (circle.h), used by the operations below if wide->circle is set ---- */

/** A barrier of the leaders of all nodes.  At leaders. */
bn_status_t bn_circle_meet(struct bn_wide *wide);
/** Each leader sends parts to the others and receives theirs; complete when messages are.  At leaders.  False if there
 * is no memory. */
bool bn_circle_exchange(struct bn_wide *wide, const void *src, void *dst, struct bn_circle_parts parts);
/** Gathers the slabs of all nodes at all leaders, where a leader's own is in place; complete when messages are.  False
 * if there is no memory. */
bool bn_circle_gather_all(struct bn_wide *wide, void *data, struct bn_circle_parts parts);
bn_status_t bn_circle_broadcast(struct bn_wide *wide, const struct bn_call *call);
bn_status_t bn_circle_combine(struct bn_wide *wide, const struct bn_call *call);
bn_status_t bn_circle_combine_all(struct bn_wide *wide, const struct bn_call *call);

/* ---- Operations; differ: blocks have different sizes; the same on all members ---- */

bn_status_t bn_wide_barrier(struct bn_wide *wide);
bn_status_t bn_wide_broadcast(struct bn_wide *wide, const struct bn_call *call);
bn_status_t bn_wide_scatter(struct bn_wide *wide, const struct bn_call *call, bool differ);
bn_status_t bn_wide_gather(struct bn_wide *wide, const struct bn_call *call, bool differ);
bn_status_t bn_wide_gather_all(struct bn_wide *wide, const struct bn_call *call);
bn_status_t bn_wide_exchange(struct bn_wide *wide, const struct bn_call *call, bool differ);
bn_status_t bn_wide_combine(struct bn_wide *wide, const struct bn_call *call);
bn_status_t bn_wide_combine_by_parts(struct bn_wide *wide, const struct bn_call *call);
/** The time, in the unit of a tree's time */
double bn_wide_parts_time(const struct bn_wide *wide, size_t nbytes);
bn_status_t bn_wide_combine_all(struct bn_wide *wide, const struct bn_call *call);
bn_status_t bn_wide_combine_scatter(struct bn_wide *wide, const struct bn_call *call);
bn_status_t bn_wide_combine_prefix(struct bn_wide *wide, const struct bn_call *call);

#ifdef __cplusplus
}
#endif

#endif
