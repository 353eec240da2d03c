#include "lower/runs.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace bn::lower {

using ast::Expr;
using ast::Kind;
using ast::Node;
using ast::Op;
using namespace sema;

namespace {

constexpr int kBelow = 1;
constexpr int kEqual = 2;
constexpr int kAbove = 4;

// How many more iterations than the divisor a loop may have, how many times as many, and how many runs of one iteration
constexpr int64_t kMostOver = 16;
constexpr int64_t kMostRounds = 4;
constexpr int64_t kMostSingle = 16;

class RunReader {
public:
    explicit RunReader(const LoopView& loop) : view_(loop), span_(*loop.span) { view_.span = nullptr; }

    std::optional<RunIndex> read(const Expr* e)
    {
        e = without_parens(e);
        run_.index = e;
        bool is_remainder = e->kind == Kind::Binary && (e->op == Op::Mod || e->op == Op::And);
        bool is_choice = e->kind == Kind::Conditional && e->b != nullptr;
        bool is_one = is_as_wide(e->type) && ((is_remainder && remainder(*e)) || (is_choice && choice(*e)));
        return is_one ? std::optional(run_) : std::nullopt;
    }

private:
    // Invariant terms are evaluated before the loop, even if the program does not reach them.
    bool read(const Expr* e, Affine& form) const
    {
        std::optional<Affine> found = affine_form(e, view_);
        if (!found || !std::ranges::all_of(found->terms, [&](const Affine::Term& term) {
                return !may_be_undefined(term.value, view_) && !may_overflow(term.value, view_) &&
                       is_visible(term.value);
            }))
            return false;
        form = *found;
        return true;
    }

    // Not if the body declares it
    static bool is_visible(const Node* node)
    {
        const Symbol* symbol = node->kind == Kind::Ident ? static_cast<const Expr*>(node)->symbol : nullptr;
        return (symbol == nullptr || symbol->at_file_scope || !symbol->is_extern) &&
               std::ranges::all_of(node->children, is_visible);
    }

    // How far the first is ahead of the second, if that is constant
    std::optional<int64_t> ahead(const Affine& a, const Affine& b) const
    {
        return is_same_terms(a, b, view_) ? std::optional(a.constant - b.constant) : std::nullopt;
    }

    bool remainder(const Expr& e)
    {
        run_.is_unsigned = is_unsigned(e.type) || e.op == Op::And;
        if (e.op == Op::And) {  // with 2^k - 1: what division by 2^k leaves, rounded down
            const Expr* mask = literal_value(e.a, view_) ? e.a : e.b;
            run_.right.constant = literal_value(mask, view_).value_or(0) + 1;
            if (run_.right.constant < 2 || !std::has_single_bit(static_cast<uint64_t>(run_.right.constant)) ||
                !read(mask == e.a ? e.b : e.a, run_.left))
                return false;
        } else if (!read(e.a, run_.left) || !read(e.b, run_.right)) {
            return false;
        }
        std::optional<int64_t> over = ahead(span_.end, run_.right);
        bool has_few_runs = over && (*over <= kMostOver || (run_.right.terms.empty() &&
                                                            span_.end.constant / kMostRounds <= run_.right.constant));
        return has_few_runs && run_.left.factor == 1 && run_.right.factor == 0;
    }

    // When the first operand of `op` is the one that follows the variable; 0 if it is no comparison
    static int relation_of(Op op)
    {
        switch (op) {
        case Op::Lt: return kBelow;
        case Op::Le: return kBelow | kEqual;
        case Op::Eq: return kEqual;
        case Op::Ne: return kBelow | kAbove;
        case Op::Ge: return kEqual | kAbove;
        case Op::Gt: return kAbove;
        default: return 0;
        }
    }

    // With the operands swapped
    static int mirrored(int relation)
    {
        return (relation & kEqual) | (relation & kBelow ? kAbove : 0) | (relation & kAbove ? kBelow : 0);
    }

    bool condition(const Expr* e)
    {
        e = without_parens(e);
        run_.relation = e->kind == Kind::Binary ? relation_of(e->op) : 0;
        if (run_.relation == 0) {  // v ? ... : ...
            run_.relation = kBelow | kAbove;
            return is_as_wide(e->type) && read(e, run_.left) && run_.left.factor == 1;
        }
        if (!compares_as_wide(*e->a, *e->b) || !read(e->a, run_.left) || !read(e->b, run_.right))
            return false;
        run_.is_unsigned = is_unsigned_wide(*e->a) || is_unsigned_wide(*e->b);
        if (run_.left.factor == 0) {
            std::swap(run_.left, run_.right);
            run_.relation = mirrored(run_.relation);
        }
        return run_.left.factor == 1 && run_.right.factor == 0;
    }

    static uint64_t bytes(const Expr& e) { return size_of(e.type).value_or(Size{16, false}).bytes; }
    static bool is_unsigned_wide(const Expr& e) { return is_unsigned(e.type) && bytes(e) == 8; }

    // Whether a comparison has the same result in 64 bits: not one in which a signed number becomes an unsigned word
    static bool compares_as_wide(const Expr& a, const Expr& b)
    {
        bool has_word = (is_unsigned(a.type) && bytes(a) == 4) || (is_unsigned(b.type) && bytes(b) == 4);
        return is_integer(a.type) && is_integer(b.type) && bytes(a) <= 8 && bytes(b) <= 8 &&
               (!has_word || bytes(a) == 8 || bytes(b) == 8);
    }

    bool choice(const Expr& e)
    {
        if (!condition(e.a) || !read(e.b, run_.chosen) || !read(e.c, run_.other))
            return false;
        auto is_plain = [](const Affine& form) { return form.factor == 0 || form.factor == 1; };
        return is_plain(run_.chosen) && is_plain(run_.other) && has_few_single();
    }

    // Where the index stays the same, each iteration is a run of its own.
    bool has_few_single() const
    {
        constexpr int kAll = kBelow | kEqual | kAbove;
        int fixed = (run_.chosen.factor == 0 ? run_.relation : 0) | (run_.other.factor == 0 ? kAll ^ run_.relation : 0);
        Affine first;
        first.constant = span_.first.value_or(0);
        if ((fixed & kBelow) != 0 && (!span_.first || !is_near(run_.right, plus(first, run_.left))))
            return false;
        return (fixed & kAbove) == 0 || is_near(plus(span_.end, run_.left), run_.right);
    }

    bool is_near(const Affine& last, const Affine& first) const
    {
        return ahead(last, first).value_or(kMostSingle + 1) <= kMostSingle;
    }

    static Affine plus(Affine to, const Affine& other)
    {
        to.constant += other.constant;
        to.terms.insert(to.terms.end(), other.terms.begin(), other.terms.end());
        return to;
    }

    LoopView view_;
    const Span& span_;
    RunIndex run_;
};

}  // namespace

std::optional<RunIndex> run_index(const Expr* index, const LoopView& view)
{
    return RunReader(view).read(index);
}

}  // namespace bn::lower
