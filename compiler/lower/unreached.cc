// unreached.cc: numbers that are computed earlier than in the program, where the program might not compute them at all.
//
// In "if (i < 3) a[i * 1000000000 & 3][j] = 0;" the row's address is computed at the start of the loop's body, before
// the test.  What cannot go wrong there is computed as it is written.  Signed arithmetic would overflow there, from
// which gcc may conclude that i is less than 3 and that the loop ends; so it is computed modulo 2^64, which gives the
// same number wherever the program gets one:
//
// i * 1000000000 & 3      ((bn_u64)(i) * 1000000000 & 3)
// (i + 1) % n             (bn_u64)((int)((bn_u64)(i) + 1) % n), for a constant n
#include "lower/affine.h"
#include "lower/lowerer.h"

namespace bn::lower {

using ast::Kind;
using ast::Op;
using namespace sema;

namespace {

// Whether the low bits of the result depend on the low bits of the operands only
bool is_modular(const Expr& e)
{
    switch (e.op) {
    case Op::Add:
    case Op::Sub:
    case Op::Mul:
    case Op::Shl:
    case Op::And:
    case Op::Or:
    case Op::Xor: return e.kind == Kind::Binary;
    case Op::Plus:
    case Op::Minus:
    case Op::BitNot: return e.kind == Kind::Unary;
    default: return false;
    }
}

bool needs_whole_operand(const Expr& e)
{
    return e.kind == Kind::Binary && (e.op == Op::Div || e.op == Op::Mod || e.op == Op::Shr);
}

bool is_count(const Expr& e)
{
    return e.op == Op::Shl || needs_whole_operand(e);
}

bool has_keyword(QualType type)
{
    TypeKind k = kind(type);
    return k >= TypeKind::Bool && k <= TypeKind::ULLong;
}

// Whether overflow in it, if any, is in operations for which there is a form that does not overflow
bool may_wrap(const Expr* e, const LoopView& view)
{
    e = without_parens(e);
    if (!may_overflow(e, view))
        return is_integer(e->type) && size_of(e->type).value_or(Size{16}).bytes <= 8;
    if (!has_keyword(e->type))
        return false;
    if (e->kind == Kind::Cast)
        return may_wrap(e->a, view);
    if (!is_modular(*e) && !needs_whole_operand(*e))
        return false;
    bool is_right = e->kind == Kind::Unary || (is_count(*e) ? !may_overflow(e->b, view) : may_wrap(e->b, view));
    return is_right && may_wrap(e->a, view);
}

}  // namespace

bool Lowerer::may_be_unreached(const Expr* number) const
{
    LoopView view{nullptr, nullptr, nullptr, &tokens_, options_.static_threads};
    return !may_be_undefined(number, view) && may_wrap(number, view);
}

Rope Lowerer::unreached(Expr* number)
{
    LoopView view{nullptr, nullptr, nullptr, &tokens_, options_.static_threads};
    Expr* e = without_parens(number);
    auto as_written = [&](Expr* part) {
        lower(part);
        return rope() << part;
    };
    if (!may_overflow(e, view))
        return rope("(bn_u64)(") << as_written(number) << ")";
    bool is_narrow = is_unsigned(e->type) && size_of(e->type)->bytes < 8;
    Rope out = e->kind == Kind::Unary ? rope(e->op == Op::Minus ? "-" : e->op == Op::BitNot ? "~" : "") : rope();
    out << (needs_whole_operand(*e) ? std::string("(") + keyword_name(kind(e->type)) + ")" : "") << unreached(e->a);
    if (e->kind == Kind::Binary) {
        bool is_plain = is_count(*e) || without_parens(e->b)->kind == Kind::Number;
        out << " " << tokens_.text(e->name) << " " << (is_plain ? as_written(e->b) : unreached(e->b));
    }
    if (needs_whole_operand(*e))
        return rope("(bn_u64)(") << out << ")";
    if (is_modular(*e) && !is_narrow)
        return rope("(") << out << ")";
    return rope("(bn_u64)(") << keyword_name(kind(e->type)) << ")(" << out << ")";
}

}  // namespace bn::lower
