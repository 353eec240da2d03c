// A share of a problem: which cells are its own, what it needs, and what it offers.
//
// BSD-3-Clause, the Banyan authors.
#ifndef APPS_FMM_PART_OF_H
#define APPS_FMM_PART_OF_H

#include "part.h"
#include "stages.h"

#include <vector>

namespace fmm {

struct Range {
    long begin, end;
};

// A cell is active in the shares that have bodies of it. Those of several shares get their charges in each from the
// bodies there, which add up; what is far from them is found in each.
struct Part {
    Part(const Stages &stages, int parts, const long *first_leaf, int mine);
    std::vector<Range> active;         // cells of each level
    Range leaves;                      // in the tree's list of them
    std::vector<Range> groups;         // of each level whose cells are active
    std::vector<std::int32_t> sources; // groups that act on those, and are transformed here
    std::vector<std::int32_t> cleared; // cells that others fill, wholly or too
    std::vector<fmm_run> runs[FMM_EXCHANGES];
    std::vector<double> seconds; // of each of the leaves

  private:
    struct Shares; // which bodies and cells each has
    void find_needed_bodies(const Stages &stages, const Shares &shares);
    void find_cells(const Stages &stages, const Shares &shares);
};

} // namespace fmm
#endif
