// operators.cc: unary, binary, assignment and conditional operators, and UPC's rules for pointers-to-shared in them.
#include "sema/checker.h"

namespace bn::sema {

using ast::Expr;
using ast::Kind;
using ast::Op;
using diag::Id;

QualType Checker::promote(QualType type)
{
    if (kind(type) == TypeKind::Enum)
        return promote(kind_of(type)->base);
    if (is_integer(type)) {
        TypeKind k = kind(type);
        if (k < TypeKind::Int)
            return basic(TypeKind::Int);
        return basic(k);
    }
    return decay(type);
}

namespace {

QualType real_part(QualType type)
{
    return kind(type) == TypeKind::Complex ? kind_of(type)->base : type;
}

}  // namespace

// The common type of _Float16, __float128 and the like with any other arithmetic type.  Among types of one size, they
// take precedence over those of C11.
QualType Checker::wider_float(QualType a, QualType b)
{
    auto rank = [](QualType type) {
        bool is_float = kind(type) >= TypeKind::Float && kind(type) <= TypeKind::OtherFloat;
        uint64_t bytes = is_float ? size_of(type).value_or(Size{}).bytes : 0;
        return bytes * 2 + (kind(type) == TypeKind::OtherFloat ? 1 : 0);
    };
    return rank(a) >= rank(b) ? decay(a) : decay(b);
}

// The common type (C11 6.3.1.8)
QualType Checker::arithmetic_type(QualType a, QualType b)
{
    if (!is_arithmetic(a) || !is_arithmetic(b) || kind(a) == TypeKind::BitInt || kind(b) == TypeKind::BitInt)
        return unknown();  // left to cc
    if (is_vector(a))
        return a;
    if (is_vector(b))
        return b;
    if (kind(a) == TypeKind::Complex || kind(b) == TypeKind::Complex) {
        if (kind(a) == kind(b) && kind(real_part(a)) == kind(real_part(b)))
            return decay(a);
        QualType part = arithmetic_type(real_part(a), real_part(b));
        return is_unknown(part) ? part : complex(part);
    }
    if (kind(a) == TypeKind::OtherFloat || kind(b) == TypeKind::OtherFloat)
        return wider_float(a, b);
    QualType p = promote(a);
    QualType q = promote(b);
    if (!is_arithmetic(p) || !is_arithmetic(q))
        return unknown();  // cc reports it
    TypeKind k = kind(p);
    TypeKind l = kind(q);
    if (k >= TypeKind::Float || l >= TypeKind::Float)
        return basic(std::max(k, l));
    if (k == l)
        return p;
    TypeKind high = std::max(k, l);
    TypeKind low = std::min(k, l);
    std::optional<Size> high_size = size_of(basic(high));
    std::optional<Size> low_size = size_of(basic(low));
    // A signed type takes precedence over an unsigned one only if it is wider.
    if (!is_unsigned(basic(high)) && is_unsigned(basic(low)) && high_size && low_size &&
        high_size->bytes == low_size->bytes)
        return basic(static_cast<TypeKind>(static_cast<int>(high) + 1));
    return basic(high);
}

void Checker::invalid_operands(const Expr& at, QualType a, QualType b)
{
    diags_.report(Id::InvalidOperands, range(at), {at.name != 0 ? text(at.name) : "operator", quote(a), quote(b)});
}

// Arithmetic on a pointer-to-shared needs a complete target type; shared void * has none (no GNU void arithmetic).
bool Checker::check_arithmetic(const Expr& at, QualType pointer)
{
    QualType target = pointee(pointer);
    if (!is_incomplete(target) && !is_function(target))
        return true;
    diags_.report(Id::ArithmeticIncomplete, range(at), {quote(pointer)});
    return false;
}

// If both operands are pointers, both must be shared or both local, and shared ones must have equal layouts (a generic
// pointer fits any).
bool Checker::check_same_space(const Expr& at, QualType a, QualType b)
{
    if (is_pts(a) != is_pts(b)) {
        diags_.report(Id::MixedPointers, range(at), {text(at.name), quote(a), quote(b)});
        return false;
    }
    if (!is_pts(a) || is_generic_pts(a) || is_generic_pts(b))
        return true;
    if (!same_layout(pointee(a), pointee(b))) {
        diags_.report(Id::LayoutsDiffer, range(at), {text(at.name), quote(a), quote(b)});
        return false;
    }
    return true;
}

bool Checker::point_to_compatible(QualType a, QualType b)
{
    return is_void(pointee(a)) || is_void(pointee(b)) || compatible(pointee(a), pointee(b));
}

// Checks pointers of one space, neither of which is a null pointer constant.
void Checker::check_compared(Expr& e, const Expr* first, Expr*& second, std::string_view name)
{
    QualType a = value_type(*first);
    QualType b = value_type(*second);
    if (point_to_compatible(a, b))
        return;
    diags_.report(Id::ComparedTypesDiffer, range(e), {name, quote(a), quote(b)});
    if (cc_is_blind(a, b)) {  // keeps cc from reporting it again
        Expr* cast = implicit_cast(second, a);
        replace_child(e, second, cast);
        second = cast;
    }
}

// The common type of two pointers to compatible types, or of a pointer to void and any other (C11 6.5.15)
QualType Checker::composite(QualType a, QualType b)
{
    QualType result = is_void(pointee(b)) ? b : a;
    QualType target = pointee(result);
    Quals has = element_of(target).quals;
    for (QualType one : {a, b}) {
        Quals quals = element_of(pointee(one)).quals;
        target.quals.is_const |= quals.is_const;
        target.quals.is_volatile |= quals.is_volatile;
    }
    bool gains = (target.quals.is_const && !has.is_const) || (target.quals.is_volatile && !has.is_volatile);
    return gains ? pointer_to(target) : result;
}

namespace {

// THREADS, MYTHREAD, and values that cc takes for objects: results of statement expressions, and cast
// pointers-to-shared
bool is_value(const Expr& e)
{
    const Expr* object = without_parens(&e);
    while (object->kind == Kind::Member && object->op == Op::Dot)
        object = without_parens(object->a);
    return object->kind == Kind::Threads || object->kind == Kind::MyThread || object->kind == Kind::StmtExpr ||
           (object->kind == Kind::Cast && is_pts(object->type));
}

}  // namespace

// cc cannot check this where an operator on a pointer-to-shared is a call in emitted C.
bool Checker::is_assignable(const Expr& e) const
{
    return e.is_lvalue && !is_array(e.type);
}

// Checks that e may write target. For a shared object, cc's message would name the emitted address; of a
// pointer-to-shared, cc sees a copy.
void Checker::check_writable(const Expr& e, const Expr& target)
{
    bool is_ours = is_shared(target.type) || is_pts(target.type);
    if (is_ours && canonical(target.type).quals.is_const)
        diags_.report(Id::NotWritable, range(e), {text(e.name), quote(target), quote(target.type)});
}

void Checker::unary(Expr& e)
{
    expr(e.a);
    if (e.op == Op::LabelAddress) {
        flow_.addresses.push_back(place(e.name));
        e.type = pointer_to(basic(TypeKind::Void));
        return;
    }
    const Expr& a = *e.a;
    QualType value = value_type(a);
    switch (e.op) {
    case Op::Extension:
        e.type = a.type;
        e.is_lvalue = a.is_lvalue;
        return;
    case Op::Deref:
        if (is_pointer(value)) {
            e.type = pointee(value);
            e.is_lvalue = true;
            if (is_pts(value) && (is_void(e.type) || (is_record(e.type) && is_incomplete(e.type))))
                e.is_lvalue = false;  // &*p is the only valid use
        }
        return;
    case Op::AddressOf: {
        const Expr* operand = without_parens(e.a);
        if (is_value(a)) {
            diags_.report(Id::NotAnLvalue, range(e), {"&", quote(a)});
            return;
        }
        if (is_shared(operand->type) && names_bit_field(operand))
            diags_.report(Id::AddressOfBitField, range(e), {text(operand->name)});
        e.type = is_unknown(a.type) && !is_shared(a.type) ? unknown() : pointer_to(a.type);
        return;
    }
    case Op::PreInc:
    case Op::PreDec:
    case Op::PostInc:
    case Op::PostDec:
        if (is_value(a))
            diags_.report(Id::NotAnLvalue, range(e), {text(e.name), quote(a)});
        else if (is_pts(value) && !is_assignable(a))
            diags_.report(Id::NotAssignable, range(e), {text(e.name), quote(a), quote(a.type)});
        else if (is_pts(value))
            check_arithmetic(e, value);
        check_writable(e, a);
        e.type = value;
        return;
    case Op::Not: e.type = basic(TypeKind::Int); return;
    case Op::Real:
    case Op::Imag:
        e.type = kind(value) == TypeKind::Complex ? kind_of(value)->base : value;
        if (is_shared(a.type)) {
            QualType part = e.type;
            part.quals = a.type.quals;
            e.type = part;
        }
        e.is_lvalue = a.is_lvalue;
        return;
    case Op::Plus:
    case Op::Minus:
    case Op::BitNot:
        if (is_pts(value)) {
            diags_.report(Id::InvalidOperand, range(e), {text(e.name), quote(value)});
            e.type = unknown();
            return;
        }
        e.type = is_arithmetic(value) ? promote(value) : value;
        return;
    default: return;
    }
}

void Checker::additive(Expr& e)
{
    QualType a = value_type(*e.a);
    QualType b = value_type(*e.b);
    bool is_sub = e.op == Op::Sub;
    if (is_pointer(a) && is_pointer(b)) {
        if (is_pts(a) || is_pts(b)) {
            if (!is_sub) {
                invalid_operands(e, a, b);
                return;
            }
            if (!check_same_space(e, a, b) || !check_arithmetic(e, a) || !check_arithmetic(e, b))
                return;
        }
        if (is_sub && (is_pts(a) || cc_is_blind(a, b)) && !point_to_compatible(a, b))
            invalid_operands(e, a, b);
        e.type = basic(TypeKind::Long);
        return;
    }
    if (is_pointer(a) || (is_pointer(b) && !is_sub)) {
        QualType pointer = is_pointer(a) ? a : b;
        QualType other = is_pointer(a) ? b : a;
        e.type = pointer;
        if (!is_pts(pointer))
            return;
        check_arithmetic(e, pointer);
        if (!is_integer(other) && !is_unknown(other))
            invalid_operands(e, a, b);
        return;
    }
    if (is_pts(b))
        invalid_operands(e, a, b);
    e.type = arithmetic_type(a, b);
}

void Checker::comparison(Expr& e)
{
    QualType a = value_type(*e.a);
    QualType b = value_type(*e.b);
    e.type = basic(TypeKind::Int);
    if (is_vector(a) || is_vector(b)) {
        e.type = is_vector(a) ? a : b;
        return;
    }
    if (cc_is_blind(a, b) && !is_null_constant(e.a) && !is_null_constant(e.b))
        check_compared(e, e.a, e.b, text(e.name));
    if ((!is_pts(a) && !is_pts(b)) || is_unknown(a) || is_unknown(b))
        return;
    bool is_equality = e.op == Op::Eq || e.op == Op::Ne;
    Expr*& null = is_pts(a) ? e.b : e.a;
    QualType pointer = is_pts(a) ? a : b;
    if (is_equality && !is_pts(null->type) && is_null_constant(null)) {
        Expr* cast = implicit_cast(null, pointer);
        replace_child(e, null, cast);
        null = cast;
        return;
    }
    if (!is_pointer(a) || !is_pointer(b)) {
        invalid_operands(e, a, b);
        return;
    }
    if (!check_same_space(e, a, b))
        return;
    check_compared(e, e.a, e.b, text(e.name));
    if (!is_equality && (is_incomplete(pointee(a)) || is_incomplete(pointee(b))))
        diags_.report(Id::CompareIncomplete, range(e), {text(e.name), quote(a), quote(b)});
}

void Checker::binary(Expr& e)
{
    expr(e.a);
    expr(e.b);
    QualType a = value_type(*e.a);
    QualType b = value_type(*e.b);
    switch (e.op) {
    case Op::Comma: e.type = b; return;
    case Op::LogAnd:
    case Op::LogOr: e.type = basic(TypeKind::Int); return;
    case Op::Add:
    case Op::Sub: additive(e); return;
    case Op::Lt:
    case Op::Gt:
    case Op::Le:
    case Op::Ge:
    case Op::Eq:
    case Op::Ne: comparison(e); return;
    case Op::Shl:
    case Op::Shr:
        if (is_pts(a) || is_pts(b))
            invalid_operands(e, a, b);
        e.type = is_arithmetic(a) ? promote(a) : unknown();
        return;
    default:
        if (is_pts(a) || is_pts(b))
            invalid_operands(e, a, b);
        else
            e.type = arithmetic_type(a, b);
    }
}

void Checker::assign(Expr& e)
{
    expr(e.a);
    expr(e.b);
    QualType target = value_type(*e.a);
    e.type = target;
    if (is_value(*e.a)) {
        diags_.report(Id::NotAnLvalue, range(e), {text(e.name), quote(*e.a)});
        return;
    }
    if (is_pts(target) && !is_assignable(*e.a)) {
        diags_.report(Id::NotAssignable, range(e), {text(e.name), quote(*e.a), quote(e.a->type)});
        return;
    }
    check_writable(e, *e.a);
    if (e.op == Op::None) {
        convert_child(e, e.b, e.a->type, Use::Assignment);
        return;
    }
    QualType value = value_type(*e.b);
    if (is_pts(target) && (e.op == Op::Add || e.op == Op::Sub)) {
        check_arithmetic(e, target);
        if (!is_integer(value) && !is_unknown(value))
            invalid_operands(e, target, value);
    } else if (is_pts(target) || is_pts(value)) {
        invalid_operands(e, target, value);
    }
}

// The type of c ? a : b where a and b are pointers; unknown if they are incompatible
QualType Checker::chosen_pointer(Expr& e, const Expr* first)
{
    QualType a = value_type(*first);
    QualType b = value_type(*e.c);
    if (is_null_constant(first))
        return b;
    if (is_null_constant(e.c))
        return a;
    if (is_pts(a) != is_pts(b)) {
        diags_.report(Id::MixedPointers, range(e), {"?:", quote(a), quote(b)});
        return unknown();
    }
    bool is_generic = is_void(pointee(a)) || is_void(pointee(b));
    if (is_pts(a) && !is_generic && !same_layout(pointee(a), pointee(b))) {
        diags_.report(Id::LayoutsDiffer, range(e), {"?:", quote(a), quote(b)});
        return a;
    }
    if (is_pts(a) || cc_is_blind(a, b))
        check_compared(e, first, e.c, "?:");
    return composite(a, b);
}

void Checker::conditional(Expr& e)
{
    expr(e.a);
    if (e.b != nullptr)
        expr(e.b);
    expr(e.c);
    Expr* first = e.b != nullptr ? e.b : e.a;
    QualType a = value_type(*first);
    QualType b = value_type(*e.c);
    QualType result = a;
    if (is_pointer(a) && is_pointer(b)) {
        result = chosen_pointer(e, first);
    } else if (is_pts(a) || is_pts(b)) {
        if (!is_null_constant(is_pts(a) ? e.c : first)) {
            if (!is_unknown(a) && !is_unknown(b) && !is_void(a) && !is_void(b))
                diags_.report(Id::InvalidOperands, range(e), {"?:", quote(a), quote(b)});
            return;
        }
        result = is_pts(a) ? a : b;
    } else if (is_arithmetic(a) && is_arithmetic(b)) {
        result = arithmetic_type(a, b);
    } else if (is_pointer(b)) {
        result = b;
    }
    e.type = result;
    if (!is_pts(result))
        return;
    auto wrap = [&](Expr*& arm) {
        Expr* cast = implicit_cast(arm, result);
        replace_child(e, arm, cast);
        arm = cast;
    };
    if (e.b != nullptr)
        wrap(e.b);
    wrap(e.c);
}

}  // namespace bn::sema
