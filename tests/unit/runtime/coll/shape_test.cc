#include "coll/shape.h"

#include "coll/whole_tree.h"
#include "topology/distance.h"
#include "topology/spread.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>
#include <string>
#include <vector>

namespace {

/* Clusters of machines with two sockets of two regions, each with two caches of two cores */
Hierarchy cluster(int member_count, int node_count, bn_spread_order order = BN_SPREAD_BLOCK, int nodes_per_switch = 0,
                  uint64_t seed = 1)
{
    const bn_machine_row rows[] = {
        {BN_OBJECT_SOCKET, 2}, {BN_OBJECT_NUMA, 2}, {BN_OBJECT_CACHE, 2}, {BN_OBJECT_CORE, 2}};
    const bn_spread spread = {node_count, nodes_per_switch, order, seed};
    bn_machine* machine = nullptr;
    bn_hierarchy* hierarchy = nullptr;
    EXPECT_EQ(bn_machine_make(rows, 4, &machine), BN_OK);
    EXPECT_EQ(bn_spread_hierarchy(machine, &spread, member_count, &hierarchy), BN_OK);
    bn_machine_destroy(machine);
    return Hierarchy(hierarchy, free);
}

/* One rank's view, released by itself */
class Tree {
public:
    Tree(const bn_hierarchy* hierarchy, const bn_shape& shape, int root, int rank)
    {
        EXPECT_EQ(bn_shape_tree(hierarchy, &shape, root, rank, &tree_), BN_OK);
    }
    ~Tree() { bn_tree_destroy(&tree_); }
    Tree(const Tree&) = delete;
    const bn_tree* operator->() const { return &tree_; }
    std::vector<int> children() const
    {
        std::vector<int> ranks;
        for (int i = 0; i < tree_.child_count; ++i)
            ranks.push_back(tree_.children[i].rank);
        return ranks;
    }

private:
    bn_tree tree_ = {};
};

/* ---- Names ---- */

TEST(ShapeName, IsReadAsItIsWritten)
{
    for (const char* name : shape_names) {
        bn_shape shape = parse_shape(name);
        char again[BN_SHAPE_NAME_BYTES];
        bn_shape_format(&shape, again);
        EXPECT_STREQ(again, name);
    }
    char longest[BN_SHAPE_NAME_BYTES];
    bn_shape shape = parse_shape("knomial-1048576.knomial-1048576.knomial-1048576.knomial-1048576.knomial-1048576");
    bn_shape_format(&shape, longest);
    EXPECT_EQ(std::string(longest).size(), 79u);
    shape = parse_shape("knomial-2");
    bn_shape_format(&shape, longest);
    EXPECT_STREQ(longest, "binomial");
}

TEST(ShapeName, OthersAreRefused)
{
    bn_shape shape;
    for (const char* name : {"", ".", "flat.", ".flat", "flat..flat", "tree", "Flat", "knomial", "knomial-",
                             "knomial-1", "knomial-0", "knomial-x", "knomial--3", "knomial-2x", "knomial-1048577",
                             "distance.flat", "flat.flat.flat.flat.flat.flat", "binomial flat"})
        EXPECT_FALSE(bn_shape_parse(name, &shape)) << name;
    EXPECT_FALSE(bn_shape_parse(std::string(1000, 'f').c_str(), &shape));
}

TEST(ShapeName, LevelsFollowFromTheNumberOfParts)
{
    EXPECT_EQ(parse_shape("flat.flat").parts[0].level, BN_LEVEL_NODE);
    EXPECT_EQ(parse_shape("flat.flat.flat").parts[1].level, BN_LEVEL_NUMA);
    EXPECT_EQ(parse_shape("flat.flat.flat.flat").parts[2].level, BN_LEVEL_CACHE);
    EXPECT_EQ(parse_shape("flat.flat.flat.flat.flat").parts[0].level, BN_LEVEL_SWITCH);
    EXPECT_EQ(parse_shape("flat.flat.flat.flat.flat").parts[3].level, BN_LEVEL_CACHE);
}

/* ---- Known trees ---- */

TEST(Shape, Binomial)
{
    Hierarchy hierarchy = cluster(8, 1);
    bn_shape shape = parse_shape("binomial");
    EXPECT_EQ(Tree(hierarchy.get(), shape, 0, 0).children(), (std::vector<int>{4, 2, 1}));
    EXPECT_EQ(Tree(hierarchy.get(), shape, 0, 4).children(), (std::vector<int>{6, 5}));
    EXPECT_EQ(Tree(hierarchy.get(), shape, 5, 5).children(), (std::vector<int>{0, 6, 4}));
    EXPECT_EQ(Tree(hierarchy.get(), shape, 5, 6).children(), (std::vector<int>{7}));
    Tree seven(hierarchy.get(), shape, 0, 7);
    EXPECT_EQ(seven->parent, 6);
    EXPECT_EQ(seven->depth, 3);
}

TEST(Shape, Knomial)
{
    Hierarchy hierarchy = cluster(9, 1);
    bn_shape shape = parse_shape("knomial-3");
    EXPECT_EQ(Tree(hierarchy.get(), shape, 0, 0).children(), (std::vector<int>{3, 6, 1, 2}));
    EXPECT_EQ(Tree(hierarchy.get(), shape, 0, 6).children(), (std::vector<int>{7, 8}));
}

TEST(Shape, FlatAndChain)
{
    Hierarchy hierarchy = cluster(5, 1);
    EXPECT_EQ(Tree(hierarchy.get(), parse_shape("flat"), 2, 2).children(), (std::vector<int>{0, 1, 3, 4}));
    EXPECT_EQ(Tree(hierarchy.get(), parse_shape("chain"), 0, 0).children(), (std::vector<int>{1}));
    EXPECT_EQ(Tree(hierarchy.get(), parse_shape("chain"), 1, 1).children(), (std::vector<int>{2, 0}));
    EXPECT_EQ(Tree(hierarchy.get(), parse_shape("chain"), 3, 3).children(), (std::vector<int>{2, 4}));
    EXPECT_EQ(Tree(hierarchy.get(), parse_shape("chain"), 3, 0)->parent, 1);
    EXPECT_EQ(Tree(hierarchy.get(), parse_shape("chain"), 3, 0)->depth, 3);
}

TEST(Shape, NodesThenRegionsThenMembers)
{
    Hierarchy hierarchy = cluster(32, 2);
    bn_shape shape = parse_shape("binomial.binomial.flat");
    EXPECT_EQ(Tree(hierarchy.get(), shape, 0, 0).children(), (std::vector<int>{16, 8, 4, 1, 2, 3}));
    EXPECT_EQ(Tree(hierarchy.get(), shape, 0, 24).children(), (std::vector<int>{28, 25, 26, 27}));
    /* the root's own groups are led by the root */
    EXPECT_EQ(Tree(hierarchy.get(), shape, 21, 21).children(), (std::vector<int>{0, 24, 16, 20, 22, 23}));
    EXPECT_EQ(Tree(hierarchy.get(), shape, 21, 16)->parent, 21);
    EXPECT_EQ(Tree(hierarchy.get(), shape, 21, 20)->parent, 21);
}

TEST(Shape, SwitchesAboveNodes)
{
    Hierarchy hierarchy = cluster(64, 4, BN_SPREAD_BLOCK, 2);
    EXPECT_EQ(Tree(hierarchy.get(), parse_shape("flat.flat.flat.flat.flat"), 0, 0).children(),
              (std::vector<int>{32, 16, 4, 8, 12, 2, 1}));
}

TEST(Shape, DistanceTreeIsAStarOfStars)
{
    Hierarchy hierarchy = cluster(64, 4, BN_SPREAD_BLOCK, 2);
    bn_shape shape = parse_shape("distance");
    /* of the other switch, node, socket, region, cache, and core */
    EXPECT_EQ(Tree(hierarchy.get(), shape, 21, 21).children(), (std::vector<int>{32, 0, 24, 16, 22, 20}));
    EXPECT_EQ(Tree(hierarchy.get(), shape, 21, 32).children(), (std::vector<int>{48, 40, 36, 34, 33}));
}

/* ---- What holds of every tree ---- */

struct Case {
    std::string name;
    Hierarchy hierarchy;
};

std::vector<Case> cases()
{
    std::vector<Case> list;
    const std::pair<int, int> sizes[] = {{1, 1}, {2, 1}, {3, 1}, {5, 2}, {16, 1}, {23, 3}, {48, 3}, {64, 4}, {112, 7}};
    for (auto [members, nodes] : sizes) {
        for (bn_spread_order order : {BN_SPREAD_BLOCK, BN_SPREAD_CYCLIC, BN_SPREAD_RANDOM})
            list.push_back(
                {std::to_string(members) + " on " + std::to_string(nodes) + " order " + std::to_string(order),
                 cluster(members, nodes, order, nodes > 2 ? 2 : 0)});
    }
    /* unknown places */
    std::vector<bn_place> places(12);
    for (size_t i = 0; i < places.size(); ++i) {
        for (int level = 0; level < BN_LEVEL_COUNT; ++level) {
            bool is_known = level >= BN_LEVEL_NODE || i % 3 == 0;
            places[i].parts[level] =
                is_known ? (level >= BN_LEVEL_NODE ? 0 : static_cast<uint32_t>(i / 6)) : BN_PLACE_UNKNOWN;
        }
        places[i].is_near_network = i == 6;
    }
    bn_hierarchy* hierarchy = nullptr;
    EXPECT_EQ(bn_hierarchy_create(places.data(), static_cast<int>(places.size()), &hierarchy), BN_OK);
    list.push_back({"unknown places", Hierarchy(hierarchy, free)});
    return list;
}

TEST(EveryTree, ReachesEachRankOnceAndCrossesEachBorderOnce)
{
    for (const Case& test : cases()) {
        const bn_hierarchy* hierarchy = test.hierarchy.get();
        for (const char* name : shape_names) {
            bn_shape shape = parse_shape(name);
            for (int root : some_roots(bn_hierarchy_member_count(hierarchy))) {
                SCOPED_TRACE(test.name + ", " + name + ", root " + std::to_string(root));
                WholeTree tree(hierarchy, shape, root);
                ASSERT_FALSE(testing::Test::HasFatalFailure());
                ASSERT_LE(tree.depth, depth_bound(hierarchy, shape));
                for (int part = 0; part + 1 < shape.part_count; ++part) {
                    bn_level level = shape.parts[part].level;
                    ASSERT_EQ(tree.crossings(hierarchy, level), bn_hierarchy_group_count(hierarchy, level) - 1);
                }
            }
        }
    }
}

TEST(EveryTree, IsContiguousInRankOrderWhereThreadsAreInBlocks)
{
    Hierarchy block = cluster(48, 3);
    Hierarchy cyclic = cluster(48, 3, BN_SPREAD_CYCLIC);
    bn_shape blind = parse_shape("binomial");
    bn_shape levels = parse_shape("binomial.flat");
    EXPECT_TRUE(bn_shape_is_in_rank_order(block.get(), &levels));
    EXPECT_FALSE(bn_shape_is_in_rank_order(cyclic.get(), &levels));
    EXPECT_TRUE(bn_shape_is_in_rank_order(cyclic.get(), &blind));
    EXPECT_EQ(bn_shape_leader(cyclic.get(), &levels), 0);
    for (int index = 0; index < 48; ++index) {
        EXPECT_EQ(bn_shape_member_at(block.get(), &levels, index), index);
        EXPECT_EQ(bn_shape_member_at(cyclic.get(), &blind, index), index);
        EXPECT_EQ(bn_shape_index_of(cyclic.get(), &levels, bn_shape_member_at(cyclic.get(), &levels, index)), index);
    }
}

/* ---- The distance-aware tree and ring ---- */

struct Edge {
    int weight, parent, child;
};

/* Kruskal's algorithm over all pairs: by distance, those at the root first, then by rank */
std::vector<int> kruskal(const bn_hierarchy* hierarchy, int root)
{
    int count = bn_hierarchy_member_count(hierarchy);
    std::vector<Edge> edges;
    for (int a = 0; a < count; ++a) {
        for (int b = a + 1; b < count; ++b)
            edges.push_back({bn_distance(hierarchy, a, b), a, b});
    }
    auto key = [root](const Edge& edge) {
        bool is_at_root = edge.parent == root || edge.child == root;
        return std::make_tuple(edge.weight, !is_at_root, edge.parent, edge.child);
    };
    std::sort(edges.begin(), edges.end(), [&](const Edge& a, const Edge& b) { return key(a) < key(b); });
    std::vector<int> set(static_cast<size_t>(count));
    std::iota(set.begin(), set.end(), 0);
    std::vector<std::vector<int>> neighbours(static_cast<size_t>(count));
    for (const Edge& edge : edges) {
        int a = set[static_cast<size_t>(edge.parent)];
        int b = set[static_cast<size_t>(edge.child)];
        if (a == b)
            continue;
        std::replace(set.begin(), set.end(), b, a);
        neighbours[static_cast<size_t>(edge.parent)].push_back(edge.child);
        neighbours[static_cast<size_t>(edge.child)].push_back(edge.parent);
    }
    std::vector<int> parents(static_cast<size_t>(count), -1);
    std::vector<int> open = {root};
    while (!open.empty()) {
        int rank = open.back();
        open.pop_back();
        for (int next : neighbours[static_cast<size_t>(rank)]) {
            if (next == parents[static_cast<size_t>(rank)])
                continue;
            parents[static_cast<size_t>(next)] = rank;
            open.push_back(next);
        }
    }
    return parents;
}

TEST(DistanceTree, IsKruskals)
{
    for (const Case& test : cases()) {
        const bn_hierarchy* hierarchy = test.hierarchy.get();
        if (test.name == "unknown places")
            continue; /* leaders near the network are not the lowest */
        for (int root : some_roots(bn_hierarchy_member_count(hierarchy))) {
            WholeTree tree(hierarchy, parse_shape("distance"), root);
            EXPECT_EQ(tree.parents, kruskal(hierarchy, root)) << test.name << ", root " << root;
        }
    }
}

/* Least weight and then least depth over all count^(count-1) ways to give each rank a parent */
std::pair<long, int> best_tree(const bn_hierarchy* hierarchy, int root)
{
    int count = bn_hierarchy_member_count(hierarchy);
    std::vector<int> parents(static_cast<size_t>(count));
    std::pair<long, int> best = {1L << 40, 0};
    for (;;) {
        long weight = 0;
        int depth = 0;
        for (int rank = 0; rank < count && depth <= count; ++rank) {
            int up = rank, steps = 0;
            while (up != root && steps <= count) {
                up = parents[static_cast<size_t>(up)];
                ++steps;
            }
            depth = std::max(depth, steps);
            if (rank != root)
                weight += bn_distance(hierarchy, rank, parents[static_cast<size_t>(rank)]);
        }
        if (depth <= count)
            best = std::min(best, {weight, depth});
        int digit = 0;
        while (digit < count && (digit == root || ++parents[static_cast<size_t>(digit)] == count)) {
            parents[static_cast<size_t>(digit)] = 0;
            ++digit;
        }
        if (digit == count)
            return best;
    }
}

std::vector<Hierarchy> small_clusters()
{
    std::vector<Hierarchy> list;
    for (uint64_t seed = 0; seed < 6; ++seed) {
        /* a few members of a larger random placement, so that groups are uneven */
        const bn_machine_row rows[] = {
            {BN_OBJECT_SOCKET, 2}, {BN_OBJECT_NUMA, 1}, {BN_OBJECT_CACHE, 2}, {BN_OBJECT_CORE, 1}, {BN_OBJECT_PU, 2}};
        const bn_spread spread = {2, 0, BN_SPREAD_RANDOM, seed};
        bn_machine* machine = nullptr;
        bn_hierarchy* hierarchy = nullptr;
        std::vector<bn_place> places(16);
        EXPECT_EQ(bn_machine_make(rows, 5, &machine), BN_OK);
        EXPECT_EQ(bn_spread_places(machine, &spread, 16, places.data()), BN_OK);
        bn_machine_destroy(machine);
        EXPECT_EQ(bn_hierarchy_create(places.data(), seed % 2 == 0 ? 6 : 5, &hierarchy), BN_OK);
        list.emplace_back(hierarchy, free);
    }
    return list;
}

TEST(DistanceTree, HasLeastWeightAndThenLeastDepth)
{
    for (const Hierarchy& hierarchy : small_clusters()) {
        for (int root = 0; root < 3; ++root) {
            WholeTree tree(hierarchy.get(), parse_shape("distance"), root);
            EXPECT_EQ(std::make_pair(tree.weight, tree.depth), best_tree(hierarchy.get(), root));
        }
    }
}

long ring_weight(const bn_hierarchy* hierarchy, const std::vector<int>& ring)
{
    long weight = 0;
    for (size_t i = 0; i < ring.size(); ++i)
        weight += bn_distance(hierarchy, ring[i], ring[(i + 1) % ring.size()]);
    return weight;
}

std::vector<int> ring_of(const bn_hierarchy* hierarchy, bn_ring_order order)
{
    std::vector<int> ring = {0};
    while (ring.size() <= static_cast<size_t>(bn_hierarchy_member_count(hierarchy))) {
        int next = bn_shape_ring(hierarchy, order, ring.back()).next;
        EXPECT_EQ(bn_shape_ring(hierarchy, order, next).previous, ring.back());
        if (next == 0)
            break;
        ring.push_back(next);
    }
    return ring;
}

TEST(Ring, VisitsEachRankOnceAndEachGroupOnce)
{
    for (const Case& test : cases()) {
        const bn_hierarchy* hierarchy = test.hierarchy.get();
        int count = bn_hierarchy_member_count(hierarchy);
        std::vector<int> in_rank_order(static_cast<size_t>(count));
        std::iota(in_rank_order.begin(), in_rank_order.end(), 0);
        EXPECT_EQ(ring_of(hierarchy, BN_RING_BY_RANK), in_rank_order);
        std::vector<int> ring = ring_of(hierarchy, BN_RING_BY_DISTANCE);
        for (int level = 0; level < BN_LEVEL_COUNT; ++level) {
            int entered = 0;
            for (size_t i = 0; i < ring.size(); ++i)
                entered += bn_hierarchy_group_of(hierarchy, static_cast<bn_level>(level), ring[i]) !=
                           bn_hierarchy_group_of(hierarchy, static_cast<bn_level>(level), ring[(i + 1) % ring.size()]);
            int groups = bn_hierarchy_group_count(hierarchy, static_cast<bn_level>(level));
            EXPECT_EQ(entered, groups > 1 ? groups : 0) << test.name;
        }
        std::sort(ring.begin(), ring.end());
        EXPECT_EQ(ring, in_rank_order) << test.name;
        for (int index = -count; index < 2 * count; ++index)
            EXPECT_EQ(bn_shape_ring(hierarchy, BN_RING_BY_DISTANCE,
                                    bn_shape_ring_member(hierarchy, BN_RING_BY_DISTANCE, index))
                          .index,
                      (index + count) % count);
    }
}

TEST(Ring, ByDistanceHasLeastWeight)
{
    for (const Hierarchy& hierarchy : small_clusters()) {
        std::vector<int> ring(static_cast<size_t>(bn_hierarchy_member_count(hierarchy.get())));
        std::iota(ring.begin(), ring.end(), 0);
        long best = ring_weight(hierarchy.get(), ring);
        while (std::next_permutation(ring.begin() + 1, ring.end()))
            best = std::min(best, ring_weight(hierarchy.get(), ring));
        EXPECT_EQ(ring_weight(hierarchy.get(), ring_of(hierarchy.get(), BN_RING_BY_DISTANCE)), best);
    }
}

/* ---- Large ---- */

TEST(EveryTree, OfAMillionMembers)
{
#if defined(BN_HAS_ASAN) || defined(BN_HAS_TSAN)
    enum { MEMBERS = 1 << 14, NODES = 1 << 8 };  // the same steps in a 60th of the time
#else
    enum { MEMBERS = 1 << 20, NODES = 1 << 14 };
#endif
    for (bn_spread_order order : {BN_SPREAD_BLOCK, BN_SPREAD_RANDOM}) {
        bool is_random = order == BN_SPREAD_RANDOM;
        int members = is_random ? MEMBERS / 8 : MEMBERS;  // scattered, each takes several times as long
        int nodes = is_random ? NODES / 8 : NODES;
        Hierarchy owner = cluster(members, nodes, order, 32);
        const bn_hierarchy* hierarchy = owner.get();
        for (const char* name : {"flat", "binomial", "chain", "knomial-32", "binomial.binomial.flat",
                                 "knomial-4.binomial.flat.chain.flat", "distance"}) {
            SCOPED_TRACE(name);
            bn_shape shape = parse_shape(name);
            WholeTree tree(hierarchy, shape, is_random ? members / 4 * 3 : 0);
            ASSERT_FALSE(HasFatalFailure());
            EXPECT_LE(tree.depth, depth_bound(hierarchy, shape));
            if (shape.part_count > 1) {
                EXPECT_EQ(tree.crossings(hierarchy, BN_LEVEL_NODE), nodes - 1);
            }
        }
    }
}

}  // namespace
