// Stage by stage with OpenMP's loops, or as a graph of tasks
//
// BSD-3-Clause, the Banyan authors.
#include "models.h"

#include <algorithm>
#include <atomic>
#include <omp.h>

namespace fmm {
namespace {

struct Sizes {
    int tile, v_block;
    int of(fmm_stage stage) const
    {
        return stage == FMM_V ? v_block : tile;
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

void stage_by_stage(Stages &stages, omp_sched_t schedule, Sizes sizes)
{
    omp_set_schedule(schedule, schedule == omp_sched_static ? 0 : 1);
    int threads = static_cast<int>(stages.records.size());
    each_range(stages, [&](fmm_stage stage, long begin, long end) {
        long step = sizes.of(stage), pieces = (end - begin + step - 1) / step;
#pragma omp parallel for schedule(runtime) num_threads(threads)
        for (long p = 0; p < pieces; p++) {
            stages.run(stage, begin + p * step, std::min(begin + (p + 1) * step, end));
        }
    });
}

void run_node(Stages &stages, long node, const Graph &graph)
{
    const Graph::Node &what = graph.nodes[at(node)];
    stages.run(what.stage, what.begin, what.end);
}

// Whoever ends the last piece that another waits for makes that one a task.
void run_and_release(Stages &stages, const Graph &graph, std::vector<std::atomic<int>> &waits, long node)
{
    run_node(stages, node, graph);
    for (const std::int32_t *next = graph.after.begin(node); next != graph.after.end(node); next++) {
        if (--waits[at(*next)] > 0)
            continue;
        long ready = *next;
#pragma omp task firstprivate(ready) shared(stages, graph, waits)
        run_and_release(stages, graph, waits, ready);
    }
}

void counted_tasks(Stages &stages, const Graph &graph)
{
    long count = static_cast<long>(graph.nodes.size());
    std::vector<std::atomic<int>> waits(at(count));
    for (long n = 0; n < count; n++)
        waits[at(n)] = static_cast<int>(graph.before.end(n) - graph.before.begin(n));
    int threads = static_cast<int>(stages.records.size());
#pragma omp parallel num_threads(threads)
#pragma omp single
    for (long n = 0; n < count; n++) {
        if (graph.before.begin(n) != graph.before.end(n))
            continue;
#pragma omp task firstprivate(n) shared(stages, graph, waits)
        run_and_release(stages, graph, waits, n);
    }
}

// The nodes' addresses stand for what they write.
void dependent_tasks(Stages &stages, const Graph &graph)
{
    [[maybe_unused]] const Graph::Node *nodes = graph.nodes.data();
    int threads = static_cast<int>(stages.records.size());
#pragma omp parallel num_threads(threads)
#pragma omp single
    for (long n = 0; n < static_cast<long>(graph.nodes.size()); n++) {
        const std::int32_t *reads = graph.before.begin(n);
        long count = graph.before.end(n) - reads;
#pragma omp task depend(iterator(long i = 0 : count), in : nodes[reads[i]]) depend(out : nodes[n]) firstprivate(n)     \
    shared(stages, graph)
        run_node(stages, n, graph);
    }
}

// Which node has an index of a stage
struct Owners {
    std::vector<std::int32_t> of[FMM_STAGES];
};

// What index i of a stage waits for
template <typename Add> void each_before(const Stages &stages, fmm_stage stage, long i, const Add &add)
{
    const Tree &tree = stages.tree;
    auto children_of = [&](const Cell &cell) {
        for (std::int32_t child : cell.child) {
            if (child >= 0)
                add(FMM_UP, child);
        }
    };
    switch (stage) {
    case FMM_UP: children_of(tree.cells[at(i)]); break;
    case FMM_TRANSFORM: children_of(tree.cells[at(stages.groups[at(i)].cell)]); break;
    case FMM_V:
        for (std::int32_t source : stages.groups[at(i)].sources) {
            if (source >= 0)
                add(FMM_TRANSFORM, source);
        }
        break;
    case FMM_DOWN: {
        std::int32_t parent = tree.cells[at(i)].parent, group = stages.group_of[at(parent)];
        if (tree.cells[at(parent)].level >= FIRST_FAR_LEVEL)
            add(FMM_DOWN, parent);
        if (group >= 0)
            add(FMM_V, group);
        break;
    }
    case FMM_LEAF: {
        std::int32_t leaf = tree.leaves[at(i)];
        add(FMM_U, static_cast<std::int32_t>(i));
        if (tree.cells[at(leaf)].level >= FIRST_FAR_LEVEL)
            add(FMM_DOWN, leaf);
        for (const std::int32_t *w = tree.w.begin(leaf); w != tree.w.end(leaf); w++)
            add(FMM_UP, *w);
        break;
    }
    default: break;
    }
}

Lists reversed(const Lists &lists)
{
    std::size_t count = lists.first.size() - 1;
    Lists back;
    back.first.assign(count + 1, 0);
    for (std::int32_t to : lists.cells)
        back.first[at(to) + 1]++;
    for (std::size_t i = 0; i < count; i++)
        back.first[i + 1] += back.first[i];
    back.cells.resize(lists.cells.size());
    std::vector<std::int64_t> next(back.first.begin(), back.first.end() - 1);
    for (std::size_t from = 0; from < count; from++) {
        for (std::int64_t e = lists.first[from]; e < lists.first[from + 1]; e++) {
            back.cells[at(next[at(lists.cells[at(e)])]++)] = static_cast<std::int32_t>(from);
        }
    }
    return back;
}

} // namespace

Graph make_graph(const Stages &stages, int tile, int v_block)
{
    Graph graph;
    Owners owners;
    for (fmm_stage stage : {FMM_UP, FMM_DOWN})
        owners.of[stage].assign(stages.tree.cells.size(), -1);
    for (fmm_stage stage : {FMM_TRANSFORM, FMM_V})
        owners.of[stage].assign(stages.groups.size(), -1);
    for (fmm_stage stage : {FMM_U, FMM_LEAF})
        owners.of[stage].assign(stages.tree.leaves.size(), -1);
    Sizes sizes = {tile, v_block};
    each_range(stages, [&](fmm_stage stage, long begin, long end) {
        for (long first = begin; first < end; first += sizes.of(stage)) {
            long last = std::min(first + sizes.of(stage), end);
            for (long i = first; i < last; i++)
                owners.of[stage][at(i)] = static_cast<std::int32_t>(graph.nodes.size());
            graph.nodes.push_back({stage, static_cast<std::int32_t>(first), static_cast<std::int32_t>(last)});
        }
    });
    graph.before.first.assign(1, 0);
    std::vector<std::int32_t> found;
    for (const Graph::Node &node : graph.nodes) {
        found.clear();
        for (long i = node.begin; i < node.end; i++) {
            each_before(stages, node.stage, i,
                        [&](fmm_stage stage, std::int32_t index) { found.push_back(owners.of[stage][at(index)]); });
        }
        std::sort(found.begin(), found.end());
        found.erase(std::unique(found.begin(), found.end()), found.end());
        graph.before.cells.insert(graph.before.cells.end(), found.begin(), found.end());
        graph.before.first.push_back(static_cast<std::int64_t>(graph.before.cells.size()));
    }
    graph.after = reversed(graph.before);
    return graph;
}

void run_model(Stages &stages, fmm_model model, int tile, int v_block, const Graph &graph)
{
    switch (model) {
    case FMM_STATIC: stage_by_stage(stages, omp_sched_static, {1, 1}); break;
    case FMM_DYNAMIC: stage_by_stage(stages, omp_sched_dynamic, {1, 1}); break;
    case FMM_GUIDED: stage_by_stage(stages, omp_sched_guided, {1, 1}); break;
    case FMM_TILED: stage_by_stage(stages, omp_sched_dynamic, {tile, v_block}); break;
    case FMM_NAIVE_TASKS: counted_tasks(stages, graph); break;
    default: dependent_tasks(stages, graph); break;
    }
}

} // namespace fmm
