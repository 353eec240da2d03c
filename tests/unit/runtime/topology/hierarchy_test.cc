#include "topology/distance.h"
#include "topology/hierarchy.h"

#include <cstdlib>
#include <gtest/gtest.h>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace {

using Hierarchy = std::unique_ptr<bn_hierarchy, decltype(&free)>;

Hierarchy build(const std::vector<bn_place>& places)
{
    bn_hierarchy* hierarchy = nullptr;
    EXPECT_EQ(bn_hierarchy_create(places.data(), static_cast<int>(places.size()), &hierarchy), BN_OK);
    return Hierarchy(hierarchy, free);
}

/* Nested parts that are unknown below a level: numbers on the path from the switch to the level */
bn_place place(const std::vector<uint32_t>& path, bool is_near_network = false)
{
    bn_place result;
    uint32_t number = 0;
    result.is_near_network = is_near_network;
    for (int level = BN_LEVEL_COUNT - 1; level >= 0; --level) {
        size_t at = static_cast<size_t>(BN_LEVEL_COUNT - 1 - level);
        number = at < path.size() ? number * 16 + path[at] : BN_PLACE_UNKNOWN;
        result.parts[level] = number;
    }
    return result;
}

std::vector<int> order_of(const bn_hierarchy* hierarchy)
{
    std::vector<int> order;
    for (int position = 0; position < bn_hierarchy_member_count(hierarchy); ++position)
        order.push_back(bn_hierarchy_member_at(hierarchy, position));
    return order;
}

TEST(Hierarchy, OfOneMember)
{
    Hierarchy hierarchy = build({place({})});
    for (int level = 0; level <= BN_LEVEL_CLUSTER; ++level) {
        EXPECT_EQ(bn_hierarchy_group_count(hierarchy.get(), static_cast<bn_level>(level)), 1);
        EXPECT_EQ(bn_hierarchy_group_size(hierarchy.get(), static_cast<bn_level>(level), 0), 1);
        EXPECT_EQ(bn_hierarchy_leader(hierarchy.get(), static_cast<bn_level>(level), 0), 0);
    }
    EXPECT_TRUE(hierarchy->is_in_member_order);
}

TEST(Hierarchy, PutsThoseTogetherThatShareAPart)
{
    /* two nodes in turn; on each the last member has a core of its own */
    Hierarchy hierarchy =
        build({place({0, 1, 0, 0, 0, 0, 0, 2}), place({0, 0, 0, 0, 0, 0, 0, 1}), place({0, 1, 0, 0, 0, 0, 0, 2}),
               place({0, 0, 0, 0, 0, 0, 0, 1}), place({0, 1, 0, 0, 0, 0, 0, 0}), place({0, 0, 0, 0, 0, 0, 0, 0})});
    EXPECT_EQ(order_of(hierarchy.get()), (std::vector<int>{0, 2, 4, 1, 3, 5}));
    EXPECT_FALSE(hierarchy->is_in_member_order);
    EXPECT_EQ(bn_hierarchy_group_count(hierarchy.get(), BN_LEVEL_SWITCH), 1);
    EXPECT_EQ(bn_hierarchy_group_count(hierarchy.get(), BN_LEVEL_NODE), 2);
    EXPECT_EQ(bn_hierarchy_group_count(hierarchy.get(), BN_LEVEL_CACHE), 2);
    EXPECT_EQ(bn_hierarchy_group_count(hierarchy.get(), BN_LEVEL_CORE), 4);
    EXPECT_EQ(bn_hierarchy_leader(hierarchy.get(), BN_LEVEL_NODE, 1), 1);
    EXPECT_EQ(bn_hierarchy_leader(hierarchy.get(), BN_LEVEL_CORE, 3), 5);
    EXPECT_EQ(bn_hierarchy_first_subgroup(hierarchy.get(), BN_LEVEL_NODE, 1, BN_LEVEL_CORE), 2);
    EXPECT_EQ(bn_hierarchy_subgroup_count(hierarchy.get(), BN_LEVEL_NODE, 1, BN_LEVEL_CORE), 2);
    EXPECT_EQ(bn_hierarchy_subgroup_count(hierarchy.get(), BN_LEVEL_CLUSTER, 0, BN_LEVEL_CORE), 4);
    EXPECT_EQ(bn_hierarchy_outer_group(hierarchy.get(), BN_LEVEL_CORE, 3, BN_LEVEL_NODE), 1);
}

TEST(Hierarchy, LeadersAreNearTheNetwork)
{
    /* one node, two regions; the network adapter is at the second */
    Hierarchy hierarchy = build({place({0, 0, 0, 0, 0}), place({0, 0, 0, 0, 1}, true), place({0, 0, 0, 0, 0}),
                                 place({0, 0, 0, 0, 1}, true), place({0, 1, 0, 0, 0})});
    EXPECT_EQ(order_of(hierarchy.get()), (std::vector<int>{1, 3, 0, 2, 4}));
    EXPECT_EQ(bn_hierarchy_leader(hierarchy.get(), BN_LEVEL_NODE, 0), 1);
    EXPECT_EQ(bn_hierarchy_leader(hierarchy.get(), BN_LEVEL_NUMA, 1), 0);
}

TEST(Hierarchy, UnknownPlacesAreGroupsOfOne)
{
    Hierarchy hierarchy = build({place({0, 0}), place({0, 0, 0, 0, 0, 0}), place({0, 0}), place({0, 0, 0, 0, 0, 0})});
    EXPECT_EQ(bn_hierarchy_group_count(hierarchy.get(), BN_LEVEL_NODE), 1);
    EXPECT_EQ(bn_hierarchy_group_count(hierarchy.get(), BN_LEVEL_BOARD), 3);
    EXPECT_EQ(bn_hierarchy_group_count(hierarchy.get(), BN_LEVEL_DIE), 3);
    EXPECT_EQ(bn_hierarchy_group_count(hierarchy.get(), BN_LEVEL_CORE), 4);
    EXPECT_EQ(order_of(hierarchy.get()), (std::vector<int>{0, 1, 3, 2}));
    EXPECT_EQ(bn_distance(hierarchy.get(), 0, 0), BN_LEVEL_CORE);
    EXPECT_EQ(bn_distance(hierarchy.get(), 0, 2), BN_LEVEL_NODE);
    EXPECT_EQ(bn_distance(hierarchy.get(), 1, 3), BN_LEVEL_DIE);
    EXPECT_EQ(bn_distance(hierarchy.get(), 1, 2), BN_LEVEL_NODE);
}

/* Random nested places, some of them unknown from some level on */
std::vector<bn_place> random_places(int count, unsigned seed)
{
    std::mt19937 random(seed);
    std::vector<bn_place> places;
    for (int i = 0; i < count; ++i) {
        std::vector<uint32_t> path;
        size_t levels = BN_LEVEL_COUNT;
        size_t known = random() % 4 == 0 ? random() % (levels + 1) : levels;
        while (path.size() < known)
            path.push_back(random() % 3);
        places.push_back(place(path));
    }
    return places;
}

bool share(const bn_place& a, const bn_place& b, int level)
{
    return a.parts[level] != BN_PLACE_UNKNOWN && a.parts[level] == b.parts[level];
}

int expected_distance(const std::vector<bn_place>& places, int a, int b)
{
    int level = 0;
    while (a != b && level < BN_LEVEL_CLUSTER && !share(places[a], places[b], level))
        ++level;
    return level;
}

TEST(Hierarchy, GroupsAndDistancesFollowFromPlaces)
{
    for (unsigned seed = 0; seed < 40; ++seed) {
        int count = 1 + static_cast<int>(seed * 7 % 120);
        std::vector<bn_place> places = random_places(count, seed);
        Hierarchy hierarchy = build(places);
        EXPECT_LE(bn_hierarchy_size_bytes(hierarchy.get()), bn_hierarchy_max_bytes(count));
        for (int a = 0; a < count; ++a) {
            ASSERT_EQ(bn_hierarchy_member_at(hierarchy.get(), bn_hierarchy_position_of(hierarchy.get(), a)), a);
            for (int b = 0; b < count; ++b)
                ASSERT_EQ(bn_distance(hierarchy.get(), a, b), expected_distance(places, a, b)) << a << " " << b;
        }
    }
}

TEST(Hierarchy, GroupsAreContiguousAndNested)
{
    for (unsigned seed = 0; seed < 40; ++seed) {
        int count = 1 + static_cast<int>(seed * 11 % 150);
        Hierarchy owner = build(random_places(count, seed));
        const bn_hierarchy* hierarchy = owner.get();
        for (int level = 0; level < BN_LEVEL_COUNT; ++level) {
            auto inner = static_cast<bn_level>(level);
            auto outer = static_cast<bn_level>(level + 1);
            int groups = bn_hierarchy_group_count(hierarchy, inner);
            ASSERT_EQ(bn_hierarchy_group_begin(hierarchy, inner, 0), 0);
            ASSERT_EQ(bn_hierarchy_group_begin(hierarchy, inner, groups), count);
            for (int group = 0; group < groups; ++group) {
                ASSERT_GT(bn_hierarchy_group_size(hierarchy, inner, group), 0);
                int lowest = bn_hierarchy_leader(hierarchy, inner, group);
                for (int i = 0; i < bn_hierarchy_group_size(hierarchy, inner, group); ++i) {
                    int begin = bn_hierarchy_group_begin(hierarchy, inner, group);
                    int member = bn_hierarchy_member_at(hierarchy, begin + i);
                    ASSERT_EQ(bn_hierarchy_group_of(hierarchy, inner, member), group);
                    ASSERT_EQ(bn_hierarchy_group_of(hierarchy, outer, member),
                              bn_hierarchy_group_of(hierarchy, outer, lowest));
                    ASSERT_GE(member, lowest);
                }
                if (group > 0 && bn_hierarchy_outer_group(hierarchy, inner, group, outer) ==
                                     bn_hierarchy_outer_group(hierarchy, inner, group - 1, outer)) {
                    ASSERT_LT(bn_hierarchy_leader(hierarchy, inner, group - 1), lowest);
                }
            }
        }
    }
}

TEST(Hierarchy, LevelsWithoutDifferenceTakeNoMemory)
{
    std::vector<bn_place> places(1000, place({0, 0, 0, 0, 0, 0, 0, 0}));
    Hierarchy hierarchy = build(places);
    EXPECT_LT(bn_hierarchy_size_bytes(hierarchy.get()), sizeof(bn_hierarchy) + 4 * 3 * 1000 + 100);
}

TEST(Hierarchy, IsTheSameInMemoryOfTheCaller)
{
    std::vector<bn_place> places = random_places(50, 1);
    std::vector<uint64_t> memory(bn_hierarchy_max_bytes(50) / 8 + 1);
    ASSERT_EQ(bn_hierarchy_build(places.data(), 50, memory.data()), BN_OK);
    const auto* hierarchy = reinterpret_cast<const bn_hierarchy*>(memory.data());
    EXPECT_EQ(order_of(hierarchy), order_of(build(places).get()));
}

TEST(Level, HasAName)
{
    std::set<std::string> names;
    for (int level = 0; level <= BN_LEVEL_CLUSTER; ++level)
        names.insert(bn_level_name(static_cast<bn_level>(level)));
    EXPECT_EQ(names.size(), static_cast<size_t>(BN_LEVEL_CLUSTER) + 1);
    EXPECT_STREQ(bn_level_name(BN_LEVEL_CORE), "core");
    EXPECT_STREQ(bn_level_name(BN_LEVEL_CLUSTER), "cluster");
}

}  // namespace
