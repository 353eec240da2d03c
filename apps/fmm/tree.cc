// The octree: sorted Morton keys; cells, split level by level; lists from cells of the same level
//
// BSD-3-Clause, the Banyan authors.
#include "tree.h"

#include "caught.h"
#include "index.h"
#include "problem.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <omp.h>

namespace fmm {
namespace {

struct Keyed {
    Key key;
    std::int32_t body;
};

// Spreads the bits of x to every third bit: 0, 3, 6, ...
Key spread(Key x)
{
    x = (x | x << 32) & 0x001F00000000FFFF;
    x = (x | x << 16) & 0x001F0000FF0000FF;
    x = (x | x << 8) & 0x100F00F00F00F00F;
    x = (x | x << 4) & 0x10C30C30C30C30C3;
    return (x | x << 2) & 0x1249249249249249;
}

template <typename T> std::vector<Keyed> keys_of(const Tree &tree, long count, const T *places)
{
    std::vector<Keyed> keys(at(count));
#pragma omp parallel for
    for (long i = 0; i < count; i++) {
        const double place[3] = {static_cast<double>(places[3 * i]), static_cast<double>(places[3 * i + 1]),
                                 static_cast<double>(places[3 * i + 2])};
        keys[at(i)] = {key_of(tree, place), static_cast<std::int32_t>(i)};
    }
    return keys;
}

// Each thread sorts its part; then parts are merged in pairs. Equal keys stay in the order of bodies.
void sort(std::vector<Keyed> &keys)
{
    auto before = [](const Keyed &a, const Keyed &b) { return a.key != b.key ? a.key < b.key : a.body < b.body; };
    long shares = 1;
    while (shares < omp_get_max_threads())
        shares *= 2;
    auto bound = [&](long share) { return keys.begin() + static_cast<long>(keys.size()) * share / shares; };
#pragma omp parallel for schedule(dynamic, 1)
    for (long share = 0; share < shares; share++)
        std::sort(bound(share), bound(share + 1), before);
    for (long width = 1; width < shares; width *= 2) {
#pragma omp parallel for schedule(dynamic, 1)
        for (long share = 0; share < shares; share += 2 * width) {
            std::inplace_merge(bound(share), bound(share + width), bound(share + 2 * width), before);
        }
    }
}

// The children of a cell, as ranges of the sorted keys: the first of each, and one past the last
Bounds split(const std::vector<Keyed> &keys, const Cell &cell)
{
    int shift = 3 * (DEEPEST - 1 - cell.level);
    Bounds bounds;
    bounds[0] = cell.first;
    for (unsigned c = 1; c < 8; c++) {
        auto from = keys.begin() + bounds[c - 1], to = keys.begin() + cell.first + cell.count;
        bounds[c] = static_cast<std::int32_t>(
            std::partition_point(from, to, [&](const Keyed &k) { return (k.key >> shift & 7) < c; }) - keys.begin());
    }
    bounds[8] = cell.first + cell.count;
    return bounds;
}

void make_cells(Tree &tree, const std::vector<Keyed> &keys, int leaf)
{
    plant(tree, static_cast<long>(keys.size()), leaf);
    for (int level = 0; level < tree.levels(); level++) {
        long begin = tree.level_first[at(level)], end = tree.level_first[at(level) + 1];
        std::vector<Bounds> bounds(at(end - begin));
#pragma omp parallel for schedule(dynamic, 64)
        for (long c = begin; c < end; c++) {
            if (!tree.cells[at(c)].leaf)
                bounds[at(c - begin)] = split(keys, tree.cells[at(c)]);
        }
        grow(tree, bounds, leaf);
    }
}

// Colleagues are among the children of the parent's colleagues.
void find_colleagues(Tree &tree)
{
    tree.colleagues.resize(tree.cells.size());
    tree.colleagues[0].fill(-1);
    tree.colleagues[0][NEIGHBOURS / 2] = 0;
    for (int level = 1; level < tree.levels(); level++) {
#pragma omp parallel for schedule(static)
        for (long c = tree.level_first[at(level)]; c < tree.level_first[at(level) + 1]; c++) {
            const Cell &cell = tree.cells[at(c)];
            for (int n = 0; n < NEIGHBOURS; n++) {
                const int step[3] = {n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1};
                int parent = 0, child = 0, weight = 1;
                for (int d = 0; d < 3; d++, weight *= 3) {
                    int bit = (cell.place[d] & 1) + step[d]; // -1 to 2; 0 and 1 are within the parent itself
                    parent += (bit < 0 ? 0 : bit > 1 ? 2 : 1) * weight;
                    child |= (bit & 1) << d;
                }
                std::int32_t from = tree.colleagues[at(cell.parent)][at(parent)];
                tree.colleagues[at(c)][at(n)] = from < 0 ? -1 : tree.cells[at(from)].child[child];
            }
        }
    }
}

bool touch(const Cell &a, const Cell &b)
{
    int deepest = std::max(a.level, b.level);
    for (int d = 0; d < 3; d++) {
        std::int64_t a_low = std::int64_t{a.place[d]} << (deepest - a.level);
        std::int64_t b_low = std::int64_t{b.place[d]} << (deepest - b.level);
        if (a_low > b_low + (1 << (deepest - b.level)) || b_low > a_low + (1 << (deepest - a.level)))
            return false;
    }
    return true;
}

struct Found {
    std::vector<std::int32_t> u, w;
};

// Finds the leaves and cells below `from`, which touches the leaf `target`, that are finer than `target`
void descend(const Tree &tree, const Cell &target, std::int32_t from, Found &found)
{
    const Cell &cell = tree.cells[at(from)];
    if (cell.leaf) {
        found.u.push_back(from);
        return;
    }
    for (std::int32_t child : cell.child) {
        if (child < 0)
            continue;
        if (touch(target, tree.cells[at(child)])) {
            descend(tree, target, child, found);
        } else {
            found.w.push_back(child);
        }
    }
}

Found find_for(const Tree &tree, std::int32_t leaf)
{
    const Cell &target = tree.cells[at(leaf)];
    Found found;
    for (std::int32_t colleague : tree.colleagues[at(leaf)]) {
        if (colleague >= 0)
            descend(tree, target, colleague, found);
    }
    for (std::int32_t above = target.parent; above >= 0; above = tree.cells[at(above)].parent) {
        for (std::int32_t colleague : tree.colleagues[at(above)]) {
            if (colleague < 0 || !tree.cells[at(colleague)].leaf)
                continue;
            if (touch(target, tree.cells[at(colleague)]))
                found.u.push_back(colleague);
        }
    }
    return found;
}

Lists flatten(std::vector<std::vector<std::int32_t>> &&of)
{
    Lists lists;
    lists.first.assign(1, 0);
    for (const auto &cells : of)
        lists.first.push_back(lists.first.back() + static_cast<std::int64_t>(cells.size()));
    lists.cells.resize(at(lists.first.back()));
#pragma omp parallel for
    for (long c = 0; c < static_cast<long>(of.size()); c++) {
        std::sort(of[at(c)].begin(), of[at(c)].end()); // so that neighbours in memory are adjacent
        std::copy(of[at(c)].begin(), of[at(c)].end(), lists.cells.begin() + lists.first[at(c)]);
    }
    return lists;
}

void find_lists(Tree &tree, int few)
{
    std::vector<std::vector<std::int32_t>> u(tree.cells.size()), w(tree.cells.size()), x(tree.cells.size());
    Caught caught;
#pragma omp parallel for schedule(dynamic, 16)
    for (long i = 0; i < static_cast<long>(tree.leaves.size()); i++) {
        caught.in([&] {
            std::int32_t leaf = tree.leaves[at(i)];
            Found found = find_for(tree, leaf);
            u[at(leaf)] = std::move(found.u);
            w[at(leaf)] = std::move(found.w);
        });
    }
    caught.again();
    // A surface has more points than such a leaf has bodies, so direct summation is cheaper, and exact.
    auto is_small = [&](std::int32_t c) { return tree.cells[at(c)].leaf && tree.cells[at(c)].count <= few; };
    for (std::int32_t leaf : tree.leaves) {
        for (std::int32_t cell : w[at(leaf)])
            (is_small(cell) ? u : x)[at(cell)].push_back(leaf);
    }
#pragma omp parallel for schedule(dynamic, 16)
    for (long i = 0; i < static_cast<long>(tree.leaves.size()); i++) {
        caught.in([&] {
            std::int32_t leaf = tree.leaves[at(i)];
            auto &far = w[at(leaf)];
            auto middle = std::stable_partition(far.begin(), far.end(), [&](std::int32_t c) { return !is_small(c); });
            u[at(leaf)].insert(u[at(leaf)].end(), middle, far.end());
            far.erase(middle, far.end());
        });
    }
    caught.again();
    tree.u = flatten(std::move(u));
    tree.w = flatten(std::move(w));
    tree.x = flatten(std::move(x));
}

} // namespace

Key key_of(const Tree &tree, const double *place)
{
    constexpr double CELLS = 1 << DEEPEST;
    Key key = 0;
    for (int d = 0; d < 3; d++) {
        double within = (place[d] - tree.centre[d]) / tree.side + 0.5;
        key |= spread(static_cast<Key>(std::min(std::max(within * CELLS, 0.0), CELLS - 1))) << d;
    }
    return key;
}

Key least_key(const Cell &cell)
{
    Key key = 0;
    for (int d = 0; d < 3; d++)
        key |= spread(static_cast<Key>(cell.place[d])) << d;
    return key << 3 * (DEEPEST - cell.level);
}

void plant(Tree &tree, long count, int leaf)
{
    tree.cells = {
        {{0, 0, 0}, 0, -1, {-1, -1, -1, -1, -1, -1, -1, -1}, 0, static_cast<std::int32_t>(count), count <= leaf}};
    tree.level_first = {0, 1};
}

void grow(Tree &tree, const std::vector<Bounds> &bounds, int leaf)
{
    long begin = tree.level_first[at(tree.levels() - 1)], end = tree.level_first.back();
    std::vector<long> first_child(at(end - begin) + 1, end);
    for (long c = begin; c < end; c++) {
        long children = 0;
        for (unsigned k = 0; k < 8 && !tree.cells[at(c)].leaf; k++)
            children += bounds[at(c - begin)][k + 1] > bounds[at(c - begin)][k];
        first_child[at(c - begin) + 1] = first_child[at(c - begin)] + children;
    }
    if (first_child.back() == end)
        return;
    tree.cells.resize(at(first_child.back()));
#pragma omp parallel for schedule(dynamic, 64)
    for (long c = begin; c < end; c++) {
        Cell &cell = tree.cells[at(c)];
        long next = first_child[at(c - begin)];
        for (int k = 0; k < 8 && !cell.leaf; k++) {
            const Bounds &bound = bounds[at(c - begin)];
            std::int32_t count = bound[at(k) + 1] - bound[at(k)];
            if (count == 0)
                continue;
            Cell child = {{},
                          cell.level + 1,
                          static_cast<std::int32_t>(c),
                          {-1, -1, -1, -1, -1, -1, -1, -1},
                          bound[at(k)],
                          count,
                          count <= leaf || cell.level + 1 == DEEPEST};
            for (int d = 0; d < 3; d++)
                child.place[d] = 2 * cell.place[d] + (k >> d & 1);
            cell.child[k] = static_cast<std::int32_t>(next);
            tree.cells[at(next++)] = child;
        }
    }
    tree.level_first.push_back(static_cast<std::int32_t>(tree.cells.size()));
}

void find_leaves(Tree &tree)
{
    for (long c = 0; c < static_cast<long>(tree.cells.size()); c++) {
        if (tree.cells[at(c)].leaf)
            tree.leaves.push_back(static_cast<std::int32_t>(c));
    }
    std::sort(tree.leaves.begin(), tree.leaves.end(),
              [&](std::int32_t a, std::int32_t b) { return tree.cells[at(a)].first < tree.cells[at(b)].first; });
}

void find_neighbours(Tree &tree, int few)
{
    find_colleagues(tree);
    find_lists(tree, few);
}

template <typename T> void enclose(Tree &tree, long count, const T *places)
{
    double lowest[3] = {}, highest[3] = {};
    for (int d = 0; d < 3 && count > 0; d++) {
        double low = std::numeric_limits<double>::infinity(), high = -low;
#pragma omp parallel for reduction(min : low) reduction(max : high)
        for (long i = 0; i < count; i++) {
            low = std::min(low, static_cast<double>(places[3 * i + d]));
            high = std::max(high, static_cast<double>(places[3 * i + d]));
        }
        lowest[d] = low;
        highest[d] = high;
    }
    enclose(tree, lowest, highest);
}

void enclose(Tree &tree, const double *low, const double *high)
{
    double most = 0;
    for (int d = 0; d < 3; d++) {
        tree.centre[d] = low[d] / 2 + high[d] / 2;
        most = std::max(most, high[d] - low[d]);
    }
    // Slightly larger than the bodies need, so that none is on the upper faces
    tree.side = most > 0 ? most * (1 + 1e-6) : 1;
    if (!std::isfinite(tree.side))
        fail("bodies are too far apart for a cube around them, whose side is not finite");
}

template <typename T> Tree make_tree(long count, const T *places, int leaf, int few)
{
    Tree tree;
    enclose(tree, count, places);
    std::vector<Keyed> keys = keys_of(tree, count, places);
    sort(keys);
    make_cells(tree, keys, leaf);
    tree.order.resize(at(count));
#pragma omp parallel for
    for (long i = 0; i < count; i++)
        tree.order[at(i)] = keys[at(i)].body;
    find_leaves(tree);
    find_neighbours(tree, few);
    return tree;
}

template void enclose<double>(Tree &, long, const double *);
template void enclose<float>(Tree &, long, const float *);
template Tree make_tree<double>(long, const double *, int, int);
template Tree make_tree<float>(long, const float *, int, int);

} // namespace fmm
