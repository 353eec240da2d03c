// convert.cc: conversions to and from pointers-to-shared (facts 1.9), and the checks of C that cc cannot make because
// emitted C has one type for all pointers-to-shared.
#include "sema/checker.h"

namespace bn::sema {

using ast::Expr;
using ast::Kind;
using ast::Op;
using diag::Id;

QualType Checker::decay(QualType type)
{
    QualType plain = canonical(type);
    if (plain.type->kind == TypeKind::Array) {
        return pointer_to(plain.type->base);
    }
    if (plain.type->kind == TypeKind::Function)
        return pointer_to(type);
    QualType value = type;
    if (is_shared(type)) {  // the value of a shared object is a private value
        value = canonical(type);
        value.quals.is_shared = value.quals.is_strict = value.quals.is_relaxed = false;
        value.quals.layout = Layout::Default;
        value.quals.block = 1;
    }
    value.quals.is_const = value.quals.is_volatile = value.quals.is_restrict = value.quals.is_atomic = false;
    return value;
}

// An integer constant expression with value 0, or one cast to void * (C11 6.3.2.3); C23: nullptr
bool Checker::is_null_constant(const Expr* e)
{
    e = without_parens(e);
    if (e->kind == Kind::NullPointer)
        return true;
    if (e->kind == Kind::Cast && is_pointer(e->type) && !is_pts(e->type)) {
        QualType target = pointee(e->type);
        return is_void(target) && !target.quals.is_const && !target.quals.is_volatile && is_integer(e->a->type) &&
               is_null_constant(e->a);
    }
    if (!is_integer(e->type))
        return false;
    std::optional<__int128> value = constant(e);
    return value && *value == 0;
}

Expr* Checker::implicit_cast(Expr* e, QualType target)
{
    Expr* cast = arena_.make<Expr>();
    cast->kind = Kind::ImplicitCast;
    cast->first = e->first;
    cast->last = e->last;
    cast->a = e;
    cast->children = arena_.copy(std::vector<ast::Node*>{e});
    cast->type = decay(target);
    return cast;
}

namespace {

const char* use_words(Use use)
{
    switch (use) {
    case Use::Assignment: return "assignment";
    case Use::Initialisation: return "initialisation";
    case Use::Argument: return "passing an argument";
    case Use::Return: return "return";
    case Use::Cast: return "cast";
    case Use::Operand: return "operand";
    }
    return "";
}

bool differ_in_sign_only(QualType a, QualType b)
{
    const Type* s = kind_of(a);
    const Type* t = kind_of(b);
    if (s->kind == TypeKind::Array && t->kind == TypeKind::Array)
        return (!s->has_count || !t->has_count || (s->count == t->count && s->by_threads == t->by_threads)) &&
               differ_in_sign_only(s->base, t->base);
    if (!is_integer(a) || !is_integer(b))
        return false;
    std::optional<Size> x = size_of(a);
    std::optional<Size> y = size_of(b);
    return x && y && x->bytes == y->bytes;
}

}  // namespace

// Checks two pointers that both point to shared or both to local objects (C11 6.5.16.1).  Block size is part of
// compatibility; void is compatible with everything.  Returns false if anything was reported.
bool Checker::check_pointees(const Expr& at, QualType from, QualType to, Use use)
{
    QualType source = pointee(from);
    QualType target = pointee(to);
    if (!is_void(source) && !is_void(target)) {
        if (is_pts(from) && !same_layout(source, target)) {
            diags_.report(Id::BlockSizeMismatch, range(at), {use_words(use), quote(from), quote(to)});
            return false;
        }
        if (!compatible(source, target)) {
            if (differ_in_sign_only(source, target))
                return true;
            diags_.report(Id::IncompatiblePointers, range(at), {use_words(use), quote(from), quote(to)});
            return false;
        }
    }
    Quals has = element_of(source).quals;
    Quals keeps = element_of(target).quals;
    const char* discarded = has.is_const && !keeps.is_const         ? "const"
                            : has.is_volatile && !keeps.is_volatile ? "volatile"
                            : has.is_restrict && !keeps.is_restrict ? "restrict"
                                                                    : nullptr;
    if (discarded != nullptr)
        diags_.report(Id::DiscardedQualifier, range(at), {use_words(use), discarded, quote(from), quote(to)});
    return discarded == nullptr;
}

// Whether cc cannot compare the types of two pointers to local objects properly.  If both targets involve shared types,
// emitted C has one type for all pointers-to-shared, so cc sees no difference.  If only one does, cc sees a difference
// but would name types of emitted C.
bool Checker::cc_is_blind(QualType a, QualType b)
{
    return is_pointer(a) && is_pointer(b) && !is_pts(a) && !is_pts(b) && (touches_shared(a) || touches_shared(b));
}

// The value of e as `target`.  C itself does the conversion unless a pointer-to-shared is involved.
Expr* Checker::convert(Expr* e, QualType target, Use use)
{
    QualType from = value_type(*e);
    if (is_unknown(from) || is_unknown(target))
        return e;
    bool to_pts = is_pts(target);
    bool from_pts = is_pts(from);
    if (!to_pts && !from_pts) {
        bool is_fine = !cc_is_blind(from, target) || is_null_constant(e) || check_pointees(*e, from, target, use);
        return is_fine ? e : implicit_cast(e, target);  // the cast keeps cc from reporting it again
    }
    if (to_pts && from_pts) {
        check_pointees(*e, from, target, use);
        return implicit_cast(e, target);
    }
    if (to_pts) {
        if (is_null_constant(e))
            return implicit_cast(e, target);
        if (is_pointer(from))
            diags_.report(Id::LocalToShared, range(*e), {use_words(use), quote(from), quote(target)});
        else if (is_integer(from))
            diags_.report(Id::IntegerToShared, range(*e), {use_words(use), quote(*e), quote(target)});
        else if (!is_pts_in_c(from))
            diags_.report(Id::BadConversion, range(*e), {use_words(use), quote(from), quote(target)});
        return e;
    }
    if (is_pointer(target))
        diags_.report(Id::SharedToLocal, range(*e), {use_words(use), quote(from), quote(target)});
    else if (kind(target) == TypeKind::Bool)
        return implicit_cast(e, target);
    else if (is_integer(target))
        diags_.report(Id::SharedToInteger, range(*e), {use_words(use), quote(from), quote(target)});
    else if (!is_pts_in_c(target))
        diags_.report(Id::BadConversion, range(*e), {use_words(use), quote(from), quote(target)});
    return e;
}

void Checker::replace_child(ast::Node& parent, const ast::Node* child, ast::Node* by)
{
    std::vector<ast::Node*> children(parent.children.begin(), parent.children.end());
    for (ast::Node*& c : children)
        if (c == child)
            c = by;
    parent.children = arena_.copy(children);
}

void Checker::convert_child(ast::Node& parent, Expr*& child, QualType target, Use use)
{
    Expr* converted = convert(child, target, use);
    if (converted == child)
        return;
    replace_child(parent, child, converted);
    child = converted;
}

void Checker::condition(Expr* e)
{
    if (e != nullptr)
        expr(e);
}

}  // namespace bn::sema
