// rounds.h: splits indices into whole rounds, each of which passes every thread once, and the rest.
#pragma once

#include <optional>
#include <vector>

#include "lower/element.h"

namespace bn::lower {

// A sum split into multiples of THREADS blocks (`turns`, as parts of an index into one thread's own elements) and other
// terms
class Rounds {
public:
    Rounds(const ast::Expr* sum, uint64_t block, const LoopView& view);

    // Whether the other terms are the number of a block of this thread
    bool is_own() const;

    std::vector<IndexPart> turns;
    std::vector<IndexPart> others;

private:
    std::optional<uint64_t> rounds(const ast::Expr* e) const;
    bool take_product(const ast::Expr* e, bool is_negative);
    void take(const ast::Expr* sum, bool is_negative);

    uint64_t block_;
    LoopView view_;
};

}  // namespace bn::lower
