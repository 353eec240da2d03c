/*
 * combine_parts.h: reductions in which each node combines one part of the vectors of all members, and its head gets the
 * result of that part.
 */
#ifndef BN_WIDE_COMBINE_PARTS_H
#define BN_WIDE_COMBINE_PARTS_H

#include "wide/helpers.h"
#include "wide/vectors.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { BN_LEADERS = -1 }; /* leaders are the heads of all nodes */

/* One member's view.  Parts of nodes are counted in elements and are contiguous. */
struct bn_combine_parts {
    struct bn_wide *wide;
    const struct bn_call *call;
    int root;            /* the root, which is the head of its node, or BN_LEADERS */
    const size_t *begin; /* begin of each node's part, and the end of the last */
    /* At heads: this node's sums of all parts, and the sums that other nodes have sent for this node's part */
    unsigned char *sums, *received;
    size_t first_message; /* first of the messages to receive */
};

static inline struct bn_elements bn_combine_part(const struct bn_combine_parts *parts, int node)
{
    return (struct bn_elements){parts->begin[node], parts->begin[node + 1] - parts->begin[node]};
}

static inline int bn_combine_head(const struct bn_combine_parts *parts, int node)
{
    return parts->root == BN_LEADERS ? bn_wide_node(parts->wide, node).leader
                                     : bn_wide_head(parts->wide, node, parts->root);
}

static inline bool bn_combine_is_head(const struct bn_combine_parts *parts)
{
    return parts->wide->rank == bn_combine_head(parts, parts->wide->mine.index);
}

/** Elements per piece of a part, chosen so that the pieces of the largest part are as equal as possible. */
size_t bn_combine_piece_count(const struct bn_combine_parts *parts);

/** Prepares rooms 0 and 1 and begins to receive; at heads.  Returns false if there is no memory. */
bool bn_combine_parts_open(struct bn_combine_parts *parts);

/** Begins to receive the results of all other nodes into dst, piece by piece, backwards from the node before this one;
 * after bn_combine_parts_open.  Returns false if there is no memory. */
bool bn_combine_parts_open_results(const struct bn_combine_parts *parts);

/** Memory for the result of this node's part; at heads */
unsigned char *bn_combine_own_place(const struct bn_combine_parts *parts);

/** Combines each node's part over the members of this node (parts are spans of src), and sends the sums to the nodes'
 * heads. */
bn_status_t bn_combine_parts_send(struct bn_combine_parts *parts);

/** Combines a piece of this node's part over all nodes into result, after waiting for the other nodes' sums.  At
 * heads. */
void bn_combine_parts_finish(struct bn_combine_parts *parts, size_t piece, unsigned char *result);

#ifdef __cplusplus
}
#endif

#endif
