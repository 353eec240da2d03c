#include "lower/affine.h"

#include <string>

#include "lower/runs.h"

namespace bn::lower {

using ast::Expr;
using ast::Kind;
using ast::Op;
using namespace sema;

namespace {

// Keeps all index arithmetic far from overflow
constexpr int64_t kLargest = int64_t{1} << 40;

bool is_small(int64_t value)
{
    return value > -kLargest && value < kLargest;
}

bool add(Affine& to, const Affine& other, int64_t factor)
{
    to.factor += other.factor * factor;
    to.constant += other.constant * factor;
    for (const Affine::Term& term : other.terms) {
        if (!is_small(term.factor * factor))
            return false;
        to.terms.push_back(term.times(factor));
    }
    return is_small(to.factor) && is_small(to.constant);
}

}  // namespace

bool is_as_wide(QualType type)
{
    std::optional<Size> size = size_of(type);
    return is_integer(type) && size && (size->bytes == 8 || (!is_unsigned(type) && size->bytes == 4));
}

bool holds(QualType type, int64_t value)
{
    std::optional<Size> size = size_of(type);
    if (!is_integer(type) || kind(type) == TypeKind::Bool || !size || size->bytes > 8)
        return false;
    if (size->bytes == 8)
        return value >= 0 || !is_unsigned(type);
    uint64_t bits = size->bytes * 8 - (is_unsigned(type) ? 0 : 1);
    return (value >= 0 || !is_unsigned(type)) && (value < 0 ? ~value : value) >> bits == 0;
}

std::optional<int64_t> literal_value(const Expr* e, const LoopView& view)
{
    e = without_parens(e);
    switch (e->kind) {
    case Kind::Number: {
        if (!is_integer(e->type))
            return std::nullopt;
        std::string text(view.tokens->text(e->first));
        std::erase(text, '\'');  // C23: 1'000
        bool is_binary = text.size() > 1 && (text[1] == 'b' || text[1] == 'B');
        unsigned long long value =
            is_binary ? std::strtoull(text.c_str() + 2, nullptr, 2) : std::strtoull(text.c_str(), nullptr, 0);
        if (value >= static_cast<unsigned long long>(kLargest))
            return std::nullopt;
        return static_cast<int64_t>(value);
    }
    case Kind::Ident:
        if (e->symbol != nullptr && e->symbol->is_constant && e->symbol->value > -kLargest &&
            e->symbol->value < kLargest)
            return static_cast<int64_t>(e->symbol->value);
        return std::nullopt;
    case Kind::Threads: return view.static_threads > 0 ? std::optional<int64_t>(view.static_threads) : std::nullopt;
    case Kind::Cast: {
        std::optional<int64_t> value = is_as_wide(e->type) ? literal_value(e->a, view) : std::nullopt;
        return value && holds(e->type, *value) ? value : std::nullopt;
    }
    case Kind::Unary: {
        if ((e->op != Op::Minus && e->op != Op::Plus) || is_unsigned(e->type))
            return std::nullopt;
        std::optional<int64_t> value = literal_value(e->a, view);
        return value && e->op == Op::Minus ? std::optional<int64_t>(-*value) : value;
    }
    case Kind::Binary: {
        std::optional<int64_t> a = literal_value(e->a, view);
        std::optional<int64_t> b = literal_value(e->b, view);
        if (!a || !b)
            return std::nullopt;
        int64_t result = 0;
        switch (e->op) {
        case Op::Add: result = *a + *b; break;
        case Op::Sub: result = *a - *b; break;
        case Op::Mul:
            if (__builtin_mul_overflow(*a, *b, &result))
                return std::nullopt;
            break;
        case Op::Div:
            if (*a < 0 || *b <= 0)
                return std::nullopt;
            result = *a / *b;
            break;
        default: return std::nullopt;
        }
        bool wraps = is_unsigned(e->type) && result < 0;
        bool is_narrow = size_of(e->type).value_or(Size{}).bytes < 8 && result != static_cast<int32_t>(result);
        return is_small(result) && !wraps && !is_narrow ? std::optional<int64_t>(result) : std::nullopt;
    }
    default: return std::nullopt;
    }
}

std::optional<Affine> affine_form(const Expr* e, const LoopView& view)
{
    e = without_parens(e);
    Affine result;
    if (std::optional<int64_t> value = literal_value(e, view)) {
        result.constant = *value;
        return result;
    }
    if (e->kind == Kind::Ident && e->symbol == view.variable) {
        result.factor = 1;
        return result;
    }
    if (e->kind == Kind::Cast && is_integer(e->a->type) && is_as_wide(e->type)) {
        std::optional<Size> from = size_of(e->a->type);
        std::optional<Size> to = size_of(e->type);
        bool widens =
            from && to &&
            (to->bytes > from->bytes || (to->bytes == from->bytes && is_unsigned(e->type) == is_unsigned(e->a->type)));
        bool loses_sign = is_unsigned(e->type) && !is_unsigned(e->a->type);
        if (widens && !loses_sign)
            return affine_form(e->a, view);
    }
    bool is_sum = e->kind == Kind::Binary && (e->op == Op::Add || e->op == Op::Sub) && is_as_wide(e->type);
    if (is_sum) {
        std::optional<Affine> a = affine_form(e->a, view);
        std::optional<Affine> b = affine_form(e->b, view);
        if (!a || !b || !add(*a, *b, e->op == Op::Sub ? -1 : 1))
            return std::nullopt;
        return a;
    }
    if (e->kind == Kind::Binary && e->op == Op::Mul && is_as_wide(e->type)) {
        for (auto [factor, other] : {std::pair{e->a, e->b}, std::pair{e->b, e->a}}) {
            std::optional<int64_t> value = literal_value(factor, view);
            if (!value)
                continue;
            std::optional<Affine> form = affine_form(other, view);
            if (!form || !add(result, *form, *value))
                return std::nullopt;
            return result;
        }
    }
    if (e->kind == Kind::Unary && e->op == Op::Minus && is_as_wide(e->type) && !is_unsigned(e->type)) {
        std::optional<Affine> form = affine_form(e->a, view);
        if (form && form->factor != 0)
            return add(result, *form, -1) ? std::optional<Affine>(result) : std::nullopt;
    }
    if (!is_integer(e->type))
        return std::nullopt;
    if (!is_invariant(e, *view.body, *view.function)) {
        if (view.span == nullptr || !run_index(e, view))
            return std::nullopt;
        result.factor = 1;
        result.terms.push_back({e, 1, true});
        return result;
    }
    result.terms.push_back({e, 1});
    return result;
}

bool may_be_undefined(const Expr* e, const LoopView& view)
{
    if (e == nullptr)
        return false;
    bool is_binary = e->kind == Kind::Binary;
    bool divides = is_binary && (e->op == Op::Div || e->op == Op::Mod);
    bool is_positive =
        divides && (without_parens(e->b)->kind == Kind::Threads || literal_value(e->b, view).value_or(0) > 0);
    bool shifts = is_binary && (e->op == Op::Shl || e->op == Op::Shr);
    uint64_t bits = size_of(e->type).value_or(Size{}).bytes * 8;
    bool is_within = shifts && static_cast<uint64_t>(literal_value(e->b, view).value_or(-1)) < bits;
    bool may_lose_all = e->kind == Kind::Cast && is_integer(e->type) && !is_integer(e->a->type);
    return (divides && !is_positive) || (shifts && !is_within) || may_lose_all || may_be_undefined(e->a, view) ||
           may_be_undefined(e->b, view) || may_be_undefined(e->c, view);
}

bool may_overflow(const Expr* e, const LoopView& view)
{
    if (e == nullptr || literal_value(e, view))
        return false;
    bool is_binary =
        e->kind == Kind::Binary && (e->op == Op::Add || e->op == Op::Sub || e->op == Op::Mul || e->op == Op::Shl);
    bool is_negation = e->kind == Kind::Unary && e->op == Op::Minus;
    bool is_signed = is_integer(e->type) && !is_unsigned(e->type);
    return ((is_binary || is_negation) && is_signed) || may_overflow(e->a, view) || may_overflow(e->b, view) ||
           may_overflow(e->c, view);
}

bool is_same_terms(const Affine& a, const Affine& b, const LoopView& view)
{
    if (a.terms.size() != b.terms.size())
        return false;
    std::vector<Affine::Term> rest = b.terms;
    for (const Affine::Term& term : a.terms) {
        auto found = rest.begin();
        while (found != rest.end() && (found->factor != term.factor || found->is_ahead != term.is_ahead ||
                                       !is_same_form(found->value, term.value, *view.tokens)))
            ++found;
        if (found == rest.end())
            return false;
        rest.erase(found);
    }
    return true;
}

}  // namespace bn::lower
