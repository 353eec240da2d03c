// affinity_loop.h: upc_forall loops whose iterations can be divided among the threads without a test in each of them.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string>

#include "lower/element.h"

namespace bn::lower {

// upc_forall (...; v < limit; v += step; affinity), or v > limit and v -= step, where unit number `offset` says who
// owns the iteration: an affine form of v, with its factor.
//
// A loop that counts down is one that counts up over n = -v: `copy_factor` is that of n.
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
    bool limit_may_change = false;  // in the body; it has no effects, so it can be looked at for each own iteration
    bool compares_unsigned = false;
    // Whether v when the loop begins, or the limit, may be beyond `largest` on a side where v may well count; 64 bits
    bool start_may_be_huge = false;
    bool limit_may_be_huge = false;
    std::optional<int64_t> greatest;  // of n: the type of v holds no more, and arithmetic in it would wrap or be cut
    int64_t step = 1;                 // positive, or
    ast::Expr* step_value = nullptr;  // what does not change; it must be positive for the loop to be dealt out
    bool declares_variable = false;   // nobody sees v after the loop
    Owner owner = Owner::Cyclic;
    uint64_t block = 1;                 // units in a block, or
    ast::Expr* block_value = nullptr;   // what does not change; it must be positive for the loop to be dealt out
    bool times_threads = false;         // the unit number is THREADS times what `offset` says
    bool must_not_be_negative = false;  // v, since division rounds the other way there
    bool is_same_for_all = false;       // OneThread: the affinity does not depend on v
    bool has_whole_blocks = false;      // Blocked: iterations begin and end at edges of blocks, whatever THREADS is
    Affine offset;
    const sema::Symbol* pointer = nullptr;  // the affinity is reached through this pointer-to-shared
    Effects body;
    const Effects* function = nullptr;

    LoopView view(const lex::TokenList& tokens, int static_threads) const
    {
        return {variable, &body, function, &tokens, static_threads};
    }
    // Up to here, and times THREADS where the unit number is that, neither n nor the unit number overflows.
    int64_t largest() const { return (int64_t{1} << 62) / std::max(std::abs(offset.factor), int64_t{1}); }
    int64_t copy_factor() const { return counts_down ? -offset.factor : offset.factor; }
    // Whether the next iteration has the next unit.
    bool has_units_in_order() const { return copy_factor() == 1 && step == 1 && !times_threads; }
    // Whether elements are found by their unit numbers: the unit is one of an array, not a share of the iterations.
    bool has_units() const { return block_value == nullptr && !times_threads; }
};

// Why a loop is not dealt out, and where
struct Obstacle {
    std::string reason;
    const ast::Node* where = nullptr;
};

// The loop, or nullopt and the obstacle.  `unit` is that of the loop.
std::optional<AffinityLoop> affinity_loop(const ast::SimpleStmt& stmt, const Effects& function, const ast::Unit& unit,
                                          const lex::TokenList& tokens, int static_threads, Obstacle& obstacle);

// The unit of an element in the same layout as what the affinity names, at a distance from it that does not change: the
// difference of the constants in their offsets.  nullopt for any other element.
std::optional<UnitIndex> unit_beside(const AffinityLoop& plan, const Element& element, const LoopView& view);

// Whether the expression does nothing but give a value: no calls, no stores, no strict accesses.
bool has_no_effects(const ast::Expr* e, const lex::TokenList& tokens);

}  // namespace bn::lower
