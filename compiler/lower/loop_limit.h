// loop_limit.h: whether the limit of a loop may change while the loop runs; functions of the program are looked into.
#pragma once

#include "lower/affine.h"

namespace bn::lower {

enum class LimitValue : uint8_t {
    Fixed,      // the same whenever it is evaluated, as long as only the body of the loop runs in between
    MayChange,  // but evaluating it does nothing else
    Unknown,    // it may have effects, depends on the loop's variable, or holds what is not looked at here
};

// `view` is that of the loop.  Calls are looked into where a static function of the unit does nothing but
// `return expression;`, to a bounded number of calls.
LimitValue limit_value(const ast::Expr* limit, const ast::Unit& unit, const LoopView& view);

}  // namespace bn::lower
