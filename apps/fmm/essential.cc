// The locally essential tree, level by level from what shares offer of their own cells
//
// BSD-3-Clause, the Banyan authors.
#include "essential.h"

#include "index.h"
#include "problem.h"

#include <algorithm>

namespace fmm {
namespace {

// Where the bodies of each child begin among sorted keys, and one past the last
std::array<long, 9> split_keys(const std::vector<Key> &keys, Key key, int level)
{
    std::array<long, 9> bounds;
    for (unsigned k = 0; k < 9; k++) {
        Key from = key + k * fmm_key_step(level + 1);
        bounds[k] = std::lower_bound(keys.begin(), keys.end(), from) - keys.begin();
    }
    return bounds;
}

} // namespace

// Appends `next`, merging it with the last run if it continues that one
void append(std::vector<fmm_run> &runs, const fmm_run &next)
{
    if (!runs.empty()) {
        fmm_run &last = runs.back();
        if (last.owner == next.owner && last.at + last.count == next.at && last.there + last.count == next.there) {
            last.count += next.count;
            return;
        }
    }
    runs.push_back(next);
}

Range cells_with(const Tree &tree, int level, long begin, long end)
{
    auto first = tree.cells.begin() + tree.level_first[at(level)];
    auto last = tree.cells.begin() + tree.level_first[at(level) + 1];
    auto from = std::partition_point(first, last, [&](const Cell &c) { return c.first + c.count <= begin; });
    auto to = std::partition_point(from, last, [&](const Cell &c) { return c.first < end; });
    if (begin >= end)
        to = from;
    return {from - tree.cells.begin(), to - tree.cells.begin()};
}

Essential::Essential(const double *low, const double *high, long count, int leaf) : leaf(leaf)
{
    enclose(tree, low, high);
    fmm::plant(tree, count, leaf);
}

int Essential::owner(long body) const
{
    return static_cast<int>(std::upper_bound(first_body.begin(), first_body.end(), body) - first_body.begin()) - 1;
}

// A cell that a cut goes through is not a leaf: it has bodies on both sides, or else the cut would have been moved
// around it.
bool Essential::is_leaf(Key key, int level, long count) const
{
    auto cut = std::upper_bound(cuts.begin(), cuts.end(), key);
    bool is_cut = cut != cuts.end() && *cut < key + fmm_key_step(level);
    return level == DEEPEST || (count <= leaf && !is_cut);
}

// Level by level, like the whole tree
void Essential::make_own(const std::vector<Key> &roots)
{
    std::vector<Key> level_cells = roots;
    own_level_first = {0};
    for (int level = 0; !level_cells.empty(); level++) {
        std::vector<Key> below;
        long next = own_level_first.back() + static_cast<long>(level_cells.size());
        for (Key key : level_cells) {
            auto bounds = level < DEEPEST ? split_keys(keys, key, level) : std::array<long, 9>{};
            fmm_offer offer = {next + static_cast<long>(below.size()), {}};
            if (is_leaf(key, level, bounds[8] - bounds[0])) {
                own_leaves.push_back({key, level});
                offers.push_back(offer);
                continue;
            }
            for (unsigned k = 0; k < 8; k++) {
                offer.counts[k] = static_cast<std::int32_t>(bounds[k + 1] - bounds[k]);
                if (offer.counts[k] > 0)
                    below.push_back(key + k * fmm_key_step(level + 1));
            }
            offers.push_back(offer);
        }
        own_level_first.push_back(next);
        level_cells = std::move(below);
    }
    std::sort(own_leaves.begin(), own_leaves.end(), [](const Leaf &a, const Leaf &b) { return a.key < b.key; });
}

void Essential::plant(int its_parts, const std::uint64_t *its_cuts, const long *its_first_body, int its_mine,
                      const std::uint64_t *its_keys)
{
    parts = its_parts;
    mine = its_mine;
    cuts.assign(its_cuts, its_cuts + parts + 1);
    first_body.assign(its_first_body, its_first_body + parts + 1);
    bool right = mine >= 0 && mine < parts && first_body[0] == 0 && first_body.back() == tree.cells[0].count &&
                 std::is_sorted(cuts.begin(), cuts.end()) && std::is_sorted(first_body.begin(), first_body.end());
    if (!right)
        fail("the %d shares are not one after the other, or do not have all bodies", parts);
    keys.assign(its_keys, its_keys + first_body[at(mine) + 1] - first_body[at(mine)]);
    if (!std::is_sorted(keys.begin(), keys.end()))
        fail("the keys of share %d do not ascend", mine);
    make_own(keys.empty() ? std::vector<Key>() : std::vector<Key>{0});
    first_place = {0};
    for (int p = 0; p < parts; p++) {
        if (first_body[at(p)] < first_body[at(p) + 1])
            places.push_back({p, 0});
    }
    first_place.push_back(static_cast<std::int64_t>(places.size()));
    find_wanted();
}

bool Essential::touches_own(const Cell &cell) const
{
    std::int32_t width = 1 << cell.level;
    Key step = fmm_key_step(cell.level);
    for (int n = 0; n < NEIGHBOURS; n++) {
        Cell near = cell;
        const int by[3] = {n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1};
        bool inside = true;
        for (int d = 0; d < 3; d++) {
            near.place[d] += by[d];
            inside &= near.place[d] >= 0 && near.place[d] < width;
        }
        if (!inside)
            continue;
        Key key = least_key(near);
        auto body = std::lower_bound(keys.begin(), keys.end(), key);
        if (body != keys.end() && *body < key + step)
            return true;
        auto after =
            std::upper_bound(own_leaves.begin(), own_leaves.end(), key, [](Key k, const Leaf &l) { return k < l.key; });
        if (after != own_leaves.begin() && key < (after - 1)->key + fmm_key_step((after - 1)->level))
            return true;
    }
    return false;
}

bool Essential::to_be_opened(long c) const
{
    const Cell &cell = tree.cells[at(c)];
    if (cell.leaf)
        return false;
    for (std::int64_t p = first_place[at(c)]; p < first_place[at(c) + 1]; p++) {
        if (places[at(p)].owner == mine)
            return true;
    }
    return touches_own(cell);
}

// Finds the cells of the last level to open, and the offers of others that this needs
void Essential::find_wanted()
{
    long begin = tree.level_first[at(tree.levels() - 1)], end = tree.level_first.back();
    open.assign(at(end - begin), 0);
    wanted.clear();
    count_wanted = 0;
    is_complete = true;
    for (long c = begin; c < end; c++) {
        if (!to_be_opened(c))
            continue;
        open[at(c - begin)] = 1;
        is_complete = false;
        for (std::int64_t p = first_place[at(c)]; p < first_place[at(c) + 1]; p++) {
            if (places[at(p)].owner != mine)
                append(wanted, {places[at(p)].owner, count_wanted++, places[at(p)].cell, 1});
        }
    }
    if (is_complete)
        find_leaves(tree);
}

void Essential::take(const fmm_offer *given)
{
    long begin = tree.level_first[at(tree.levels() - 1)], end = tree.level_first.back();
    std::vector<Bounds> bounds(at(end - begin));
    std::vector<std::vector<Place>> of_children(at(8 * (end - begin)));
    for (long c = begin; c < end; c++) {
        Bounds &b = bounds[at(c - begin)];
        b.fill(tree.cells[at(c)].first);
        if (!open[at(c - begin)])
            continue;
        std::int32_t counts[8] = {};
        for (std::int64_t p = first_place[at(c)]; p < first_place[at(c) + 1]; p++) {
            const Place &place = places[at(p)];
            const fmm_offer &offer = place.owner == mine ? offers[at(place.cell)] : *given++;
            std::int32_t next = static_cast<std::int32_t>(offer.first_child);
            for (int k = 0; k < 8; k++) {
                counts[k] += offer.counts[k];
                if (offer.counts[k] > 0)
                    of_children[at(8 * (c - begin) + k)].push_back({place.owner, next++});
            }
        }
        for (int k = 0; k < 8; k++)
            b[at(k) + 1] = b[at(k)] + counts[k];
        if (b[8] != b[0] + tree.cells[at(c)].count)
            fail("a cell of %d bodies was split into %d", tree.cells[at(c)].count, b[8] - b[0]);
    }
    grow(tree, bounds, leaf);
    for (const std::vector<Place> &child : of_children) {
        if (child.empty())
            continue;
        places.insert(places.end(), child.begin(), child.end());
        first_place.push_back(static_cast<std::int64_t>(places.size()));
    }
    find_wanted();
}

} // namespace fmm
