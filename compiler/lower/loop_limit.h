// loop_limit.h: whether the limit of a loop may change while the loop runs; looks into functions of the program.
#pragma once

#include "lower/affine.h"

namespace bn::lower {

enum class LimitValue : uint8_t {
    Fixed,      // same value at each evaluation, as long as only the body of the loop runs in between
    MayChange,  // but evaluating it has no effects
    Unknown,    // may have effects, depends on the loop variable, or contains something that is not analysed here
};

// `view` is that of the loop.  Looks into a bounded number of calls of static functions of the unit that only `return
// expression;`.
LimitValue limit_value(const ast::Expr* limit, const LoopView& view);

}  // namespace bn::lower
