// whole_tree.h: all ranks' views of a tree, checked against each other.
#pragma once

#include "coll/shape.h"
#include "topology/distance.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

using Hierarchy = std::unique_ptr<bn_hierarchy, decltype(&free)>;

inline bn_shape parse_shape(const std::string& name)
{
    bn_shape shape = {};
    EXPECT_TRUE(bn_shape_parse(name.c_str(), &shape)) << name;
    return shape;
}

inline const char* const shape_names[] = {"flat",
                                          "binomial",
                                          "knomial-3",
                                          "chain",
                                          "binomial.flat",
                                          "binomial.binomial.flat",
                                          "flat.chain.knomial-4",
                                          "binomial.binomial.binomial.binomial",
                                          "chain.flat.binomial.knomial-3.flat",
                                          "distance"};

struct WholeTree {
    std::vector<int> parents, depths;
    int depth = 0;
    long weight = 0;

    // Fails the test, fatally, if the views are inconsistent: each rank but the root must be the child of its parent
    // and of no other; a subtree is the rank and the subtrees of its children, and contiguous; far children come first.
    WholeTree(const bn_hierarchy* hierarchy, const bn_shape& shape, int root)
    {
        auto count = static_cast<size_t>(bn_hierarchy_member_count(hierarchy));
        for (size_t rank = 0; rank < count; ++rank) {
            bn_tree tree;
            EXPECT_EQ(bn_shape_tree(hierarchy, &shape, root, static_cast<int>(rank), &tree), BN_OK);
            views_.push_back(tree);
        }
        parents.assign(count, -1);
        depths.assign(count, 0);
        check(hierarchy, shape, root);
        for (bn_tree& tree : views_)
            bn_tree_destroy(&tree);
    }

    // The number of edges between groups of a level
    int crossings(const bn_hierarchy* hierarchy, bn_level level) const
    {
        int count = 0;
        for (size_t rank = 0; rank < parents.size(); ++rank)
            count += parents[rank] >= 0 && bn_hierarchy_group_of(hierarchy, level, static_cast<int>(rank)) !=
                                               bn_hierarchy_group_of(hierarchy, level, parents[rank]);
        return count;
    }

private:
    void check(const bn_hierarchy* hierarchy, const bn_shape& shape, int root)
    {
        size_t edges = 0;
        for (size_t rank = 0; rank < views_.size(); ++rank) {
            const bn_tree& tree = views_[rank];
            depths[rank] = tree.depth;
            depth = std::max(depth, tree.depth);
            check_ranges(hierarchy, shape, static_cast<int>(rank), tree);
            for (int i = 0; i < tree.child_count; ++i, ++edges) {
                const bn_tree_child& child = tree.children[i];
                const bn_tree& below = views_[static_cast<size_t>(child.rank)];
                ASSERT_EQ(parents[static_cast<size_t>(child.rank)], -1) << child.rank << " has two parents";
                parents[static_cast<size_t>(child.rank)] = static_cast<int>(rank);
                ASSERT_EQ(below.parent, static_cast<int>(rank));
                ASSERT_EQ(below.depth, tree.depth + 1);
                ASSERT_EQ(below.first, child.first);
                ASSERT_EQ(below.count, child.count);
                ASSERT_EQ(below.part, child.part);
                weight += bn_distance(hierarchy, static_cast<int>(rank), child.rank);
            }
        }
        ASSERT_EQ(edges, views_.size() - 1) << "every rank but the root is somebody's child";
        ASSERT_EQ(views_[static_cast<size_t>(root)].parent, -1);
        ASSERT_EQ(views_[static_cast<size_t>(root)].depth, 0);
    }

    static void check_ranges(const bn_hierarchy* hierarchy, const bn_shape& shape, int rank, const bn_tree& tree)
    {
        std::vector<std::pair<int, int>> pieces = {{bn_shape_index_of(hierarchy, &shape, rank), 1}};
        for (int i = 0; i < tree.child_count; ++i) {
            pieces.emplace_back(tree.children[i].first, tree.children[i].count);
            ASSERT_GE(tree.children[i].part, i > 0 ? tree.children[i - 1].part : tree.parent < 0 ? 0 : tree.part);
        }
        std::sort(pieces.begin(), pieces.end());
        int next = tree.first;
        for (const auto& [first, count] : pieces) {
            ASSERT_EQ(first, next) << "of rank " << rank;
            next += count;
        }
        ASSERT_EQ(next, tree.first + tree.count);
    }

    std::vector<bn_tree> views_;
};

inline int depth_bound(const bn_shape_part& part, int count)
{
    int depth = 0;
    if (part.kind != BN_SHAPE_KNOMIAL)
        return part.kind == BN_SHAPE_FLAT ? count > 1 : count - 1;
    for (long reached = 1; reached < count; reached *= part.radix)
        ++depth;
    return depth;
}

/* The sum, over all parts, of the depth of the deepest tree within the part */
inline int depth_bound(const bn_hierarchy* hierarchy, const bn_shape& shape)
{
    int sum = 0;
    for (int i = 0; i < shape.part_count; ++i) {
        bn_level outer = i == 0 ? BN_LEVEL_CLUSTER : shape.parts[i - 1].level;
        int deepest = 0;
        for (int group = 0; group < bn_hierarchy_group_count(hierarchy, outer); ++group) {
            int things = i == shape.part_count - 1
                             ? bn_hierarchy_group_size(hierarchy, outer, group)
                             : bn_hierarchy_subgroup_count(hierarchy, outer, group, shape.parts[i].level);
            deepest = std::max(deepest, depth_bound(shape.parts[i], things));
        }
        sum += deepest;
    }
    return sum;
}

inline std::set<int> some_roots(int count)
{
    return {0, count / 3, count - 1};
}

// The minimum sum of distances of a tree: each group of each level is joined to the others of the enclosing level by
// one edge.
inline long least_weight(const bn_hierarchy* hierarchy)
{
    long weight = 0;
    int below = bn_hierarchy_member_count(hierarchy);
    for (int level = 0; level <= BN_LEVEL_CLUSTER; ++level) {
        int groups = bn_hierarchy_group_count(hierarchy, static_cast<bn_level>(level));
        weight += static_cast<long>(below - groups) * level;
        below = groups;
    }
    return weight;
}
