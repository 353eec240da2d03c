/*
 * prefix_blocks.h: prefix reduce block by block, each block by the thread that holds it.
 *
 * Dividing the index range (reduce.c) gives every thread the same number of elements, but most of what it reads and
 * writes then lies on other threads.  Here owners access their own blocks, and all threads read only one value of each
 * block:
 *
 *   1. Each thread reduces each of its blocks, and puts the result into the last element of that block of dst. Barrier.
 *   2. Each thread walks over the results of all blocks, and puts the result of everything before a block of its own
 *   into the first element of that block of dst.  Barrier.  3. Each thread continues from there over each of its
 *   blocks.
 *
 * dst may hold intermediate results, since it does not overlap src and nobody may read it before the end (UPC 1.3,
 * library, 7.3.2).  A block of one element needs no reduction: it is its own result.
 */
#ifndef BN_UPC_COLLECTIVE_PREFIX_BLOCKS_H
#define BN_UPC_COLLECTIVE_PREFIX_BLOCKS_H

#include "coll/operation.h"
#include "upc/collective/reduce_layout.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Functions for one type. add reduces a run into fold->value; scan also writes each intermediate result to out.
 * run.elem_count > 0. */
struct bn_prefix_steps {
    void (*add)(struct bn_fold *fold, struct bn_elem_run run);
    void (*scan)(struct bn_fold *fold, struct bn_elem_run run, void *out);
};

/**
 * Whether this algorithm is the better one: blocks are not smaller than BANYAN_COLL_PREFIX_BLOCKS, the threads hold
 * about equal parts of the array, all of it is mapped, and BANYAN_COLL_PREFIX does not force a way of the other kind.
 * The result is the same for all threads.
 */
bool bn_prefix_goes_by_blocks(const struct bn_cyclic *layout);

/**
 * Carries out the prefix reduce.  Called by all threads, after bn_operation_enter and before bn_operation_leave.
 *
 * @param distance  bytes from an element of the array to the corresponding one of the result; may be negative
 * @cost  Two barriers, one more pass over the own blocks than the other algorithm, and one value of each block of the
 * array
 */
void bn_prefix_by_blocks(const struct bn_prefix_steps *steps, struct bn_fold *fold, const struct bn_cyclic *layout,
                         ptrdiff_t distance);

#ifdef __cplusplus
}
#endif

#endif
