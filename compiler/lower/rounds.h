// rounds.h: splits indices into whole rounds, each of which passes every thread once, and the rest.
#pragma once

#include <optional>
#include <vector>

#include "lower/element.h"

namespace bn::lower {

// A loop for (i = MYTHREAD; ...; i += THREADS) being lowered, whose i is MYTHREAD + turn * THREADS (round_loop.cc)
struct RoundLoop {
    const sema::Symbol* variable;
    int64_t first;     // turn at the start
    int64_t per_step;  // turns in one step
    ast::Expr* thread;
    ast::Expr* turn;
};

// A sum split into whole rounds (`turns`, as parts of an index into one thread's own elements) and other terms.  Each
// of its units is `unit` ultimate elements, and a round is THREADS blocks of `block` elements.
class Rounds {
public:
    Rounds(const ast::Expr* sum, uint64_t unit, uint64_t block, const LoopView& view,
           const std::vector<RoundLoop>* loops = nullptr);

    // Whether the other terms are the number of a block of this thread
    bool is_own() const;
    // The number of rounds, where it is constant
    std::optional<int64_t> constant_turns() const;

    std::vector<IndexPart> turns;
    std::vector<IndexPart> others;

private:
    // constant * value, times THREADS if that is not known and has_threads is set
    struct Product {
        const ast::Expr* value;  // null for 1
        int64_t constant;
        bool has_threads;
    };
    Product product_of(const ast::Expr* e) const;
    std::optional<IndexPart> rounds(const ast::Expr* e, bool is_negative) const;
    void take(const ast::Expr* sum, bool is_negative);

    const RoundLoop* loop_of(const ast::Expr* e) const;

    int64_t unit_;
    int64_t block_;
    LoopView view_;
    const std::vector<RoundLoop>* loops_;  // null: none
};

}  // namespace bn::lower
