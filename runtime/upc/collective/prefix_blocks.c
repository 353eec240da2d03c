#include "upc/collective/prefix_blocks.h"

#include "coll/plan.h"
#include "upc/collective/collective.h"
#include "upc/collective/reduce_pieces.h"

#include <string.h>

/* With at least this many blocks for each thread, one block more for some threads is at most a quarter of the work. */
enum { MIN_BLOCKS_EACH = 4 };

bool bn_prefix_goes_by_blocks(const struct bn_cyclic *layout)
{
    const struct bn_plans *plans = bn_context.team.plans;
    size_t block_bytes = layout->block_elems * layout->elem_bytes;
    return block_bytes != 0 && block_bytes >= plans->tuning.prefix_block_bytes && layout->thread_count > 1 &&
           layout->elem_count / layout->block_elems >= MIN_BLOCKS_EACH * layout->thread_count &&
           plans->forced[BN_PREFIX] == NULL && bn_pieces_are_mapped();
}

/* Advances to the next run; *is_own_p: whether this thread holds it. */
static bool next_block(struct bn_walk *walk, bool *is_own_p)
{
    *is_own_p = walk->thread == (size_t)bn_context.thread;
    return bn_walk_next(walk);
}

/* The element of a block that the others read; it holds the block's result once that has been put there */
static unsigned char *result_of(const struct bn_cyclic *layout, struct bn_elem_run run, ptrdiff_t distance)
{
    return run.elem_count == 1 ? run.address : run.address + distance + (run.elem_count - 1) * layout->elem_bytes;
}

static void put_results(const struct bn_prefix_steps *steps, struct bn_fold *fold, const struct bn_cyclic *layout,
                        ptrdiff_t distance)
{
    struct bn_walk walk = bn_walk_begin(layout, 0, layout->elem_count);
    bool is_own;
    while (next_block(&walk, &is_own)) {
        if (!is_own || walk.run.elem_count == 1)
            continue;
        fold->is_given = false;
        steps->add(fold, walk.run);
        memcpy(result_of(layout, walk.run, distance), fold->value, layout->elem_bytes);
    }
}

static void put_what_comes_before(const struct bn_prefix_steps *steps, struct bn_fold *fold,
                                  const struct bn_cyclic *layout, ptrdiff_t distance)
{
    struct bn_walk walk = bn_walk_begin(layout, 0, layout->elem_count);
    bool is_own;
    fold->is_given = false;
    while (next_block(&walk, &is_own)) {
        if (is_own && fold->is_given)
            memcpy(walk.run.address + distance, fold->value, layout->elem_bytes);
        steps->add(fold, (struct bn_elem_run){result_of(layout, walk.run, distance), 1});
    }
}

void bn_prefix_by_blocks(const struct bn_prefix_steps *steps, struct bn_fold *fold, const struct bn_cyclic *layout,
                         ptrdiff_t distance)
{
    put_results(steps, fold, layout, distance);
    bn_collective_barrier();
    put_what_comes_before(steps, fold, layout, distance);
    bn_collective_barrier();
    struct bn_walk walk = bn_walk_begin(layout, 0, layout->elem_count);
    bool is_own;
    for (bool is_first = true; next_block(&walk, &is_own); is_first = false) {
        if (!is_own)
            continue;
        fold->is_given = !is_first;
        memcpy(fold->value, walk.run.address + distance, layout->elem_bytes);
        steps->scan(fold, walk.run, walk.run.address + distance);
    }
}
