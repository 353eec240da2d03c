/*
 * combine_parts.h: vectors of all members, of which each node combines a part and its head has the result of that.
 */
#ifndef BN_WIDE_COMBINE_PARTS_H
#define BN_WIDE_COMBINE_PARTS_H

#include "wide/vectors.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { BN_LEADERS = -1 }; /* are the heads of all nodes */

/* As one member sees it.  Parts of nodes are counted in elements, and stand one behind the other. */
struct bn_combine_parts {
    struct bn_wide *wide;
    const struct bn_call *call;
    int root;            /* whose node it is the head of, or BN_LEADERS */
    const size_t *begin; /* of each node's part, and the end of the last */
    /* At heads: sums of this node of all parts, and what other nodes have sent for this node's */
    unsigned char *sums, *received;
    size_t first_message; /* of those received */
};

static inline struct bn_span bn_combine_part(const struct bn_combine_parts *parts, int node)
{
    return (struct bn_span){parts->begin[node], parts->begin[node + 1] - parts->begin[node]};
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

/** Elements of a piece of a part: those of the largest part are as equal as may be. */
size_t bn_combine_piece_count(const struct bn_combine_parts *parts);

/** Makes rooms (0 and 1) ready and begins to receive; at heads.  False: no memory. */
bool bn_combine_parts_open(struct bn_combine_parts *parts);

/** Begins to receive the results of all other nodes to dst, piece by piece, from the node before this one on
 *  backwards; after bn_combine_parts_open.  False: no memory. */
bool bn_combine_parts_open_results(const struct bn_combine_parts *parts);

/** Memory for the result of this node's part, at heads */
unsigned char *bn_combine_own_place(const struct bn_combine_parts *parts);

/** Combines the parts of all nodes on this one, where the parts are spans of src, and sends them to their heads. */
bn_status_t bn_combine_parts_send(struct bn_combine_parts *parts);

/** A piece of this node's part, combined over all nodes, to result; waits for those of the others.  At heads. */
void bn_combine_parts_finish(struct bn_combine_parts *parts, size_t piece, unsigned char *result);

#ifdef __cplusplus
}
#endif

#endif
