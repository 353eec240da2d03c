// runs.h: indices that follow the variable of a loop in runs of iterations: (v + 1) % n, until it starts again at 0,
// and v > 0 ? v - 1 : n - 1.  In a run the index is v plus something that does not change.
#pragma once

#include <optional>

#include "lower/affine.h"

namespace bn::lower {

// The iterations of a loop that counts up by one
struct Span {
    std::optional<int64_t> first;  // if it is constant
    Affine end;                    // the limit, exclusive
};

struct RunIndex {
    const ast::Expr* index = nullptr;
    bool is_unsigned = false;  // the division or comparison is one of unsigned 64-bit numbers

    // left % right; or, of a choice, left <relation> right ? chosen : other.  left follows v, right is invariant.
    Affine left, right;
    int relation = 0;  // 0: a remainder.  Otherwise when `chosen` counts: 1 below + 2 equal + 4 above.
    Affine chosen, other;
};

// nullopt if the index has no such form, or if the loop may have so many runs that going from one to the next takes
// longer than finding each element.  `view` must have a span.
std::optional<RunIndex> run_index(const ast::Expr* index, const LoopView& view);

}  // namespace bn::lower
