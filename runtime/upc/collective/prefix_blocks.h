/*
 * prefix_blocks.h: prefix reduce block by block, each block by the thread that holds it.
 *
 * Dividing the index range (reduce.c) gives every thread the same number of elements, but most of what it reads and
 * writes then lies on other threads.  Here owners access their own blocks, and all threads read only one value of each
 * block:
 *
 *   1. Each thread reduces each of its blocks, and puts the result into the last element of that block of dst. Barrier.
 *   2. Each thread walks over the results of all blocks, and puts what comes before a block of its own into the first
 *      element of that block of dst.  Barrier.
 *   3. Each thread continues from there over each of its blocks.
 *
 * dst may hold intermediate results, since it does not overlap src and nobody may read it before the end (UPC 1.3,
 * library, 7.3.2).  A block of one element needs no result: it is one.
 */
#ifndef BN_UPC_COLLECTIVE_PREFIX_BLOCKS_H
#define BN_UPC_COLLECTIVE_PREFIX_BLOCKS_H

#include "coll/operation.h"
#include "upc/collective/reduce_layout.h"

#ifdef __cplusplus
extern "C" {
#endif

/* For one type: reduces a run onto fold->value; the same, and writes each step to out.  run.elem_count > 0. */
struct bn_prefix_steps {
    void (*add)(struct bn_fold *fold, struct bn_run run);
    void (*scan)(struct bn_fold *fold, struct bn_run run, void *out);
};

/**
 * Whether this is the better way: blocks are not smaller than BANYAN_COLL_PREFIX_BLOCKS, the threads hold about as much
 * of the array as each other, all of it is mapped, and BANYAN_COLL_PREFIX does not ask for a way of the other kind. The
 * same for all threads.
 */
bool bn_prefix_goes_by_blocks(const struct bn_layout *layout);

/**
 * Carries it out, for all threads together, after bn_operation_enter and before bn_operation_leave.
 *
 * @param distance  from an element of the array to that of the result, in bytes; of either sign
 * @cost  Two barriers, one more pass over the own blocks than the other way has, and a value of each block of the array
 */
void bn_prefix_by_blocks(const struct bn_prefix_steps *steps, struct bn_fold *fold, const struct bn_layout *layout,
                         ptrdiff_t distance);

#ifdef __cplusplus
}
#endif

#endif
