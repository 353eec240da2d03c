// A share of a problem: which cells are its own, what it needs, and what it offers.
//
// BSD-3-Clause, the Banyan authors.
#ifndef APPS_FMM_PART_OF_H
#define APPS_FMM_PART_OF_H

#include "essential.h"
#include "stages.h"

#include <vector>

namespace fmm {

// A cell is active in every share that has bodies of it. If it is in several shares, each computes charges for its own
// bodies, which add up, and each computes the cell's far field.
struct Part {
    // From the essential tree, whose cells the stages have already
    Part(const Stages &stages, const Essential &essential);
    std::vector<Range> active;         // cells of each level
    Range leaves;                      // index range in the tree's list of leaves
    std::vector<Range> groups;         // per level, those whose cells are active
    std::vector<std::int32_t> sources; // groups that act on those, and are transformed here
    std::vector<std::int32_t> cleared; // cells that others fill, wholly or in part
    std::vector<fmm_run> runs[FMM_EXCHANGES];
    std::vector<double> seconds; // per leaf

  private:
    void find_needed_bodies(const Stages &stages, const Essential &essential);
    void find_offered(const Stages &stages, const Essential &essential);
    void find_needed_cells(const Stages &stages, const Essential &essential);
};

} // namespace fmm
#endif
