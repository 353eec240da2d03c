// The numerics as stages: the interface for the execution models, and all that these may know.
//
// BSD-3-Clause, the Banyan authors.
#ifndef APPS_FMM_STAGES_H
#define APPS_FMM_STAGES_H

#include "caught.h"
#include "fmm.h"
#include "index.h"
#include "tree.h"

#include <memory>
#include <vector>

namespace fmm {

// Indices of a stage: FMM_UP and FMM_DOWN cells, FMM_TRANSFORM and FMM_V groups, FMM_U and FMM_LEAF of `leaves`.
//   FMM_UP         charges that represent a cell's bodies; for a leaf from the bodies, else from the children's
//   FMM_TRANSFORM  the Fourier transform of the charges of a group; after FMM_UP of the children
//   FMM_V          far field of cells of the same level; after FMM_TRANSFORM of the group's sources
//   FMM_DOWN       charges that represent everything far from a cell: V and X lists and the parent's; after FMM_V of
//                  the parent's group and FMM_DOWN of the parent
//   FMM_U          near field of a leaf, the first stage that writes to the leaf's results
//   FMM_LEAF       W list, and the far field; after FMM_U and FMM_DOWN of the leaf and FMM_UP of its W list
// Cells of levels 0 and 1 have no far field: FMM_UP and FMM_DOWN begin with FIRST_FAR_LEVEL.
constexpr int FIRST_FAR_LEVEL = 2;

// The children of one cell that has colleagues with children
struct Group {
    std::int32_t cell;
    std::int32_t sources[26]; // groups of the colleagues; -1: none
};

struct Piece {
    double begin, seconds, processor; // processor: of the thread, less than `seconds` if others used its core
    fmm_stage stage;
    std::int32_t first, count; // indices of the stage
};

// The record of one thread; on cache lines of its own
struct alignas(128) Record {
    double seconds[FMM_STAGES] = {};
    double processor[FMM_STAGES] = {}; // while tracing
    long calls[FMM_STAGES] = {};
    double counts[FMM_STAGES][FMM_COUNTERS] = {};
    std::vector<Piece> pieces;
    Caught caught; // of `pieces`
};

class Stages {
  public:
    virtual ~Stages() = default;
    // Executes a range of one stage; [begin, end) is within one level. `thread` is the caller's index in `records`.
    // Throws nothing. Records the time it took.
    void run(fmm_stage stage, long begin, long end, int thread);
    // To be called before and after the stages, by one thread
    virtual void begin(const void *charges, bool gradients) = 0;
    virtual void results(void *potentials, void *gradients) const = 0;
    virtual void set_v_block(int block) = 0; // at most this many groups in a call of FMM_V
    virtual int most_threads() const = 0;

    // One at a time, by index in the tree's order: for bodies in several memories (part.h)
    virtual void set_body(long body, const double *place, double charge) = 0;
    virtual void result(long body, double *result) const = 0;
    virtual void clear_charges(long cell) = 0; // the charges that represent its bodies
    virtual void clear_far_field(long cell) = 0;
    virtual void add_charges(long cell, long count, const void *charges) = 0;
    virtual const void *charges_of(long cell) const = 0;
    virtual long charges_bytes() const = 0; // per cell

    Tree tree;
    std::vector<Group> groups;             // level by level
    std::vector<std::int32_t> group_of;    // per cell; -1: it has none
    std::vector<std::int32_t> group_first; // first group of each level, and one past the last
    std::vector<Record> records;
    bool tracing = false, counting = false;
    double pairs = 0, v_products = 0;
    long most_sources = 0; // sources that act directly on a leaf, at most
    int surface = 0, pair_operations = 0;
    const char *vectors = "";

  protected:
    virtual void work(fmm_stage stage, long begin, long end, int thread) = 0;
    void find_groups();
    void count_work();
};

// Bodies and options must have been checked. `places` is not kept. Throws bad_alloc, runtime_error.
std::unique_ptr<Stages> make_stages(const fmm_options &options, long count, const void *places);
// From a complete tree, whose bodies are set afterwards
std::unique_ptr<Stages> make_stages(const fmm_options &options, Tree &&grown);

} // namespace fmm
#endif
