// affinity_loop.h: upc_forall loops whose iterations can be dealt out to the threads without a test in each of them.
#pragma once

#include <optional>
#include <string>

#include "lower/element.h"

namespace bn::lower {

// upc_forall (...; v < limit; v += step; affinity) where unit number `v + offset` says who owns the iteration
struct AffinityLoop {
    enum class Owner : uint8_t {
        Cyclic,        // thread (v + offset) mod THREADS
        Blocked,       // thread floor((v + offset) / block) mod THREADS
        OneThread,     // thread 0, or the thread that `pointer` points to
    };
    const sema::Symbol* variable = nullptr;
    ast::Expr* limit = nullptr;
    bool is_inclusive = false;          // v <= limit
    bool limit_may_change = false;      // in the body; it has no effects, so it can be looked at for each own iteration
    bool compares_unsigned = false;
    int64_t step = 1;                   // positive
    bool declares_variable = false;     // nobody sees v after the loop
    Owner owner = Owner::Cyclic;
    uint64_t block = 1;                 // units in a block
    Affine offset;
    const sema::Symbol* pointer = nullptr;   // the affinity is reached through this pointer-to-shared
    Effects body;
    const Effects* function = nullptr;

    LoopView view(const lex::TokenList& tokens, int static_threads) const
    {
        return {variable, &body, function, &tokens, static_threads};
    }
};

// Why a loop is not dealt out, and where
struct Obstacle {
    std::string reason;
    const ast::Node* where = nullptr;
};

// The loop, or nullopt and what stands against it.
std::optional<AffinityLoop> affinity_loop(const ast::SimpleStmt& stmt, const Effects& function, const lex::TokenList& tokens,
                                          int static_threads, Obstacle& obstacle);

// Whether the expression does nothing but give a value: no calls, no stores, no strict accesses.
bool has_no_effects(const ast::Expr* e, const lex::TokenList& tokens);

}  // namespace bn::lower
