/*
 * combine_parts.h: vectors of all members, of which each node combines a part and its leader has the result of that.
 */
#ifndef BN_WIDE_COMBINE_PARTS_H
#define BN_WIDE_COMBINE_PARTS_H

#include "wide/vectors.h"

#ifdef __cplusplus
extern "C" {
#endif

/* As one member sees it.  Parts of nodes are counted in elements, and stand one behind the other. */
struct bn_combine_parts {
    struct bn_wide *wide;
    const struct bn_call *call;
    const size_t *begin; /* of each node's part, and the end of the last */
    /* At leaders: sums of this node of all parts, and what other nodes have sent for this node's */
    unsigned char *sums, *received;
    size_t first_message; /* of those received */
};

static inline struct bn_span bn_combine_part(const struct bn_combine_parts *parts, int node)
{
    return (struct bn_span){parts->begin[node], parts->begin[node + 1] - parts->begin[node]};
}

/** Elements of a piece of a part */
static inline size_t bn_combine_piece_count(const struct bn_combine_parts *parts)
{
    return bn_vector_elements(parts->call->vector, parts->wide->network->fragment_bytes);
}

/** Makes rooms (0 and 1) ready and begins to receive; at leaders.  False: no memory. */
bool bn_combine_parts_open(struct bn_combine_parts *parts);

/** Combines the parts of all nodes on this one, where the parts are spans of src, and sends them to their leaders. */
bn_status_t bn_combine_parts_send(struct bn_combine_parts *parts);

/** A piece of this node's part, combined over all nodes, to result; waits for those of the others.  At leaders. */
void bn_combine_parts_finish(struct bn_combine_parts *parts, size_t piece, unsigned char *result);

#ifdef __cplusplus
}
#endif

#endif
