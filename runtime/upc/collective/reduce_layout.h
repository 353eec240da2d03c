/*
 * reduce_layout.h: where the elements of a block-cyclic array lie, for reductions.
 *
 * The elements on one thread are contiguous, so if order does not matter, a thread reduces one run of memory.  If order
 * matters, each thread takes a part of the index range and walks over it block by block.
 */
#ifndef BN_UPC_COLLECTIVE_REDUCE_LAYOUT_H
#define BN_UPC_COLLECTIVE_REDUCE_LAYOUT_H

#include "banyan/access.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* shared [block_elems] T array[elem_count], from a pointer that may point into a block; block_elems 0: on one thread */
struct bn_cyclic {
    uint64_t origin; /* address of the start of the first block, which may lie before the first element */
    size_t thread;   /* of the first block */
    size_t phase;
    size_t block_elems;
    size_t elem_bytes;
    size_t elem_count;
    size_t thread_count;
};

struct bn_cyclic bn_cyclic_of(bn_pts_t src, size_t elem_count, size_t block_elems, size_t elem_bytes);

/* Whether all elements are contiguous: those of every array of a single thread are. */
static inline bool bn_is_one_block(const struct bn_cyclic *layout)
{
    return layout->block_elems == 0 || layout->thread_count == 1;
}

/* Elements that are contiguous in memory */
struct bn_elem_run {
    unsigned char *address;
    size_t elem_count;
};

/* All elements that a thread holds; only for block_elems > 0. */
struct bn_elem_run bn_cyclic_held(const struct bn_cyclic *layout, size_t thread);

/* The elements among first .. first + elem_count - 1 that a thread holds; elem_count > 0. */
struct bn_elem_run bn_cyclic_part(const struct bn_cyclic *layout, size_t first, size_t elem_count, size_t thread);

/* A walk over a range of indices, run by run, in order: while (bn_walk_next(&walk)) use walk.run */
struct bn_walk {
    const struct bn_cyclic *layout;
    size_t left;
    size_t thread, row, within; /* where the next run begins: thread, block on the thread, element in the block */
    struct bn_elem_run run;
};

struct bn_walk bn_walk_begin(const struct bn_cyclic *layout, size_t first, size_t elem_count);

static inline bool bn_walk_next(struct bn_walk *walk)
{
    const struct bn_cyclic *layout = walk->layout;
    if (walk->left == 0)
        return false;
    size_t in_block = bn_is_one_block(layout) ? walk->left : layout->block_elems - walk->within;
    size_t elem_count = in_block < walk->left ? in_block : walk->left;
    uint64_t thread_offset = bn_stride((uint64_t)walk->thread - (uint64_t)layout->thread);
    uint64_t elem_offset = (walk->row * layout->block_elems + walk->within) * layout->elem_bytes;
    walk->run = (struct bn_elem_run){(unsigned char *)(layout->origin + thread_offset + elem_offset), elem_count};
    walk->left -= elem_count;
    walk->within = 0;
    if (++walk->thread == layout->thread_count) {
        walk->thread = 0;
        walk->row++;
    }
    return true;
}

#ifdef __cplusplus
}
#endif

#endif
