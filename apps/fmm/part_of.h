// A share of a problem: which cells are its own, what it needs, and what it offers.
//
// BSD-3-Clause, the Banyan authors.
#ifndef APPS_FMM_PART_OF_H
#define APPS_FMM_PART_OF_H

#include "essential.h"
#include "stages.h"

#include <vector>

namespace fmm {

// A cell is active in the shares that have bodies of it. Those of several shares get their charges in each from the
// bodies there, which add up; what is far from them is found in each.
struct Part {
    // Of the essential tree, but that the stages have its cells already
    Part(const Stages &stages, const Essential &essential);
    std::vector<Range> active;         // cells of each level
    Range leaves;                      // in the tree's list of them
    std::vector<Range> groups;         // of each level whose cells are active
    std::vector<std::int32_t> sources; // groups that act on those, and are transformed here
    std::vector<std::int32_t> cleared; // cells that others fill, wholly or too
    std::vector<fmm_run> runs[FMM_EXCHANGES];
    std::vector<double> seconds; // of each of the leaves

  private:
    void find_needed_bodies(const Stages &stages, const Essential &essential);
    void find_offered(const Stages &stages, const Essential &essential);
    void find_needed_cells(const Stages &stages, const Essential &essential);
};

} // namespace fmm
#endif
