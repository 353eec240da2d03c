/*
 * slabs.h: blocks of one node's members out of an array of all members' (a slab), on their way between nodes.
 *
 * Where ranks of a node follow each other, and blocks too, a slab is one piece of the array; else it is as many as
 * there are blocks, since other members may have other gaps between them.  So all members see the same runs.
 */
#ifndef BN_WIDE_SLABS_H
#define BN_WIDE_SLABS_H

#include "wide/parts.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An array of a block for each member */
struct bn_slabs {
    const struct bn_wide *wide;
    unsigned char *blocks;
    const struct bn_parts *parts; /* null: blocks of nbytes, one behind the other */
    size_t nbytes;
    bool is_dense; /* slabs are in one piece, on all members */
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
struct bn_run {
    unsigned char *data;
    size_t nbytes;
    int position; /* of the next run's first member */
};

/** A walk over the runs of a node: run->position begins with node->begin; false after the last.  None is empty. */
bool bn_slabs_next_run(const struct bn_slabs *slabs, const struct bn_node *node, struct bn_run *run);

/** Bytes of a slab */
size_t bn_slabs_bytes(const struct bn_slabs *slabs, const struct bn_node *node);

/** Copies a slab to or from packed memory. */
void bn_slabs_pack(const struct bn_slabs *slabs, const struct bn_node *node, unsigned char *packed);
void bn_slabs_unpack(const struct bn_slabs *slabs, const struct bn_node *node, const unsigned char *packed);

#ifdef __cplusplus
}
#endif

#endif
