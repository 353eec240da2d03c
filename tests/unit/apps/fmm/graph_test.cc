#include "fmm/graph.h"

#include "bodies_in_trees.h"

#include <gtest/gtest.h>

using fmm::at;
using fmm::Graph;

namespace {

class OfTree : public testing::TestWithParam<const char*> {
protected:
    static constexpr long COUNT = 400;
    OfTree()
    {
        fmm_options options = fmm_defaults();
        options.leaf = 5;
        options.order = 4;
        stages = fmm::make_stages(options, COUNT, places_of(GetParam(), COUNT).data());
    }
    // How often each index of each stage is in some node's work
    void expect_all_work_once(const Graph& graph) const
    {
        std::vector<int> times[FMM_STAGES];
        fmm::each_range(*stages, [&](fmm_stage stage, long, long end) {
            times[stage].resize(std::max(times[stage].size(), at(end)), 1);
        });
        for (fmm_stage stage : {FMM_UP, FMM_DOWN})  // which levels 0 and 1 do not have
            std::fill_n(times[stage].begin(),
                        std::min(times[stage].size(), at(stages->tree.level_first[std::min(2, stages->tree.levels())])),
                        0);
        for (const fmm::Work& work : graph.work) {
            for (long i = work.begin; i < work.end; i++)
                times[work.stage][at(i)]--;
        }
        for (const std::vector<int>& each : times)
            EXPECT_EQ(each, std::vector<int>(each.size(), 0));
    }
    // Executes nodes in a permitted order; what a node reads must be done by then.
    void expect_an_order(const Graph& graph) const
    {
        std::vector<long> waits, ready;
        for (long node = 0; node < graph.nodes(); node++) {
            waits.push_back(graph.before.end(node) - graph.before.begin(node));
            if (waits.back() == 0)
                ready.push_back(node);
        }
        long done = 0;
        std::vector<char> up(stages->tree.cells.size()), down(up), transformed(stages->groups.size()), far(transformed);
        const fmm::Tree& tree = stages->tree;
        for (; !ready.empty(); done++) {
            long node = ready.back();
            ready.pop_back();
            for (const fmm::Work* work = graph.begin(node); work != graph.end(node); work++) {
                for (long i = work->begin; i < work->end; i++) {
                    auto children_are_up = [&](long cell) {
                        for (std::int32_t child : tree.cells[at(cell)].child)
                            EXPECT_TRUE(child < 0 || up[at(child)]);
                    };
                    if (work->stage == FMM_UP) {
                        children_are_up(i);
                        up[at(i)] = 1;
                    } else if (work->stage == FMM_TRANSFORM) {
                        children_are_up(stages->groups[at(i)].cell);
                        transformed[at(i)] = 1;
                    } else if (work->stage == FMM_V) {
                        for (std::int32_t source : stages->groups[at(i)].sources)
                            EXPECT_TRUE(source < 0 || transformed[at(source)]);
                        far[at(i)] = 1;
                    } else if (work->stage == FMM_DOWN) {
                        std::int32_t parent = tree.cells[at(i)].parent, group = stages->group_of[at(parent)];
                        EXPECT_TRUE(group < 0 || far[at(group)]);
                        EXPECT_TRUE(tree.cells[at(parent)].level < fmm::FIRST_FAR_LEVEL || down[at(parent)]);
                        down[at(i)] = 1;
                    } else if (work->stage == FMM_LEAF) {
                        std::int32_t leaf = tree.leaves[at(i)];
                        EXPECT_TRUE(tree.cells[at(leaf)].level < fmm::FIRST_FAR_LEVEL || down[at(leaf)]);
                        for (const std::int32_t* w = tree.w.begin(leaf); w != tree.w.end(leaf); w++)
                            EXPECT_TRUE(up[at(*w)]);
                    }
                }
            }
            for (const std::int32_t* next = graph.after.begin(node); next != graph.after.end(node); next++) {
                if (--waits[at(*next)] == 0)
                    ready.push_back(*next);
            }
        }
        EXPECT_EQ(done, graph.nodes());
    }
    std::unique_ptr<fmm::Stages> stages;
};

TEST_P(OfTree, TilesAndSubtreesDoAllOnceInAnOrderThatIsRight)
{
    for (fmm::Sizes sizes : {fmm::Sizes{1, 1}, fmm::Sizes{7, 3}, fmm::Sizes{1000, 1000}}) {
        SCOPED_TRACE(sizes.tile);
        for (const Graph& graph :
             {make_tiles(*stages, sizes), make_subtrees(*stages, sizes), make_phases(*stages, sizes)}) {
            expect_all_work_once(graph);
            expect_an_order(graph);
        }
    }
}

// Descending from the root visits each subtree once and, together with `others`, all nodes without dependences.
TEST_P(OfTree, SubtreesAreReachedFromTheRoot)
{
    Graph graph = make_subtrees(*stages, {9, 2});
    std::vector<std::int32_t> cells = {0};
    std::vector<int> reached(at(graph.nodes()));
    for (std::int32_t other : graph.others)
        reached[at(other)]++;
    while (!cells.empty()) {
        std::int32_t cell = cells.back(), node = graph.starts[at(cell)];
        cells.pop_back();
        for (std::int32_t child : stages->tree.cells[at(cell)].child) {
            if (node < 0 && child >= 0)
                cells.push_back(child);
        }
        if (node < 0)
            continue;
        reached[at(node)]++;
        if (graph.begin(node)->stage != FMM_U)
            reached[at(node) + 1]++;
    }
    for (long node = 0; node < graph.nodes(); node++)
        EXPECT_EQ(reached[at(node)], graph.before.begin(node) == graph.before.end(node)) << node;
}

INSTANTIATE_TEST_SUITE_P(Graph, OfTree, testing::Values("uniform", "uneven", "point", "line", "clusters"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
