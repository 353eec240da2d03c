#include "fmm/tree.h"

#include "bodies_in_trees.h"
#include "fmm/index.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <gtest/gtest.h>

using fmm::at;
using fmm::Cell;
using fmm::Tree;

namespace {

class OfKind : public testing::TestWithParam<const char*> {
protected:
    static constexpr long COUNT = 400;
    static constexpr int LEAF = 5;
    std::vector<double> places = places_of(GetParam(), COUNT);
};

TEST_P(OfKind, EveryBodyActsOnEveryLeafOnce)
{
    for (int few : {0, 3, 100}) {
        Tree tree = fmm::make_tree(COUNT, places.data(), LEAF, few);
        for (std::int32_t leaf : tree.leaves)
            EXPECT_EQ(acts_on(tree, leaf), std::vector<int>(COUNT, 1)) << "leaf " << leaf << ", few " << few;
    }
}

TEST_P(OfKind, CellsHoldTheirBodies)
{
    Tree tree = fmm::make_tree(COUNT, places.data(), LEAF, 0);
    std::vector<std::int32_t> bodies = tree.order;
    std::sort(bodies.begin(), bodies.end());
    for (long i = 0; i < COUNT; i++)
        ASSERT_EQ(bodies[at(i)], i);
    long next = 0;
    for (std::int32_t leaf : tree.leaves) {
        EXPECT_EQ(tree.cells[at(leaf)].first, next);
        next += tree.cells[at(leaf)].count;
    }
    EXPECT_EQ(next, COUNT);
    for (const Cell& cell : tree.cells) {
        EXPECT_GT(cell.count, 0);
        EXPECT_EQ(cell.leaf, cell.count <= LEAF || cell.level == fmm::DEEPEST);
        long below = 0;
        for (std::int32_t child : cell.child)
            below += child < 0 ? 0 : tree.cells[at(child)].count;
        EXPECT_EQ(below, cell.leaf ? 0 : cell.count);
        double width = std::ldexp(tree.side, -cell.level);
        for (long i = cell.first; i < cell.first + cell.count; i++) {
            for (int d = 0; d < 3; d++) {
                double middle = tree.centre[d] - tree.side / 2 + (cell.place[d] + 0.5) * width;
                EXPECT_LE(std::abs(places[at(3L * tree.order[at(i)] + d)] - middle), width / 2 * (1 + 1e-9));
            }
        }
    }
}

TEST_P(OfKind, ColleaguesAreTheCellsAround)
{
    Tree tree = fmm::make_tree(COUNT, places.data(), LEAF, 0);
    for (std::size_t c = 0; c < tree.cells.size(); c++) {
        for (int n = 0; n < fmm::NEIGHBOURS; n++) {
            const int step[3] = {n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1};
            auto is_there = [&](const Cell& cell) {
                bool same = cell.level == tree.cells[c].level;
                for (int d = 0; d < 3; d++)
                    same &= cell.place[d] == tree.cells[c].place[d] + step[d];
                return same;
            };
            auto found = std::find_if(tree.cells.begin(), tree.cells.end(), is_there);
            long right = found == tree.cells.end() ? -1 : found - tree.cells.begin();
            EXPECT_EQ(tree.colleagues[c][at(n)], right);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Tree, OfKind, testing::Values("uniform", "uneven", "point", "line", "clusters"),
                         [](const auto& info) { return std::string(info.param); });

TEST(Tree, HasARootWithoutBodies)
{
    Tree tree = fmm::make_tree(0, static_cast<const double*>(nullptr), 8, 0);
    ASSERT_EQ(tree.cells.size(), 1U);
    EXPECT_TRUE(tree.cells[0].leaf);
    EXPECT_EQ(tree.leaves.size(), 1U);
}

TEST(Tree, SmallCellsActDirectly)
{
    std::vector<double> places = uneven_places(400, 3);
    Tree all = fmm::make_tree(400, places.data(), 5, 0), direct = fmm::make_tree(400, places.data(), 5, 3);
    ASSERT_FALSE(all.w.cells.empty());
    EXPECT_LT(direct.w.cells.size(), all.w.cells.size());
    for (std::int32_t cell : direct.w.cells)
        EXPECT_FALSE(direct.cells[at(cell)].leaf && direct.cells[at(cell)].count <= 3);
}

}  // namespace
