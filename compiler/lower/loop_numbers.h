// loop_numbers.h: the numbers with which the loops over this thread's iterations count, as C.
#pragma once

#include <vector>

#include "lower/affinity_loop.h"
#include "lower/rope.h"

namespace bn::lower {

// Of a loop that counts up over n, the 64-bit copy of its variable or of its negation.  The expressions of the plan
// stand in the text as nodes, which the caller lowers.
class LoopNumbers {
public:
    LoopNumbers(const AffinityLoop& plan, ast::Arena& arena) : plan_(plan), arena_(arena) {}

    std::vector<Rope> conditions() const;  // under which the loops are correct
    Rope end() const;                      // of n, exclusive
    Rope step() const;
    Rope factor(int64_t value) const;  // of n in its unit number

private:
    void add_block_conditions(std::vector<Rope>& out) const;
    Rope is_not_huge(const Rope& number, bool is_unsigned) const;
    Rope largest() const;
    Rope compared_limit() const;
    Rope rope(std::string_view text = "") const { return Rope(arena_) << text; }

    const AffinityLoop& plan_;
    ast::Arena& arena_;
};

}  // namespace bn::lower
