/*
 * range.h: contiguous blocks of several ranks, for scatter and gather over trees.
 *
 * A subtree is a range of indices in the tree's order of members (coll/shape.h).  A buffer holds the blocks of a range
 * in that order; the array at the root holds all blocks in the order of ranks.
 */
#ifndef BN_COLL_RANGE_H
#define BN_COLL_RANGE_H

#include "coll/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a member announces about the buffer in which it keeps the blocks of its subtree */
struct bn_range {
    uint64_t address; /* 0: it has none */
    int first, count;
};

static inline struct bn_range bn_range_of(const struct bn_branch *branch, uint64_t address)
{
    return (struct bn_range){address, branch->tree->first, branch->tree->count};
}

/* Copies the bytes [begin, end), counted in the tree's order from index 0 on, between the array at the root and a piece
 * of a buffer, where they begin at piece. */
void bn_range_from_root(const struct bn_plan *plan, const unsigned char *array, unsigned char *piece, size_t begin,
                        size_t end, size_t nbytes);
void bn_range_to_root(const struct bn_plan *plan, unsigned char *array, const unsigned char *piece, size_t begin,
                      size_t end, size_t nbytes);

#ifdef __cplusplus
}
#endif

#endif
