// Stage by stage with OpenMP's loops, or as a graph of tasks
//
// BSD-3-Clause, the Banyan authors.
#include "models.h"

#include "counted.h"

#include <algorithm>
#include <omp.h>

namespace fmm {
namespace {

void stage_by_stage(Stages &stages, omp_sched_t schedule, Sizes sizes)
{
    omp_set_schedule(schedule, schedule == omp_sched_static ? 0 : 1);
    int threads = static_cast<int>(stages.records.size());
    each_range(stages, [&](fmm_stage stage, long begin, long end) {
        long step = sizes.of(stage), pieces = (end - begin + step - 1) / step;
#pragma omp parallel for schedule(runtime) num_threads(threads)
        for (long p = 0; p < pieces; p++) {
            stages.run(stage, begin + p * step, std::min(begin + (p + 1) * step, end), omp_get_thread_num());
        }
    });
}

struct OpenmpTasks {
    template <typename Work> static void spawn(const Work &work)
    {
#pragma omp task firstprivate(work)
        work();
    }
    static int thread()
    {
        return omp_get_thread_num();
    }
};

void counted_tasks(Stages &stages, fmm_model model, const Graph &graph)
{
    OpenmpTasks tasks;
    Counted<OpenmpTasks> counted(stages, graph, tasks);
    int threads = static_cast<int>(stages.records.size());
#pragma omp parallel num_threads(threads)
#pragma omp single
    if (model == FMM_SUBTREE_TASKS)
        counted.spawn_subtrees();
    else
        counted.spawn_first();
}

// The addresses of the nodes represent their outputs.
void dependent_tasks(Stages &stages, const Graph &graph)
{
    [[maybe_unused]] const std::int32_t *nodes = graph.first_work.data();
    int threads = static_cast<int>(stages.records.size());
#pragma omp parallel num_threads(threads)
#pragma omp single
    for (long n = 0; n < graph.nodes(); n++) {
        const std::int32_t *reads = graph.before.begin(n);
        long count = graph.before.end(n) - reads;
#pragma omp task depend(iterator(long i = 0 : count), in : nodes[reads[i]]) depend(out : nodes[n]) firstprivate(n)     \
    shared(stages, graph)
        for (const Work *work = graph.begin(n); work != graph.end(n); work++)
            stages.run(work->stage, work->begin, work->end, omp_get_thread_num());
    }
}

} // namespace

Sizes sizes_of(fmm_model model, Sizes sizes)
{
    bool single = model == FMM_STATIC || model == FMM_DYNAMIC || model == FMM_GUIDED || model == FMM_NAIVE_TASKS;
    return single ? Sizes{1, 1} : sizes;
}

Graph make_graph(const Stages &stages, fmm_model model, Sizes sizes)
{
    if (model == FMM_SUBTREE_TASKS || model == FMM_TBB)
        return make_subtrees(stages, sizes_of(model, sizes));
    return has_tasks(model) ? make_tiles(stages, sizes_of(model, sizes)) : make_phases(stages, sizes_of(model, sizes));
}

void run_model(Stages &stages, fmm_model model, Sizes sizes, const Graph &graph)
{
    switch (model) {
    case FMM_STATIC: stage_by_stage(stages, omp_sched_static, sizes_of(model, sizes)); break;
    case FMM_DYNAMIC: stage_by_stage(stages, omp_sched_dynamic, sizes_of(model, sizes)); break;
    case FMM_GUIDED: stage_by_stage(stages, omp_sched_guided, sizes_of(model, sizes)); break;
    case FMM_TILED: stage_by_stage(stages, omp_sched_dynamic, sizes_of(model, sizes)); break;
    case FMM_TILED_TASKS: dependent_tasks(stages, graph); break;
    case FMM_TBB: run_on_tbb(stages, graph); break;
    default: counted_tasks(stages, model, graph); break;
    }
}

} // namespace fmm
