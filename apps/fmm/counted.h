// Tasks that count their unfinished dependences, on top of any library that schedules tasks.
//
// BSD-3-Clause, the Banyan authors.
#ifndef APPS_FMM_COUNTED_H
#define APPS_FMM_COUNTED_H

#include "graph.h"

#include <atomic>

namespace fmm {

// Tasks::spawn(work) makes a task of `work`, and any task may call it; Tasks::thread() is the caller's number.
template <typename Tasks> class Counted {
  public:
    Counted(Stages &stages, const Graph &graph, Tasks &tasks)
        : stages(stages), graph(graph), tasks(tasks), waits(at(graph.nodes()))
    {
        for (long n = 0; n < graph.nodes(); n++)
            waits[at(n)] = static_cast<int>(graph.before.end(n) - graph.before.begin(n));
    }
    // All nodes without dependences, in order
    void spawn_first()
    {
        for (long n = 0; n < graph.nodes(); n++) {
            if (graph.before.begin(n) == graph.before.end(n))
                tasks.spawn([this, n] { run(n); });
        }
    }
    // For graphs of make_subtrees
    void spawn_subtrees()
    {
        for (std::int32_t node : graph.others)
            tasks.spawn([this, node] { run(node); });
        descend(0);
    }

  private:
    // From the top down: a task per child until the cell begins a subtree, so that stealing a task takes everything
    // below it.
    void descend(long cell)
    {
        std::int32_t node = graph.starts[at(cell)];
        if (node < 0) {
            for (std::int32_t child : stages.tree.cells[at(cell)].child) {
                if (child >= 0)
                    tasks.spawn([this, child] { descend(child); });
            }
            return;
        }
        bool is_near = graph.begin(node)->stage == FMM_U;
        if (!is_near)
            tasks.spawn([this, node] { run(node + 1); });
        run(node);
    }
    // The thread that finishes a node's last dependence spawns that node.
    void run(long node)
    {
        for (const Work *work = graph.begin(node); work != graph.end(node); work++)
            stages.run(work->stage, work->begin, work->end, tasks.thread());
        for (const std::int32_t *next = graph.after.begin(node); next != graph.after.end(node); next++) {
            if (--waits[at(*next)] == 0)
                tasks.spawn([this, ready = *next] { run(ready); });
        }
    }

    Stages &stages;
    const Graph &graph;
    Tasks &tasks;
    std::vector<std::atomic<int>> waits;
};

} // namespace fmm
#endif
