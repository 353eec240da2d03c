// affinity_loop.h: upc_forall loops whose iterations can be divided among the threads without an affinity test per
// iteration.
#pragma once

#include <cstdlib>
#include <optional>

#include "lower/counted_loop.h"
#include "lower/element.h"
#include "lower/runs.h"

namespace bn::lower {

// upc_forall (...; v < limit; v += step; affinity).  The unit number `offset`, an affine form of v, determines who owns
// an iteration.  `copy_factor` is the factor of n = -v if the loop counts down.
struct AffinityLoop : CountedLoop {
    enum class Owner : uint8_t {
        Cyclic,     // thread unit mod THREADS
        Blocked,    // thread floor(unit / block) mod THREADS
        OneThread,  // thread 0, the thread that `pointer` points to, or the thread that the affinity names
    };
    // 64-bit types only: whether the initial v, or the limit, may exceed `largest` in a direction in which v may
    // legally count
    bool start_may_be_huge = false;
    bool limit_may_be_huge = false;
    ast::Expr* guard = nullptr;  // the condition, if it must hold before the loop is dealt out; otherwise null
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

    // What the loop shows, where indices may follow v in runs of iterations
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
    // Whether elements are addressed by unit number, that is, whether a unit is one of an array and not merely a share
    // of the iterations
    bool has_units() const { return block_value == nullptr && !times_threads; }
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

}  // namespace bn::lower
