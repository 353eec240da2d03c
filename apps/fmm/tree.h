// The adaptive octree and its interaction lists.
//
// BSD-3-Clause, the Banyan authors.
#ifndef APPS_FMM_TREE_H
#define APPS_FMM_TREE_H

#include <array>
#include <cstdint>
#include <vector>

namespace fmm {

constexpr int DEEPEST = 20; // levels below the root; bodies that still share a cell there stay together
constexpr int NEIGHBOURS = 27;

using Key = std::uint64_t; // three bits per level, those of the root's children highest

struct Cell {
    std::int32_t place[3]; // in cells of its level
    std::int32_t level;
    std::int32_t parent;       // -1: the root
    std::int32_t child[8];     // by x + 2 y + 4 z; -1: no bodies there
    std::int32_t first, count; // its bodies, in the tree's order
    bool leaf;
};

// A list of cells for each cell, stored consecutively
struct Lists {
    std::vector<std::int64_t> first;
    std::vector<std::int32_t> cells;
    const std::int32_t *begin(long cell) const
    {
        return cells.data() + first[static_cast<std::size_t>(cell)];
    }
    const std::int32_t *end(long cell) const
    {
        return cells.data() + first[static_cast<std::size_t>(cell) + 1];
    }
};

// Cells are stored level by level, in Morton order on each. Parents come before children.
struct Tree {
    double centre[3] = {0, 0, 0}, side = 1; // of the cube that holds all bodies
    std::vector<std::int32_t> order;        // the bodies in Morton order: order[i] was body i
    std::vector<Cell> cells;
    std::vector<std::int32_t> level_first; // first cell of each level, and one past the last
    std::vector<std::int32_t> leaves;      // in Morton order
    // The cell of the same level at (dx, dy, dz) from -1 to 1, at dx + 1 + 3 (dy + 1) + 9 (dz + 1); -1: none
    std::vector<std::array<std::int32_t, NEIGHBOURS>> colleagues;
    // For leaves: u, leaves that act directly; w, finer cells that do not touch the leaf although their parents do. For
    // cells: x, coarser leaves that have the cell in their w. Small members of w and x (at most `few` bodies) are in u
    // instead.
    Lists u, w, x;
    int levels() const
    {
        return static_cast<int>(level_first.size()) - 1;
    }
};

// Sets centre and side: a cube slightly larger than all places need
template <typename T> void enclose(Tree &tree, long count, const T *places);
void enclose(Tree &tree, const double *low, const double *high);

// The tree in steps, for bodies in several memories (essential.h): a root; then the last level's cells are split, until
// no more cells result.
Key key_of(const Tree &tree, const double *place);
Key least_key(const Cell &cell);
void plant(Tree &tree, long count, int leaf);
// `bounds`: per cell of the last level, the first body of each child and one past the last; arbitrary for leaves
using Bounds = std::array<std::int32_t, 9>;
void grow(Tree &tree, const std::vector<Bounds> &bounds, int leaf);
// Steps for the complete tree: leaves; then colleagues and lists
void find_leaves(Tree &tree);
void find_neighbours(Tree &tree, int few);

// Builds the tree of bodies at places (x, y, z each), which must be finite. O(count log count), by all threads.
template <typename T> Tree make_tree(long count, const T *places, int leaf, int few);

} // namespace fmm
#endif
