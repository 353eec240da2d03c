// Subtrees as oneTBB tasks; its threads keep the tasks they make, and steal from each other
//
// BSD-3-Clause, the Banyan authors.
#include "counted.h"
#include "models.h"

#include <tbb/global_control.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

namespace fmm {
namespace {

struct TbbTasks {
    tbb::task_group group;
    template <typename Work> void spawn(const Work &work)
    {
        group.run(work);
    }
    static int thread()
    {
        return tbb::this_task_arena::current_thread_index();
    }
};

} // namespace

void run_on_tbb(Stages &stages, const Graph &graph)
{
    // By default, an arena has no more threads than the machine has cores.
    tbb::global_control at_least(tbb::global_control::max_allowed_parallelism, stages.records.size());
    tbb::task_arena arena(static_cast<int>(stages.records.size()));
    arena.execute([&] {
        TbbTasks tasks;
        Counted<TbbTasks> counted(stages, graph, tasks);
        tasks.group.run_and_wait([&] { counted.spawn_subtrees(); });
    });
}

} // namespace fmm
