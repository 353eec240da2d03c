// The execution models: in which order, and by which thread, the stages are run.
//
// BSD-3-Clause, the Banyan authors.
#ifndef APPS_FMM_MODELS_H
#define APPS_FMM_MODELS_H

#include "graph.h"

namespace fmm {

// How much of a stage this model makes a piece
Sizes sizes_of(fmm_model model, Sizes sizes);

// What waits for what in a model: what models with tasks run, and what those without do by barriers
Graph make_graph(const Stages &stages, fmm_model model, Sizes sizes);

// Runs all stages with as many threads as there are records. `graph` for the models with tasks
void run_model(Stages &stages, fmm_model model, Sizes sizes, const Graph &graph);

inline bool has_tasks(fmm_model model)
{
    return model == FMM_NAIVE_TASKS || model >= FMM_TILED_TASKS;
}

// With tasks of oneTBB. In an object of its own, which is linked where that library is: nullptr elsewhere.
__attribute__((weak)) void run_on_tbb(Stages &stages, const Graph &graph);

} // namespace fmm
#endif
