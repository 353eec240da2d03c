/*
 * parts.h: what the files of this folder share: heads, the node's share of an operation, messages, rooms.
 */
#ifndef BN_WIDE_PARTS_H
#define BN_WIDE_PARTS_H

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

/* The node that is distance further on than this one, counted in a circle */
static inline struct bn_node bn_wide_node_behind(const struct bn_wide *wide, int distance)
{
    return bn_wide_node(wide, (wide->mine.index + distance) % wide->node_count);
}

/* The member at its first position, where its blocks begin; often its leader */
static inline int bn_wide_first(const struct bn_wide *wide, const struct bn_node *node)
{
    return bn_hierarchy_member_at(wide->hierarchy, node->begin);
}

/* Who sends and receives for a node in an operation with a root */
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

/* Where blocks of an array of all members lie: parts if there are any, else one behind the other */
static inline size_t bn_wide_block_bytes(const struct bn_parts *parts, size_t nbytes, int rank)
{
    return parts ? parts->bytes[rank] : nbytes;
}

static inline size_t bn_wide_block_offset(const struct bn_parts *parts, size_t nbytes, int rank)
{
    return parts ? parts->offsets[rank] : (size_t)rank * nbytes;
}

/** Blocks of this node's members out of an array of all, for a call of near: the tables from an index on, 0 or 2. */
struct bn_parts bn_wide_near_parts(struct bn_wide *wide, int table, const struct bn_parts *parts, size_t nbytes);

/* ---- The node's share ---- */

/** A call of near, with MYSYNC on both sides; its root is a rank in near. */
bn_status_t bn_wide_near(struct bn_wide *wide, enum bn_operation operation, struct bn_call call);

/* ---- Messages ---- */

/** Begin messages of any size; their number is that of messages.count before, and they are awaited together.
 *  @errors False: no memory. */
bool bn_wide_send(struct bn_wide *wide, int to, const void *data, size_t nbytes);
bool bn_wide_receive(struct bn_wide *wide, int from, void *data, size_t nbytes);

/** The next one, to be begun by somebody else.  Null: no memory. */
struct bn_message *bn_wide_next_message(struct bn_wide *wide);

/** Waits for messages begin .. end-1 of this operation. */
void bn_wide_await(struct bn_wide *wide, size_t begin, size_t end);
void bn_wide_await_all(struct bn_wide *wide);

/* Blocks of an exchange that travel by leaders have at most so many. */
enum { BN_WIDE_PACKED_BYTES = 4096 };

/* ---- Rooms ---- */

/** Memory of a room, aligned to 64; null: there is none. */
unsigned char *bn_wide_room(struct bn_wide *wide, int which, size_t nbytes);

/* ---- Trees of nodes ---- */

enum { BN_WIDE_CHILDREN = 32, BN_WIDE_FLAT_NODES = 16 };

/* As this node sees it; nodes are numbers of the hierarchy's. */
struct bn_wide_tree {
    int parent; /* -1 at the root */
    int child_count;
    int children[BN_WIDE_CHILDREN]; /* the one whose subtree is deepest first */
    double time;                    /* of the whole, in bytes that a link carries in it */
    size_t fragment;                /* bytes of the pieces in which data go down it */
};

/** The tree that takes least time for a message, by a model of the network: flat, binomial or a chain. */
struct bn_wide_tree bn_wide_tree_choose(const struct bn_wide *wide, int root_node, size_t nbytes);

/**
 * Bytes of the pieces in which nbytes travel, as equal as may be.
 *
 * @param behind How many times somebody waits for one whole piece: the last one, where it is handed on.
 * @param has_steps All members of a node must take part in each piece before it is sent.
 */
size_t bn_wide_fragment(const struct bn_wide *wide, size_t nbytes, int behind, bool has_steps);

/** That of a chain of so many hops */
double bn_wide_chain_time(const struct bn_wide *wide, int hops, size_t nbytes);

/* ---- By what leaders do together (circle.h): these parts of operations below, if wide->circle is there ---- */

/** Leaders of all nodes meet.  At leaders. */
bn_status_t bn_circle_meet(struct bn_wide *wide);
/** Each has parts for the others, and gets theirs; done when messages are.  At leaders.  False: no memory. */
bool bn_circle_exchange(struct bn_wide *wide, const void *src, void *dst, struct bn_circle_parts parts);
/** The slabs of all nodes to all leaders, each of which has its own; done when messages are.  False: no memory. */
bool bn_circle_gather_all(struct bn_wide *wide, void *data, struct bn_circle_parts parts);
bn_status_t bn_circle_broadcast(struct bn_wide *wide, const struct bn_call *call);
bn_status_t bn_circle_combine(struct bn_wide *wide, const struct bn_call *call);
bn_status_t bn_circle_combine_all(struct bn_wide *wide, const struct bn_call *call);

/* ---- Operations; differ: blocks of different sizes, as all members know ---- */

bn_status_t bn_wide_barrier(struct bn_wide *wide);
bn_status_t bn_wide_broadcast(struct bn_wide *wide, const struct bn_call *call);
bn_status_t bn_wide_scatter(struct bn_wide *wide, const struct bn_call *call, bool differ);
bn_status_t bn_wide_gather(struct bn_wide *wide, const struct bn_call *call, bool differ);
bn_status_t bn_wide_gather_all(struct bn_wide *wide, const struct bn_call *call);
bn_status_t bn_wide_exchange(struct bn_wide *wide, const struct bn_call *call, bool differ);
bn_status_t bn_wide_combine(struct bn_wide *wide, const struct bn_call *call);
bn_status_t bn_wide_combine_by_parts(struct bn_wide *wide, const struct bn_call *call);
/** As that of a tree */
double bn_wide_parts_time(const struct bn_wide *wide, size_t nbytes);
bn_status_t bn_wide_combine_all(struct bn_wide *wide, const struct bn_call *call);
bn_status_t bn_wide_combine_scatter(struct bn_wide *wide, const struct bn_call *call);
bn_status_t bn_wide_combine_prefix(struct bn_wide *wide, const struct bn_call *call);

#ifdef __cplusplus
}
#endif

#endif
