// Shares of a problem: from the cuts between shares, each finds by itself what it must get from whom
//
// BSD-3-Clause, the Banyan authors.
#include "part.h"

#include "part_of.h"
#include "problem.h"

#include <algorithm>
#include <limits>
#include <omp.h>
#include <stdexcept>

struct fmm_tree {
    fmm::Tree tree;
    int leaf;
};

namespace fmm {

// Bodies and active cells of every share
struct Part::Shares {
    std::vector<long> first_body;           // of each share, and one past the last
    std::vector<std::vector<Range>> active; // [share][level]
    int mine;

    Shares(const Tree &tree, int parts, const long *first_leaf, int mine) : mine(mine)
    {
        long bodies = tree.cells[0].count, leaves = static_cast<long>(tree.leaves.size());
        for (int p = 0; p <= parts; p++) {
            first_body.push_back(first_leaf[p] == leaves ? bodies
                                                         : tree.cells[at(tree.leaves[at(first_leaf[p])])].first);
        }
        active.resize(at(parts));
        for (int p = 0; p < parts; p++) {
            for (int level = 0; level < tree.levels(); level++)
                active[at(p)].push_back(active_cells(tree, level, first_body[at(p)], first_body[at(p) + 1]));
        }
    }
    // Those of a level with bodies from begin to end: one after the other, as they are in Morton order
    static Range active_cells(const Tree &tree, int level, long begin, long end)
    {
        auto first = tree.cells.begin() + tree.level_first[at(level)];
        auto last = tree.cells.begin() + tree.level_first[at(level) + 1];
        auto from = std::partition_point(first, last, [&](const Cell &c) { return c.first + c.count <= begin; });
        auto to = std::partition_point(from, last, [&](const Cell &c) { return c.first < end; });
        if (begin >= end)
            to = from;
        return {from - tree.cells.begin(), to - tree.cells.begin()};
    }
    int owner(long body) const
    {
        return static_cast<int>(std::upper_bound(first_body.begin(), first_body.end(), body) - first_body.begin()) - 1;
    }
    bool is_mine(long body) const
    {
        return body >= first_body[at(mine)] && body < first_body[at(mine) + 1];
    }
    bool is_active(const Tree &tree, long cell, int share) const
    {
        const Range &range = active[at(share)][at(tree.cells[at(cell)].level)];
        return cell >= range.begin && cell < range.end;
    }
    // Where a share offers an active cell: they are offered level by level
    long place(const Tree &tree, long cell, int share) const
    {
        long before = 0;
        int level = tree.cells[at(cell)].level;
        for (int above = FIRST_FAR_LEVEL; above < level; above++)
            before += active[at(share)][at(above)].end - active[at(share)][at(above)].begin;
        return before + cell - active[at(share)][at(level)].begin;
    }
};

namespace {

void sort_out(std::vector<std::int32_t> &indices)
{
    std::sort(indices.begin(), indices.end());
    indices.erase(std::unique(indices.begin(), indices.end()), indices.end());
}

// Appends to the last run if it goes on there
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

} // namespace

Part::Part(const Stages &stages, int parts, const long *first_leaf, int mine)
{
    Shares shares(stages.tree, parts, first_leaf, mine);
    active = shares.active[at(mine)];
    leaves = {first_leaf[mine], first_leaf[mine + 1]};
    seconds.resize(at(leaves.end - leaves.begin));
    find_needed_bodies(stages, shares);
    find_cells(stages, shares);
}

void Part::find_needed_bodies(const Stages &stages, const Shares &shares)
{
    const Tree &tree = stages.tree;
    std::vector<std::int32_t> needed;
    auto need = [&](std::int32_t c) {
        if (!shares.is_mine(tree.cells[at(c)].first) && tree.cells[at(c)].count > 0)
            needed.push_back(c);
    };
    for (long l = leaves.begin; l < leaves.end; l++) {
        std::int32_t leaf = tree.leaves[at(l)];
        std::for_each(tree.u.begin(leaf), tree.u.end(leaf), need);
    }
    for (const Range &range : active) {
        for (long c = range.begin; c < range.end; c++)
            std::for_each(tree.x.begin(c), tree.x.end(c), need);
    }
    std::sort(needed.begin(), needed.end(),
              [&](std::int32_t a, std::int32_t b) { return tree.cells[at(a)].first < tree.cells[at(b)].first; });
    needed.erase(std::unique(needed.begin(), needed.end()), needed.end());
    for (std::int32_t c : needed) {
        const Cell &cell = tree.cells[at(c)];
        int owner = shares.owner(cell.first);
        append(runs[FMM_NEEDED_BODIES], {owner, cell.first, cell.first - shares.first_body[at(owner)], cell.count});
    }
}

void Part::find_cells(const Stages &stages, const Shares &shares)
{
    const Tree &tree = stages.tree;
    std::vector<std::int32_t> needed;
    for (int level = 0; level < tree.levels(); level++) {
        const Range &range = active[at(level)];
        if (level >= FIRST_FAR_LEVEL && range.begin < range.end)
            runs[FMM_OFFERED_CELLS].push_back(
                {shares.mine, range.begin, shares.place(tree, range.begin, shares.mine), range.end - range.begin});
        auto first = stages.groups.begin() + stages.group_first[at(level)];
        auto last = stages.groups.begin() + stages.group_first[at(level) + 1];
        auto from = std::partition_point(first, last, [&](const Group &g) { return g.cell < range.begin; });
        auto to = std::partition_point(from, last, [&](const Group &g) { return g.cell < range.end; });
        groups.push_back({from - stages.groups.begin(), to - stages.groups.begin()});
        for (auto group = from; group < to; group++)
            std::copy_if(group->sources, group->sources + 26, std::back_inserter(sources),
                         [](auto g) { return g >= 0; });
        for (long c = range.begin; c < range.end; c++) // children that others fill
            std::copy_if(tree.cells[at(c)].child, tree.cells[at(c)].child + 8, std::back_inserter(cleared),
                         [](auto child) { return child >= 0; });
    }
    sort_out(sources);
    for (std::int32_t group : sources) {
        for (std::int32_t child : tree.cells[at(stages.groups[at(group)].cell)].child) {
            if (child >= 0)
                needed.push_back(child);
        }
    }
    for (long l = leaves.begin; l < leaves.end; l++)
        needed.insert(needed.end(), tree.w.begin(tree.leaves[at(l)]), tree.w.end(tree.leaves[at(l)]));
    sort_out(needed);
    cleared.insert(cleared.end(), needed.begin(), needed.end());
    sort_out(cleared);
    for (int share = 0; share < static_cast<int>(shares.active.size()); share++) {
        for (std::int32_t c : needed) {
            if (share != shares.mine && shares.is_active(tree, c, share))
                append(runs[FMM_NEEDED_CELLS], {share, c, shares.place(tree, c, share), 1});
        }
    }
}

namespace {

// One thread in what OpenMP would give to several: callers are the threads.
class Alone {
  public:
    Alone() : before(omp_get_max_threads())
    {
        omp_set_num_threads(1);
    }
    Alone(const Alone &) = delete;
    Alone &operator=(const Alone &) = delete;
    ~Alone()
    {
        omp_set_num_threads(before);
    }

  private:
    int before;
};

} // namespace
} // namespace fmm

using fmm::at;

fmm_tree *fmm_tree_new(const double low[3], const double high[3], long count, int leaf, char *message)
{
    std::unique_ptr<fmm_tree> made;
    int status = fmm::told(message, [&] {
        fmm::check_count(count);
        if (leaf < 1)
            fmm::fail("a leaf is to have %d bodies; it must be 1 or more", leaf);
        made = std::make_unique<fmm_tree>();
        made->leaf = leaf;
        enclose(made->tree, low, high);
        plant(made->tree, count, leaf);
        if (count <= leaf)
            find_leaves(made->tree);
    });
    return status == 0 ? made.release() : nullptr;
}

void fmm_tree_free(fmm_tree *tree)
{
    delete tree;
}

uint64_t fmm_tree_key(const fmm_tree *tree, const double place[3])
{
    return key_of(tree->tree, place);
}

// Calls work(cell) for each open one
template <typename Work> static void each_open(const fmm_tree *tree, const Work &work)
{
    const fmm::Tree &t = tree->tree;
    for (long c = t.level_first[at(t.levels() - 1)]; c < t.level_first.back(); c++) {
        if (!t.cells[at(c)].leaf)
            work(c);
    }
}

long fmm_tree_open(const fmm_tree *tree)
{
    long count = 0;
    each_open(tree, [&](long) { count++; });
    return count;
}

void fmm_tree_count(const fmm_tree *tree, long count, const uint64_t *keys, double *counts)
{
    each_open(tree, [&](long c) {
        const fmm::Cell &cell = tree->tree.cells[at(c)];
        fmm::Key key = least_key(cell), step = fmm::Key{1} << 3 * (fmm::DEEPEST - cell.level - 1);
        const uint64_t *from = std::lower_bound(keys, keys + count, key);
        for (int k = 0; k < 8; k++) {
            key += step;
            const uint64_t *to = std::lower_bound(from, keys + count, key);
            *counts++ = static_cast<double>(to - from);
            from = to;
        }
    });
}

int fmm_tree_split(fmm_tree *tree, const double *counts, char *message)
{
    return fmm::told(message, [&] {
        fmm::Alone alone;
        fmm::Tree &t = tree->tree;
        long begin = t.level_first[at(t.levels() - 1)];
        std::vector<fmm::Bounds> bounds(at(t.level_first.back() - begin));
        each_open(tree, [&](long c) {
            fmm::Bounds &b = bounds[at(c - begin)];
            b[0] = t.cells[at(c)].first;
            for (int k = 0; k < 8; k++)
                b[at(k) + 1] = b[at(k)] + static_cast<std::int32_t>(*counts++);
            if (b[8] != b[0] + t.cells[at(c)].count)
                fmm::fail("a cell of %d bodies was split into %d", t.cells[at(c)].count, b[8] - b[0]);
        });
        grow(t, bounds, tree->leaf);
        if (fmm_tree_open(tree) == 0)
            find_leaves(t);
    });
}

long fmm_tree_leaves(const fmm_tree *tree)
{
    return static_cast<long>(tree->tree.leaves.size());
}

fmm_leaf fmm_tree_leaf(const fmm_tree *tree, long leaf)
{
    const fmm::Cell &cell = tree->tree.cells[at(tree->tree.leaves[at(leaf)])];
    return {least_key(cell), cell.first, cell.count};
}

fmm_problem *fmm_part_new(const fmm_options *options, fmm_tree *tree, int parts, const long *first_leaf, int mine,
                          char *message)
{
    std::unique_ptr<fmm_tree> taken(tree);
    std::unique_ptr<fmm_problem> made;
    int status = fmm::told(message, [&] {
        fmm::Alone alone;
        double before = omp_get_wtime();
        fmm::check_options(*options);
        if (fmm_tree_open(tree) > 0)
            fmm::fail("the tree has %ld cells that are still to be split", fmm_tree_open(tree));
        bool right = mine >= 0 && mine < parts && first_leaf[0] == 0 && first_leaf[parts] == fmm_tree_leaves(tree);
        for (int p = 0; p < parts && right; p++)
            right = first_leaf[p] <= first_leaf[p + 1];
        if (!right)
            fmm::fail("the %d shares are not one after the other, or do not have all leaves", parts);
        made = std::make_unique<fmm_problem>();
        made->options = *options;
        made->stages = fmm::make_stages(*options, std::move(tree->tree));
        made->part = std::make_unique<fmm::Part>(*made->stages, parts, first_leaf, mine);
        made->setup = omp_get_wtime() - before;
    });
    return status == 0 ? made.release() : nullptr;
}

long fmm_part_runs(const fmm_problem *p, fmm_exchange what, const fmm_run **runs)
{
    *runs = p->part->runs[what].data();
    return static_cast<long>(p->part->runs[what].size());
}

void fmm_part_set_body(fmm_problem *p, long body, const double place[3], double charge)
{
    p->stages->set_body(body, place, charge);
}

void fmm_part_begin(fmm_problem *p)
{
    for (std::int32_t cell : p->part->cleared) {
        p->stages->clear_charges(cell);
        p->stages->clear_far_field(cell);
    }
    p->stages->records = std::vector<fmm::Record>(1);
    std::fill(p->part->seconds.begin(), p->part->seconds.end(), 0);
}

void fmm_part_run(fmm_problem *p, fmm_stage stage)
{
    fmm::Part &part = *p->part;
    fmm::Stages &stages = *p->stages;
    int levels = stages.tree.levels();
    switch (stage) {
    case FMM_UP:
        for (int level = levels - 1; level >= fmm::FIRST_FAR_LEVEL; level--)
            stages.run(stage, part.active[at(level)].begin, part.active[at(level)].end, 0);
        break;
    case FMM_TRANSFORM:
        for (std::int32_t group : part.sources)
            stages.run(stage, group, group + 1, 0);
        break;
    case FMM_V:
        for (const fmm::Range &range : part.groups) {
            for (long g = range.begin; g < range.end; g += p->options.v_block)
                stages.run(stage, g, std::min(g + p->options.v_block, range.end), 0);
        }
        break;
    case FMM_DOWN:
        for (int level = fmm::FIRST_FAR_LEVEL; level < levels; level++)
            stages.run(stage, part.active[at(level)].begin, part.active[at(level)].end, 0);
        break;
    default:
        for (long leaf = part.leaves.begin; leaf < part.leaves.end; leaf++) {
            double before = stages.records[0].seconds[stage];
            stages.run(stage, leaf, leaf + 1, 0);
            part.seconds[at(leaf - part.leaves.begin)] += stages.records[0].seconds[stage] - before;
        }
    }
}

long fmm_part_cell_bytes(const fmm_problem *p)
{
    return p->stages->charges_bytes();
}

const void *fmm_part_charges(const fmm_problem *p, long cell)
{
    return p->stages->charges_of(cell);
}

void fmm_part_add(fmm_problem *p, const fmm_run *run, const void *charges)
{
    p->stages->add_charges(run->at, run->count, charges);
}

void fmm_part_result(const fmm_problem *p, long body, double result[4])
{
    p->stages->result(body, result);
}

double fmm_part_seconds(const fmm_problem *p, long leaf)
{
    return p->part->seconds[at(leaf - p->part->leaves.begin)];
}
