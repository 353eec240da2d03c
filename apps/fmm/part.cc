// Shares of a problem: each finds from its essential tree what it must get from whom
//
// BSD-3-Clause, the Banyan authors.
#include "part.h"

#include "part_of.h"
#include "problem.h"

#include <algorithm>
#include <iterator>
#include <omp.h>

struct fmm_tree {
    fmm::Essential essential;
};

namespace fmm {
namespace {

void sort_out(std::vector<std::int32_t> &indices)
{
    std::sort(indices.begin(), indices.end());
    indices.erase(std::unique(indices.begin(), indices.end()), indices.end());
}

} // namespace

Part::Part(const Stages &stages, const Essential &essential)
{
    const Tree &tree = stages.tree;
    long begin = essential.first_body[at(essential.mine)], end = essential.first_body[at(essential.mine) + 1];
    for (int level = 0; level < tree.levels(); level++)
        active.push_back(cells_with(tree, level, begin, end));
    auto leaf_at = [&](long body) {
        auto is_before = [&](std::int32_t leaf) { return tree.cells[at(leaf)].first < body; };
        return std::partition_point(tree.leaves.begin(), tree.leaves.end(), is_before) - tree.leaves.begin();
    };
    leaves = begin < end ? Range{leaf_at(begin), leaf_at(end)} : Range{0, 0};
    seconds.resize(at(leaves.end - leaves.begin));
    find_needed_bodies(stages, essential);
    find_offered(stages, essential);
    find_needed_cells(stages, essential);
}

void Part::find_needed_bodies(const Stages &stages, const Essential &essential)
{
    const Tree &tree = stages.tree;
    std::vector<std::int32_t> needed;
    auto need = [&](std::int32_t c) {
        if (!essential.is_mine(tree.cells[at(c)].first) && tree.cells[at(c)].count > 0)
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
        int owner = essential.owner(cell.first);
        append(runs[FMM_NEEDED_BODIES], {owner, cell.first, cell.first - essential.first_body[at(owner)], cell.count});
    }
}

void Part::find_offered(const Stages &stages, const Essential &essential)
{
    for (int level = FIRST_FAR_LEVEL; level < stages.tree.levels(); level++) {
        const Range &range = active[at(level)];
        if (range.begin < range.end)
            runs[FMM_OFFERED_CELLS].push_back(
                {essential.mine, range.begin, essential.own_level_first[at(level)], range.end - range.begin});
    }
}

void Part::find_needed_cells(const Stages &stages, const Essential &essential)
{
    const Tree &tree = stages.tree;
    std::vector<std::int32_t> needed;
    for (int level = 0; level < tree.levels(); level++) {
        const Range &range = active[at(level)];
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
    std::vector<fmm_run> found;
    for (std::int32_t c : needed) {
        for (std::int64_t p = essential.first_place[at(c)]; p < essential.first_place[at(c) + 1]; p++) {
            const Place &place = essential.places[at(p)];
            if (place.owner != essential.mine)
                found.push_back({place.owner, c, place.cell, 1});
        }
    }
    std::stable_sort(found.begin(), found.end(), [](const fmm_run &a, const fmm_run &b) { return a.owner < b.owner; });
    for (const fmm_run &run : found)
        append(runs[FMM_NEEDED_CELLS], run);
}

namespace {

// Limits OpenMP to one thread, since the callers are the threads.
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
        made.reset(new fmm_tree{fmm::Essential(low, high, count, leaf)});
    });
    return status == 0 ? made.release() : nullptr;
}

void fmm_tree_free(fmm_tree *tree)
{
    delete tree;
}

uint64_t fmm_tree_key(const fmm_tree *tree, const double place[3])
{
    return key_of(tree->essential.tree, place);
}

int fmm_tree_plant(fmm_tree *tree, int parts, const uint64_t *cuts, const long *first_body, int mine,
                   const uint64_t *keys, char *message)
{
    return fmm::told(message, [&] { tree->essential.plant(parts, cuts, first_body, mine, keys); });
}

long fmm_tree_offers(const fmm_tree *tree, const fmm_offer **offers)
{
    *offers = tree->essential.offers.data();
    return static_cast<long>(tree->essential.offers.size());
}

long fmm_tree_wanted(const fmm_tree *tree, const fmm_run **runs, long *count_runs)
{
    const fmm::Essential &e = tree->essential;
    *runs = e.wanted.data();
    *count_runs = static_cast<long>(e.wanted.size());
    return e.complete() ? -1 : e.count_wanted;
}

int fmm_tree_take(fmm_tree *tree, const fmm_offer *offers, char *message)
{
    return fmm::told(message, [&] {
        fmm::Alone alone;
        tree->essential.take(offers);
    });
}

fmm_problem *fmm_part_new(const fmm_options *options, fmm_tree *tree, char *message)
{
    std::unique_ptr<fmm_tree> taken(tree);
    std::unique_ptr<fmm_problem> made;
    int status = fmm::told(message, [&] {
        fmm::Alone alone;
        double before = omp_get_wtime();
        fmm::check_options(*options);
        if (!tree->essential.complete())
            fmm::fail("the tree has cells that are still to be split");
        made = std::make_unique<fmm_problem>();
        made->options = *options;
        made->stages = fmm::make_stages(*options, std::move(tree->essential.tree));
        made->part = std::make_unique<fmm::Part>(*made->stages, tree->essential);
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

long fmm_part_leaves(const fmm_problem *p)
{
    return p->part->leaves.end - p->part->leaves.begin;
}

fmm_leaf fmm_part_leaf(const fmm_problem *p, long leaf)
{
    const fmm::Tree &tree = p->stages->tree;
    return {tree.cells[at(tree.leaves[at(p->part->leaves.begin + leaf)])].count, p->part->seconds[at(leaf)]};
}
