// The locally essential tree of a share: the cells that hold its bodies, and the cells of other shares that act on
// them.
//
// BSD-3-Clause, the Banyan authors.
#ifndef APPS_FMM_ESSENTIAL_H
#define APPS_FMM_ESSENTIAL_H

#include "part.h"
#include "tree.h"

#include <vector>

namespace fmm {

// Where the charges of a cell's bodies are offered: the owner, and the number of the cell there
struct Place {
    std::int32_t owner, cell;
};

struct Range {
    long begin, end;
};
// The cells of a level with bodies from begin to end, which are consecutive in Morton order
Range cells_with(const Tree &tree, int level, long begin, long end);

// Appends `next`, merging it with the last run if it continues that one
void append(std::vector<fmm_run> &runs, const fmm_run &next);

// A cell that is not a leaf is opened if it is one of the share's own, or touches an own cell of its level or an own
// leaf of a coarser level: then its children are in some list of these. Other cells stay without children.
class Essential {
  public:
    Essential(const double *low, const double *high, long count, int leaf);
    void plant(int parts, const std::uint64_t *cuts, const long *first_body, int mine, const std::uint64_t *keys);
    bool complete() const
    {
        return is_complete;
    }
    void take(const fmm_offer *offers);
    int owner(long body) const;
    bool is_mine(long body) const
    {
        return body >= first_body[static_cast<std::size_t>(mine)] &&
               body < first_body[static_cast<std::size_t>(mine) + 1];
    }

    Tree tree;
    int leaf, parts = 0, mine = 0;
    std::vector<long> first_body;          // per share, and one past the last
    std::vector<fmm_offer> offers;         // for own cells, level by level
    std::vector<long> own_level_first;     // the first of them on each level, and one past the last
    std::vector<std::int64_t> first_place; // per cell of the tree, and one past the last
    std::vector<Place> places;
    std::vector<fmm_run> wanted;
    long count_wanted = 0;

  private:
    struct Leaf {
        Key key;
        int level;
    };
    bool is_leaf(Key key, int level, long count) const;
    void make_own(const std::vector<Key> &cuts);
    bool touches_own(const Cell &cell) const;
    bool to_be_opened(long cell) const;
    void find_wanted();

    std::vector<Key> keys, cuts;
    std::vector<Leaf> own_leaves; // by key
    std::vector<char> open;       // per cell of the last level
    bool is_complete = false;
};

} // namespace fmm
#endif
