#include "topology/spread.h"

#include "topology/distance.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <set>
#include <vector>

namespace {

class Spread : public testing::Test {
protected:
    void SetUp() override
    {
        const bn_machine_row rows[] = {
            {BN_OBJECT_SOCKET, 2}, {BN_OBJECT_NUMA, 1}, {BN_OBJECT_CACHE, 2}, {BN_OBJECT_CORE, 2}, {BN_OBJECT_PU, 2}};
        ASSERT_EQ(bn_machine_make(rows, 5, &machine_), BN_OK);
    }
    void TearDown() override { bn_machine_destroy(machine_); }

    std::vector<bn_place> places(int count, const bn_spread& spread)
    {
        std::vector<bn_place> result(static_cast<size_t>(count));
        EXPECT_EQ(bn_spread_places(machine_, &spread, count, result.data()), BN_OK);
        return result;
    }

    /* The number of a level of each member */
    static std::vector<uint32_t> parts(const std::vector<bn_place>& places, bn_level level)
    {
        std::vector<uint32_t> result;
        for (const bn_place& place : places)
            result.push_back(place.parts[level]);
        return result;
    }

    bn_machine* machine_ = nullptr;
};

using Parts = std::vector<uint32_t>;

TEST_F(Spread, BlockFillsCoresThenHardwareThreadsThenNodes)
{
    std::vector<bn_place> block = places(20, {2, 0, BN_SPREAD_BLOCK, 0});
    EXPECT_EQ(parts(block, BN_LEVEL_NODE), (Parts{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}));
    EXPECT_EQ(parts(block, BN_LEVEL_CORE),
              (Parts{0, 2, 4, 6, 8, 10, 12, 14, 0, 2, 16, 18, 20, 22, 24, 26, 28, 30, 16, 18}));
    EXPECT_EQ(parts(block, BN_LEVEL_NUMA),
              (Parts{0, 0, 0, 0, 8, 8, 8, 8, 0, 0, 16, 16, 16, 16, 24, 24, 24, 24, 16, 16}));
}

TEST_F(Spread, CyclicGoesAsFarAsItCan)
{
    std::vector<bn_place> cyclic = places(9, {1, 0, BN_SPREAD_CYCLIC, 0});
    EXPECT_EQ(parts(cyclic, BN_LEVEL_SOCKET), (Parts{0, 8, 0, 8, 0, 8, 0, 8, 0}));
    EXPECT_EQ(parts(cyclic, BN_LEVEL_CACHE), (Parts{0, 8, 4, 12, 0, 8, 4, 12, 0}));
    EXPECT_EQ(parts(cyclic, BN_LEVEL_CORE), (Parts{0, 8, 4, 12, 2, 10, 6, 14, 0}));
    EXPECT_EQ(parts(places(5, {2, 0, BN_SPREAD_CYCLIC, 0}), BN_LEVEL_NODE), (Parts{0, 1, 0, 1, 0}));
}

TEST_F(Spread, RandomIsAPermutationThatTheSeedDecides)
{
    std::vector<bn_place> block = places(32, {2, 1, BN_SPREAD_BLOCK, 0});
    std::vector<bn_place> first = places(32, {2, 1, BN_SPREAD_RANDOM, 7});
    EXPECT_EQ(parts(first, BN_LEVEL_CORE), parts(places(32, {2, 1, BN_SPREAD_RANDOM, 7}), BN_LEVEL_CORE));
    EXPECT_NE(parts(first, BN_LEVEL_CORE), parts(places(32, {2, 1, BN_SPREAD_RANDOM, 8}), BN_LEVEL_CORE));
    for (int level = 0; level < BN_LEVEL_COUNT; ++level) {
        Parts a = parts(block, static_cast<bn_level>(level));
        Parts b = parts(first, static_cast<bn_level>(level));
        std::sort(a.begin(), a.end());
        std::sort(b.begin(), b.end());
        EXPECT_EQ(a, b);
    }
}

TEST_F(Spread, FirstNodesTakeOneMore)
{
    std::map<uint32_t, int> sizes;
    for (uint32_t node : parts(places(11, {4, 0, BN_SPREAD_BLOCK, 0}), BN_LEVEL_NODE))
        sizes[node]++;
    EXPECT_EQ(sizes, (std::map<uint32_t, int>{{0, 3}, {1, 3}, {2, 3}, {3, 2}}));
}

TEST_F(Spread, SwitchesHoldConsecutiveNodes)
{
    EXPECT_EQ(parts(places(5, {5, 2, BN_SPREAD_BLOCK, 0}), BN_LEVEL_SWITCH), (Parts{0, 0, 1, 1, 2}));
    bn_hierarchy* hierarchy = nullptr;
    const bn_spread spread = {5, 2, BN_SPREAD_BLOCK, 0};
    ASSERT_EQ(bn_spread_hierarchy(machine_, &spread, 5, &hierarchy), BN_OK);
    EXPECT_EQ(bn_distance(hierarchy, 0, 1), BN_LEVEL_SWITCH);
    EXPECT_EQ(bn_distance(hierarchy, 1, 2), BN_LEVEL_CLUSTER);
    free(hierarchy);
}

/* Numbers at a level are equal only where all levels above are equal. */
TEST_F(Spread, PartsAreNested)
{
    for (bn_spread_order order : {BN_SPREAD_BLOCK, BN_SPREAD_CYCLIC, BN_SPREAD_RANDOM}) {
        std::vector<bn_place> all = places(50, {3, 2, order, 5});
        for (const bn_place& a : all) {
            for (const bn_place& b : all) {
                for (int level = 0; level + 1 < BN_LEVEL_COUNT; ++level) {
                    EXPECT_LE(a.parts[level] == b.parts[level], a.parts[level + 1] == b.parts[level + 1]);
                }
            }
        }
    }
}

}  // namespace
