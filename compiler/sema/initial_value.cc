// initial_value.cc: whether an initial value that code computes before main is one that C would take from the compiler,
// if the addresses in it, MYTHREAD and THREADS were constants (C11 6.7.9p4, 6.6).  The C compiler, which decides this
// for all other values, sees only the code.
#include "sema/checker.h"

namespace bn::sema {

using ast::Expr;
using ast::Kind;
using ast::Op;
using diag::Id;

namespace {

// An object with an initial value that nothing changes: gcc takes its value
bool is_known(const Expr& lvalue)
{
    const Expr& e = *ast::without_parens(&lvalue);
    if ((e.kind == Kind::Member && e.op == Op::Dot) || (e.kind == Kind::Index && has_elements(e.a->type)))
        return is_known(*e.a);
    if (e.kind == Kind::Unary && e.op == Op::Deref) {
        const Expr* pointer = ast::without_parens(e.a);
        return pointer->kind == Kind::Unary && pointer->op == Op::AddressOf && is_known(*pointer->a);
    }
    if (e.kind != Kind::Ident || e.symbol == nullptr)
        return e.kind == Kind::String;
    ast::Quals quals = element_of(e.type).quals;
    bool is_kept = e.symbol->is_constexpr || (quals.is_const && !quals.is_volatile && !quals.is_shared);
    return e.symbol->has_initialiser && is_kept;
}

}  // namespace

// Whether a value is the address of a thread's own object, possibly plus a number, or converted to a number
bool Checker::is_own_address(const Expr& value)
{
    switch (value.kind) {
    case Kind::Cast:
    case Kind::ImplicitCast: return is_own_address(*value.a);
    case Kind::Binary:
        if (value.op == Op::Add)
            return is_own_address(*value.a) || is_own_address(*value.b);
        return value.op == Op::Sub && is_own_address(*value.a) && !is_own_address(*value.b);
    default:
        if (const Expr* inner = ast::inner(&value))
            return is_own_address(*inner);
        return is_pointer(value_type(value)) && !is_pts(value_type(value)) && own_name(value) != nullptr;
    }
}

// Whether the linker could not supply the result of a conversion of an address to `type`
bool Checker::cuts_address(const Expr& value, QualType type)
{
    std::optional<Size> size = size_of(type);
    bool is_whole = is_pointer(type) || (is_integer(type) && size && size->bytes >= 8);
    return !is_whole && kind(type) != TypeKind::Bool && is_own_address(value);
}

// The part of an address that is not constant; null if there is none
const Expr* Checker::varying_in_address(const Expr& lvalue)
{
    const Expr& e = *ast::without_parens(&lvalue);
    switch (e.kind) {
    case Kind::Ident: {
        const Symbol* symbol = e.symbol;
        bool is_automatic = symbol != nullptr && symbol->kind == Symbol::Kind::Variable && !symbol->at_file_scope &&
                            !symbol->is_static && !symbol->is_extern;
        return is_automatic ? &e : nullptr;
    }
    case Kind::CompoundLiteral: return function_ != nullptr && e.symbol == nullptr ? &e : nullptr;
    case Kind::Member: return e.op == Op::Dot ? varying_in_address(*e.a) : varying(*e.a);
    case Kind::Index: {
        const Expr* found = is_vector(e.a->type) ? varying_in_address(*e.a) : varying(*e.a);
        return found != nullptr ? found : varying(*e.b);
    }
    case Kind::Unary: return e.op == Op::Deref ? varying(*e.a) : nullptr;
    default: return nullptr;
    }
}

const Expr* Checker::varying_in_unary(const Expr& e)
{
    switch (e.op) {
    case Op::AddressOf: return varying_in_address(*e.a);
    case Op::LabelAddress: return nullptr;
    case Op::PreInc:
    case Op::PreDec:
    case Op::PostInc:
    case Op::PostDec: return &e;
    case Op::Minus:
    case Op::BitNot: return is_own_address(*e.a) ? &e : varying(*e.a);
    default: return varying(*e.a);
    }
}

const Expr* Checker::varying_in_binary(const Expr& e)
{
    if (const Expr* found = varying(*e.a))
        return found;
    const Expr* second = varying(*e.b);
    switch (e.op) {
    case Op::Comma: return &e;
    case Op::LogAnd:
    case Op::LogOr: {
        std::optional<__int128> first = second != nullptr ? constant(e.a) : std::nullopt;
        bool decides = first && (*first != 0) == (e.op == Op::LogOr);
        return decides ? nullptr : second;
    }
    case Op::Add: return is_own_address(*e.b) && is_own_address(*e.a) ? &e : second;
    case Op::Mul:
    case Op::Div:
    case Op::Mod:
    case Op::Shl:
    case Op::Shr:
    case Op::And:
    case Op::Xor:
    case Op::Or: return is_own_address(*e.a) || is_own_address(*e.b) ? &e : second;
    default: return second;
    }
}

// The part of a value that is not constant; null if there is none, or if upcc cannot tell
const Expr* Checker::varying(const Expr& value)
{
    const Expr& e = *ast::without_parens(&value);
    bool is_address = is_array(e.type) || is_function(e.type);
    switch (e.kind) {
    case Kind::Ident:
        if (e.symbol == nullptr || e.symbol->kind != Symbol::Kind::Variable)
            return nullptr;
        break;
    case Kind::Member:
    case Kind::Index: break;
    case Kind::CompoundLiteral:
        if (!is_address)
            return varying(*e.a);
        break;
    case Kind::InitList:
        for (const Expr* each : e.args)
            if (const Expr* found = varying(*each))
                return found;
        return nullptr;
    case Kind::Unary:
        if (e.op != Op::Deref)
            return varying_in_unary(e);
        break;
    case Kind::Binary: return varying_in_binary(e);
    case Kind::Conditional: {
        std::optional<__int128> condition = constant(e.a);
        const Expr* found = varying(*e.a);
        if (found == nullptr && e.b != nullptr && (!condition || *condition != 0))
            found = varying(*e.b);
        return found == nullptr && (!condition || *condition == 0) ? varying(*e.c) : found;
    }
    case Kind::ImplicitCast: return varying(*e.a);
    case Kind::Cast: return cuts_address(*e.a, e.type) ? &e : varying(*e.a);
    case Kind::Call: {  // gcc computes calls of builtins, and of such as strlen("abc")
        if (e.a->kind != Kind::Ident)
            return &e;
        const Symbol* callee = e.a->symbol;
        return callee == nullptr || tokens_[callee->token].in_system_header ? nullptr : &e;
    }
    case Kind::Assign:
    case Kind::VaArg:
    case Kind::StmtExpr: return &e;
    default: return nullptr;
    }
    if (is_address)
        return varying_in_address(e);
    return is_known(e) ? nullptr : &e;
}

// Reports an initial value to be computed that is not constant.
void Checker::check_computed(const Expr& value, QualType type)
{
    const Expr* found = cuts_address(value, type) ? &value : varying(value);
    if (found != nullptr)
        diags_.report(Id::InitialNotConstant, range(*found), {quote(*found)});
}

}  // namespace bn::sema
