// The analysis of records, with records that are made up here
#include "fmm/analysis.h"

#include "fmm/index.h"

#include <gtest/gtest.h>
#include <stdexcept>

using fmm::at;
using fmm::Graph;

namespace {

// Stages without numerics
class Recorded : public fmm::Stages {
public:
    explicit Recorded(long threads) { records = std::vector<fmm::Record>(at(threads)); }
    // FMM_U of leaf i
    void add(int thread, double begin, double seconds, std::int32_t i)
    {
        records[at(thread)].pieces.push_back({begin, seconds, seconds, FMM_U, i, 1});
    }
    void begin(const void*, bool) override {}
    void results(void*, void*) const override {}
    void set_v_block(int) override {}
    int most_threads() const override { return 1; }
    void set_body(long, const double*, double) override {}
    void result(long, double*) const override {}
    void clear_charges(long) override {}
    void clear_far_field(long) override {}
    void add_charges(long, long, const void*) override {}
    const void* charges_of(long) const override { return nullptr; }
    long charges_bytes() const override { return 0; }

protected:
    void work(fmm_stage, long, long, int) override {}
};

// Node i is FMM_U of leaf i, after the nodes before[i]; {-1} makes it a barrier after all previous nodes
Graph graph_of(const std::vector<std::vector<std::int32_t>>& before)
{
    Graph graph;
    graph.first_work = {0};
    graph.before.first = {0};
    std::vector<std::vector<std::int32_t>> after(before.size());
    for (std::int32_t node = 0; node < static_cast<std::int32_t>(before.size()); node++) {
        bool barrier = before[at(node)] == std::vector<std::int32_t>{-1};
        for (std::int32_t from = 0; barrier && from < node; from++)
            graph.before.cells.push_back(from);
        if (!barrier) {
            graph.work.push_back({FMM_U, node, node + 1});
            graph.before.cells.insert(graph.before.cells.end(), before[at(node)].begin(), before[at(node)].end());
        }
        for (long e = graph.before.first.back(); e < static_cast<long>(graph.before.cells.size()); e++)
            after[at(graph.before.cells[at(e)])].push_back(node);
        graph.first_work.push_back(static_cast<std::int32_t>(graph.work.size()));
        graph.before.first.push_back(static_cast<std::int64_t>(graph.before.cells.size()));
    }
    graph.after.first = {0};
    for (const auto& nodes : after) {
        graph.after.cells.insert(graph.after.cells.end(), nodes.begin(), nodes.end());
        graph.after.first.push_back(static_cast<std::int64_t>(graph.after.cells.size()));
    }
    return graph;
}

TEST(Times, TellSchedulingFromIdle)
{
    // Thread 0: node 0 from 1 to 3, node 2 from 4 to 6.  Thread 1: node 1 from 1 to 2.  Node 2 depends only on node 0.
    Recorded stages(2);
    stages.add(0, 11, 2, 0);
    stages.add(0, 14, 2, 2);
    stages.add(1, 11, 1, 1);
    double running[7];
    fmm_times times = find_times(stages, graph_of({{}, {}, {0}}), 10, 7, 7, running);
    EXPECT_DOUBLE_EQ(times.working, 5);
    EXPECT_DOUBLE_EQ(times.scheduling, 2 + 1);    // both threads until 11, one from 13 to 14
    EXPECT_DOUBLE_EQ(times.idle, 1 + 1 + 2 + 2);  // thread 1 from 12 on, and thread 0 from 16
    const double right[] = {0, 2, 1, 0, 1, 1, 0};
    for (int bin = 0; bin < 7; bin++)
        EXPECT_NEAR(running[bin], right[bin], 1e-12) << bin;
    EXPECT_THROW(find_times(Recorded(2), graph_of({{}}), 0, 1, 0, nullptr), std::runtime_error);
}

// Pieces of 4, 1, 1, 1 and 1 seconds, without gaps
TEST(Simulation, GivesPiecesByTheModelsRule)
{
    Recorded stages(1);
    double begin = 0;
    for (std::int32_t node = 0; node < 5; node++) {
        double seconds = node == 0 ? 4 : 1;
        stages.add(0, begin, seconds, node);
        begin += seconds;
    }
    Graph loop = graph_of({{}, {}, {}, {}, {}, {-1}}), chain = graph_of({{}, {0}, {1}, {2}, {3}});
    for (fmm_model model : {FMM_STATIC, FMM_DYNAMIC, FMM_GUIDED, FMM_TILED, FMM_NAIVE_TASKS, FMM_TILED_TASKS})
        EXPECT_DOUBLE_EQ(simulate(stages, loop, model, 8, 1, 0, nullptr), 8) << model;
    EXPECT_DOUBLE_EQ(simulate(stages, loop, FMM_STATIC, 8, 2, 0, nullptr), 6);   // 4 1 1 and 1 1
    EXPECT_DOUBLE_EQ(simulate(stages, loop, FMM_DYNAMIC, 8, 2, 0, nullptr), 4);  // 4 and 1 1 1 1
    EXPECT_DOUBLE_EQ(simulate(stages, loop, FMM_GUIDED, 8, 2, 0, nullptr), 6);   // 4 1 1 together
    EXPECT_DOUBLE_EQ(simulate(stages, loop, FMM_NAIVE_TASKS, 8, 2, 0, nullptr), 4);
    EXPECT_DOUBLE_EQ(simulate(stages, chain, FMM_NAIVE_TASKS, 8, 16, 0, nullptr), 8);
    double running[6];
    const double right[] = {2, 2, 1, 1, 1, 1};
    EXPECT_DOUBLE_EQ(simulate(stages, loop, FMM_STATIC, 8, 2, 6, running), 6);
    for (int bin = 0; bin < 6; bin++)
        EXPECT_NEAR(running[bin], right[bin], 1e-12) << bin;
}

// Five seconds of the model's own overhead for five pieces of a second
TEST(Simulation, KnowsWhoMakesTasks)
{
    Recorded stages(1);
    for (std::int32_t node = 0; node < 5; node++)
        stages.add(0, node, 1, node);
    Graph graph = graph_of({{}, {}, {}, {}, {}});
    EXPECT_DOUBLE_EQ(simulate(stages, graph, FMM_NAIVE_TASKS, 10, 5, 0, nullptr), 2);  // a second per core
    EXPECT_DOUBLE_EQ(simulate(stages, graph, FMM_TILED_TASKS, 10, 5, 0, nullptr), 6);  // the last one is made after 5
    EXPECT_DOUBLE_EQ(simulate(stages, graph, FMM_TILED_TASKS, 10, 1, 0, nullptr), 10);
    EXPECT_THROW(simulate(Recorded(2), graph, FMM_STATIC, 1, 1, 0, nullptr), std::runtime_error);
}

}  // namespace
