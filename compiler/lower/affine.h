// affine.h: index expressions in the form factor * v + constant + terms that are invariant in the loop over v.
#pragma once

#include <optional>
#include <vector>

#include "lower/effects.h"

namespace bn::lower {

struct Span;

struct Affine {
    struct Term {
        const ast::Expr* value;  // invariant, of an integer type
        int64_t factor;
        bool is_ahead = false;  // the term is what `value` exceeds v by, which does not change in a run (runs.h)
        Term times(int64_t by) const { return {value, factor * by, is_ahead}; }
    };
    int64_t factor = 0;  // of the loop variable
    int64_t constant = 0;
    std::vector<Term> terms;
};

// The context in which the expressions of a loop are analysed
struct LoopView {
    const sema::Symbol* variable;
    const Effects* body;
    const Effects* function;
    const lex::TokenList* tokens;
    int static_threads;          // 0 in the dynamic environment
    const Span* span = nullptr;  // where an index may follow v in runs of iterations; otherwise null
};

// Whether arithmetic in this type has the same results as in 64 bits: overflow is undefined or impossible.
bool is_as_wide(sema::QualType type);

// Whether a conversion to this integer type leaves the value as it is
bool holds(sema::QualType type, int64_t value);

// nullopt if e has no such form, or if an intermediate result narrower than 64 bits could wrap.
std::optional<Affine> affine_form(const ast::Expr* e, const LoopView& view);

// The value of an integer constant expression made of literals, enumerators, constant THREADS and arithmetic
std::optional<int64_t> literal_value(const ast::Expr* e, const LoopView& view);

// Whether evaluating it where the program would not reach it might stop the program, or be undefined in a way other
// than signed overflow
bool may_be_undefined(const ast::Expr* e, const LoopView& view);

// Whether it contains signed arithmetic that might overflow
bool may_overflow(const ast::Expr* e, const LoopView& view);

// Whether both have the same terms, in any order
bool is_same_terms(const Affine& a, const Affine& b, const LoopView& view);

}  // namespace bn::lower
