/*
 * slabs.h: a slab is the blocks of one node's members within an array of blocks of all members, as it travels between
 * nodes.
 *
 * If the ranks of a node are consecutive and the blocks contiguous, a slab is one piece of the array; otherwise it has
 * one piece per block, since other members may have different gaps between them.  So all members see the same runs.
 */
#ifndef BN_WIDE_SLABS_H
#define BN_WIDE_SLABS_H

#include "wide/helpers.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An array of a block for each member */
struct bn_slabs {
    const struct bn_wide *wide;
    unsigned char *blocks;
    const struct bn_block_table *parts; /* null: contiguous blocks of nbytes */
    size_t nbytes;
    bool is_dense; /* every slab is one piece, on all members */
};

static inline unsigned char *bn_slabs_block(const struct bn_slabs *slabs, int rank)
{
    return slabs->blocks + bn_wide_block_offset(slabs->parts, slabs->nbytes, rank);
}

static inline size_t bn_slabs_block_bytes(const struct bn_slabs *slabs, int rank)
{
    return bn_wide_block_bytes(slabs->parts, slabs->nbytes, rank);
}

/* A slab, or a block of it */
struct bn_slab_run {
    unsigned char *data;
    size_t nbytes;
    int position; /* position of the next run's first member */
};

/** Iterates over the runs of a node: start with run->position = node->begin; returns false after the last run.  No run
 * is empty. */
bool bn_slabs_next_run(const struct bn_slabs *slabs, const struct bn_node *node, struct bn_slab_run *run);

/** Bytes of a slab */
size_t bn_slabs_bytes(const struct bn_slabs *slabs, const struct bn_node *node);

/** Copies a slab to or from packed memory. */
void bn_slabs_pack(const struct bn_slabs *slabs, const struct bn_node *node, unsigned char *packed);
void bn_slabs_unpack(const struct bn_slabs *slabs, const struct bn_node *node, const unsigned char *packed);

#ifdef __cplusplus
}
#endif

#endif
