// The work as a graph: pieces of stages, and their dependences.
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

// A node executes its work items in order, after all nodes that it depends on. A node without work is a barrier.
struct Graph {
    std::vector<Work> work;
    std::vector<std::int32_t> first_work; // per node, and one past the last
    Lists before, after;                  // per node: those that it depends on, and those that depend on it
    // For make_subtrees. starts: per cell, the first node of its subtree: the way up, with the near field as the next
    // node, or just the near field; -1: the cell begins no subtree. others: other nodes without dependences
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

// Calls run(stage, begin, end) for each range of indices that may run in parallel, in a valid order.
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

// The number of indices of a stage that make up a piece
struct Sizes {
    int tile, v_block;
    int of(fmm_stage stage) const
    {
        return stage == FMM_V ? v_block : tile;
    }
};

// Pieces of `tile` cells, or of `v_block` groups for FMM_V
Graph make_tiles(const Stages &stages, Sizes sizes);

// Subtrees of at most `tile` cells: one node for the way up, one for the near field, and one for the way down. Cells
// above the subtrees are nodes of their own; the V list is as in make_tiles.
Graph make_subtrees(const Stages &stages, Sizes sizes);

// The same pieces as make_tiles, with a barrier after each range
Graph make_phases(const Stages &stages, Sizes sizes);

} // namespace fmm
#endif
