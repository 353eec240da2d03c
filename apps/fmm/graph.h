// Work as a graph: pieces of stages, and who must be before whom.
//
// BSD-3-Clause, the Banyan authors.
#ifndef APPS_FMM_GRAPH_H
#define APPS_FMM_GRAPH_H

#include "stages.h"

namespace fmm {

struct Work {
    fmm_stage stage;
    std::int32_t begin, end;
};

// A node does its work one after the other, and begins after all nodes that it waits for. One without work is a
// barrier.
struct Graph {
    std::vector<Work> work;
    std::vector<std::int32_t> first_work; // of each node, and one past the last
    Lists before, after;                  // of each node: those that it waits for, and that wait for it
    // Of make_subtrees: the first of the nodes of a cell's subtree, which goes up, and the next one is its near field,
    // or the first is that; -1: the cell begins no subtree. And those that wait for nobody elsewhere
    std::vector<std::int32_t> starts, others;

    long nodes() const
    {
        return static_cast<long>(first_work.size()) - 1;
    }
    const Work *begin(long node) const
    {
        return work.data() + first_work[at(node)];
    }
    const Work *end(long node) const
    {
        return work.data() + first_work[at(node) + 1];
    }
};

// Calls run(stage, begin, end) for each range of indices that may run in parallel, in an order that is right.
template <typename Run> void each_range(const Stages &stages, const Run &run)
{
    const Tree &tree = stages.tree;
    for (int level = tree.levels() - 1; level >= FIRST_FAR_LEVEL; level--) {
        run(FMM_UP, tree.level_first[at(level)], tree.level_first[at(level) + 1]);
    }
    for (fmm_stage stage : {FMM_TRANSFORM, FMM_V}) {
        for (int level = 0; level < tree.levels(); level++) {
            run(stage, stages.group_first[at(level)], stages.group_first[at(level) + 1]);
        }
    }
    for (int level = FIRST_FAR_LEVEL; level < tree.levels(); level++) {
        run(FMM_DOWN, tree.level_first[at(level)], tree.level_first[at(level) + 1]);
    }
    run(FMM_U, 0, static_cast<long>(tree.leaves.size()));
    run(FMM_LEAF, 0, static_cast<long>(tree.leaves.size()));
}

// How much of a stage is a piece
struct Sizes {
    int tile, v_block;
    int of(fmm_stage stage) const
    {
        return stage == FMM_V ? v_block : tile;
    }
};

// Pieces of `tile` cells, and of `v_block` groups in FMM_V
Graph make_tiles(const Stages &stages, Sizes sizes);

// Subtrees of at most `tile` cells: one node with all of the way up, one with the near field, and one with all of the
// way down; the cells above these one by one; the V list as in make_tiles.
Graph make_subtrees(const Stages &stages, Sizes sizes);

// The same pieces as make_tiles, each range of them behind a barrier
Graph make_phases(const Stages &stages, Sizes sizes);

} // namespace fmm
#endif
