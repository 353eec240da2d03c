/*
 * shape.h: who are my peers?  Trees and rings over the members of a team, as pure arithmetic.
 *
 * A shape is a list of parts, the outermost first.  Each part connects the groups of one level inside a group of the
 * level before; the last part connects members.  The edges run between the leaders of the groups; the root leads the
 * group that it is in.  So "binomial.binomial.flat" is a binomial tree over nodes, in each node one over memory
 * regions, and in each region a flat tree over members.  Names by the number of parts:
 *
 *     1   members                                                 (knows nothing of the machine)
 *     2   nodes . members
 *     3   nodes . memory regions . members
 *     4   nodes . memory regions . caches . members
 *     5   switches . nodes . memory regions . caches . members
 *     distance   all levels, each flat: the tree of least weight (sum of distances) and, among those, of least depth,
 *                which Kruskal's algorithm finds if it takes edges by distance, those at the root first, then by rank
 *
 * Every tree has contiguous subtrees: the members of a subtree are neighbours in an order that depends on the hierarchy
 * and the number of parts, not on the root or the kinds (bn_shape_member_at).  For shapes of one part that order is
 * the members' own; for others it is by position in the hierarchy, which is the members' own order if threads are
 * placed in blocks.  So the same trees serve broadcast, reduce, scatter and gather.
 *
 * A tree may be built for every root, at the cost of bn_shape_tree; or once, for bn_shape_leader, and used for every
 * root by passing the data to that member first.
 *
 * Nothing here needs a running job.  Any thread may call these functions at any time.
 */
#ifndef BN_COLL_SHAPE_H
#define BN_COLL_SHAPE_H

#include "base/status.h"
#include "topology/hierarchy.h"

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How one part connects n groups */
enum bn_shape_kind {
    BN_SHAPE_FLAT,    /* one level: all are children of the root */
    BN_SHAPE_KNOMIAL, /* ceil(log_radix n) levels: split into radix parts, then each part again; radix 2 is binomial */
    BN_SHAPE_CHAIN,   /* each below the previous one; from a root in the middle, towards both ends */
};

enum { BN_SHAPE_PART_MAX = BN_LEVEL_COUNT + 1, BN_SHAPE_NAME_BYTES = 96, BN_SHAPE_RADIX_MAX = 1 << 20 };

struct bn_shape_part {
    enum bn_shape_kind kind;
    int radix;           /* of BN_SHAPE_KNOMIAL, at least 2 */
    enum bn_level level; /* whose groups are connected; not used in the last part, which connects members */
};

struct bn_shape {
    int part_count;
    struct bn_shape_part parts[BN_SHAPE_PART_MAX]; /* levels become smaller from part to part */
};

/**
 * Parses a name: 1 to 5 of flat, binomial, knomial-K, chain with dots between them, or "distance".  Returns false, and
 * reports nothing, if it is not a shape.
 */
bool bn_shape_parse(const char *name, struct bn_shape *shape_p);

/* Writes the name that bn_shape_parse reads.  name holds BN_SHAPE_NAME_BYTES. */
void bn_shape_format(const struct bn_shape *shape, char *name);

struct bn_tree_child {
    int rank;
    int part;  /* the part of the shape that connects it: 0 is the outermost */
    int first; /* its subtree: the members from this index on ... */
    int count; /* ... and how many they are, itself included */
};

/* A tree as one member sees it */
struct bn_tree {
    int parent; /* -1 at the root */
    int part;   /* the part of the shape that connects it to the parent; 0 at the root */
    int depth;  /* 0 at the root */
    int first;  /* subtree: index of the first member (bn_shape_member_at) and number of members, itself included */
    int count;
    int child_count;
    struct bn_tree_child *children; /* in the order in which to serve them: the farthest and deepest subtrees first */
};

/**
 * The tree as one member sees it.
 *
 * @errors BN_ERR_MEMORY: no room for the children; reported.
 * @cost   O(parts * log members) time for the k-nomial parts, O(1) for others, and O(children) time and memory.
 */
bn_status_t bn_shape_tree(const struct bn_hierarchy *hierarchy, const struct bn_shape *shape, int root, int rank,
                          struct bn_tree *tree_p);

void bn_tree_destroy(struct bn_tree *tree);

/* The member at an index of the order in which subtrees are contiguous. */
int bn_shape_member_at(const struct bn_hierarchy *hierarchy, const struct bn_shape *shape, int index);

/* The index of a member in it. */
int bn_shape_index_of(const struct bn_hierarchy *hierarchy, const struct bn_shape *shape, int rank);

/* Whether that order is the members' own, so that no data need be put into another order. */
bool bn_shape_is_in_rank_order(const struct bn_hierarchy *hierarchy, const struct bn_shape *shape);

/* The natural root: the first member in that order. */
int bn_shape_leader(const struct bn_hierarchy *hierarchy, const struct bn_shape *shape);

/* ---- Rings ---- */

enum bn_ring_order {
    BN_RING_BY_RANK,
    BN_RING_BY_DISTANCE, /* least sum of distances: enters and leaves each group of each level once */
};

struct bn_ring {
    int previous, next; /* members; in a team of one, both are the caller */
    int index;          /* place in the ring: the rank, or the position in the hierarchy */
};

/* @cost O(1) */
struct bn_ring bn_shape_ring(const struct bn_hierarchy *hierarchy, enum bn_ring_order order, int rank);

/* The member at an index of the ring; index may be from -members to 2 * members - 1. */
int bn_shape_ring_member(const struct bn_hierarchy *hierarchy, enum bn_ring_order order, int index);

#ifdef __cplusplus
}
#endif

#endif
