// affinity_loop.h: upc_forall loops whose iterations can be divided among the threads without an affinity test per
// iteration.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string>

#include "lower/element.h"
#include "lower/runs.h"

namespace bn::lower {

// A local integer or pointer to private memory that the last clause of a loop also steps, as k in i++, k += 2
struct Companion {
    const sema::Symbol* variable;
    ast::Expr* step;   // invariant; null means 1
    bool is_negative;  // the step is subtracted
    bool is_declared;  // by the loop: not visible after it
};

// upc_forall (...; v < limit; v += step; affinity), or v > limit and v -= step. The unit number `offset`, an affine
// form of v, determines who owns an iteration.
//
// A loop that counts down is treated as one that counts up over n = -v: `copy_factor` is the factor of n.
struct AffinityLoop {
    enum class Owner : uint8_t {
        Cyclic,     // thread unit mod THREADS
        Blocked,    // thread floor(unit / block) mod THREADS
        OneThread,  // thread 0, the thread that `pointer` points to, or the thread that the affinity names
    };
    const sema::Symbol* variable = nullptr;
    ast::Expr* limit = nullptr;
    bool counts_down = false;
    bool is_inclusive = false;      // v <= limit, v >= limit
    bool ends_by_equality = false;  // v != limit
    // by the body; evaluating it has no effects, so each of this thread's iterations can evaluate it
    bool limit_may_change = false;
    bool compares_unsigned = false;
    // 64-bit types only: whether the initial v, or the limit, may exceed `largest` in a direction in which v may
    // legally count
    bool start_may_be_huge = false;
    bool limit_may_be_huge = false;
    // largest n that the type of v can hold; beyond it arithmetic in that type would wrap or be truncated
    std::optional<int64_t> greatest;
    int64_t step = 1;                   // positive, or
    ast::Expr* step_value = nullptr;    // an invariant expression; it must be positive for the loop to be dealt out
    ast::Expr* guard = nullptr;         // the condition, if it must hold before the loop is dealt out; otherwise null
    bool declares_variable = false;     // v is not visible after the loop
    std::vector<Companion> companions;  // only if the step is constant
    Owner owner = Owner::Cyclic;
    uint64_t block = 1;                 // units in a block, or
    ast::Expr* block_value = nullptr;   // an invariant expression; it must be positive for the loop to be dealt out
    bool times_threads = false;         // the unit number is THREADS times the value of `offset`
    bool must_not_be_negative = false;  // v, because division of negative numbers rounds the other way
    bool is_same_for_all = false;       // OneThread: the affinity does not depend on v
    bool has_whole_blocks = false;  // Blocked: iterations start and end on block boundaries for any value of THREADS
    Affine offset;
    std::optional<Span> span;               // if indices may follow v in runs of iterations
    const sema::Symbol* pointer = nullptr;  // the affinity expression goes through this pointer-to-shared
    Effects body;
    const Effects* function = nullptr;

    LoopView view(const lex::TokenList& tokens, int static_threads) const
    {
        return {variable, &body, function, &tokens, static_threads};
    }
    // The same, where indices may follow v in runs of iterations
    LoopView view_of_runs(const lex::TokenList& tokens, int static_threads) const
    {
        LoopView result = view(tokens, static_threads);
        result.span = span ? &*span : nullptr;
        return result;
    }
    // Up to this bound neither n nor the unit number (which may be multiplied by THREADS) overflows.
    int64_t largest() const { return (int64_t{1} << 62) / std::max(std::abs(offset.factor), int64_t{1}); }
    int64_t copy_factor() const { return counts_down ? -offset.factor : offset.factor; }
    // Whether consecutive iterations have consecutive units
    bool has_units_in_order() const { return copy_factor() == 1 && step == 1 && !times_threads; }
    // Whether a variable that the loop steps is visible after it
    bool is_seen_after() const
    {
        return !declares_variable ||
               std::ranges::any_of(companions, [](const Companion& one) { return !one.is_declared; });
    }
    // Whether elements are addressed by unit number, that is, whether a unit is one of an array and not merely a share
    // of the iterations
    bool has_units() const { return block_value == nullptr && !times_threads; }
};

// Why a loop is not dealt out, and where
struct Obstacle {
    std::string reason;
    const ast::Node* where = nullptr;
};

// Returns the loop, or nullopt and the obstacle.
std::optional<AffinityLoop> affinity_loop(const ast::SimpleStmt& stmt, const Effects& function,
                                          const lex::TokenList& tokens, int static_threads, Obstacle& obstacle);

// A for loop, all of whose iterations one thread runs, with the affinity of the elements of large blocks that its
// variable counts: where a[v + constant] is the only form of such elements, and there are many iterations.
std::optional<AffinityLoop> loop_over_blocks(const ast::SimpleStmt& stmt, const Effects& function,
                                             const lex::TokenList& tokens, int static_threads);

// Whether the pointer-to-shared through which an element is reached stays the same in the loop
bool is_invariant_pointer(const Element& element, const AffinityLoop& plan);

// The unit of an element that has the same layout as the array named by the affinity and lies at a constant distance
// from the iteration's unit: the difference of the constants in their offsets.  nullopt for any other element.
std::optional<UnitIndex> unit_beside(const AffinityLoop& plan, const Element& element, const LoopView& view);

// Whether evaluating the expression only yields a value: no calls, no stores, no strict accesses.
bool has_no_effects(const ast::Expr* e, const lex::TokenList& tokens);

}  // namespace bn::lower
