// The execution models: in which order, and by which thread, the stages are run.
//
// BSD-3-Clause, the Banyan authors.
#ifndef APPS_FMM_MODELS_H
#define APPS_FMM_MODELS_H

#include "stages.h"

namespace fmm {

// Pieces of stages, and who must be before whom. A node comes after all that it waits for.
struct Graph {
    struct Node {
        fmm_stage stage;
        std::int32_t begin, end;
    };
    std::vector<Node> nodes;
    Lists before, after; // of each node
};

// Pieces of `tile` cells, and of `v_block` groups in FMM_V
Graph make_graph(const Stages &stages, int tile, int v_block);

// Runs all stages with as many threads as there are records. `graph` for the models with tasks
void run_model(Stages &stages, fmm_model model, int tile, int v_block, const Graph &graph);

inline bool has_tasks(fmm_model model)
{
    return model == FMM_NAIVE_TASKS || model == FMM_TILED_TASKS;
}

} // namespace fmm
#endif
