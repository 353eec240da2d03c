// counted_loop.h: for and upc_forall loops that count a variable up or down to a limit, and whose iterations can be
// computed before they run.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "lower/affine.h"

namespace bn::lower {

// Limit for the step of v, and for the change of the unit number per step of v: products stay far from overflow.
constexpr int64_t kLargestStep = int64_t{1} << 30;

// A local integer or pointer to private memory that the last clause of a loop also steps, as k in i++, k += 2
struct Companion {
    const sema::Symbol* variable;
    ast::Expr* step;   // invariant; null means 1
    bool is_negative;  // the step is subtracted
    bool is_declared;  // by the loop: not visible after it
};

// for (...; v < limit; v += step), or v > limit and v -= step.  A loop that counts down is treated as one that counts
// up over n = -v.
struct CountedLoop {
    const sema::Symbol* variable = nullptr;
    std::optional<int64_t> start;  // the first value of v if it is constant
    ast::Expr* limit = nullptr;
    bool counts_down = false;
    bool is_inclusive = false;      // v <= limit, v >= limit
    bool ends_by_equality = false;  // v != limit
    // by the body; evaluating it has no effects, so each of this thread's iterations can evaluate it
    bool limit_may_change = false;
    bool compares_unsigned = false;
    bool wraps = false;  // v may leave what its type holds and count on, which is not undefined
    // largest n that the type of v can hold if v may reach the end of it; beyond it arithmetic would wrap
    std::optional<int64_t> greatest;
    int64_t step = 1;                   // positive, or
    ast::Expr* step_value = nullptr;    // an invariant expression; it must be positive for the loop to be as described
    bool declares_variable = false;     // v is not visible after the loop
    std::vector<Companion> companions;  // only if the step is constant
    Effects body;                       // with what the last clause steps
    const Effects* function = nullptr;

    LoopView view(const lex::TokenList& tokens, int static_threads) const
    {
        return {variable, &body, function, &tokens, static_threads};
    }
    // Whether a variable that the loop steps is visible after it
    bool is_seen_after() const
    {
        return !declares_variable ||
               std::ranges::any_of(companions, [](const Companion& one) { return !one.is_declared; });
    }
    // Whether the expression may be evaluated once, before the loop, as a 64-bit number
    bool is_fixed_integer(const ast::Expr* e) const;
};

// Why a loop is not understood, or not dealt out, and where
struct Obstacle {
    std::string reason;
    const ast::Node* where = nullptr;
};

// Returns the loop, or nullopt and the obstacle.
std::optional<CountedLoop> counted_loop(const ast::SimpleStmt& stmt, const Effects& function,
                                        const lex::TokenList& tokens, int static_threads, Obstacle& obstacle);

}  // namespace bn::lower
