// pointer.cc: values of pointer-to-shared type.
//
// UPC form                   C form
// p + i, p += i              bn_add_indef | bn_add_cyclic | bn_add_block (p, i, [B,] sizeof(E)), or
//                            bn_outlined_add_...: outline.cc; bn_add_rounds: rounds.cc
// ++p, --p                   bn_next_... | bn_previous_... (p, [B,] sizeof(E)): no division;
//                            bn_add_...(p, 1, ...) if *p is a row, or by a call
// p - q                      bn_diff_...(p, q, [B,] sizeof(E)), with bn_whole(..., elements of *p) around it for rows
// p == q, p == 0             (p).addr == (q).addr, (p).addr == 0         phase is ignored
// p < q                      bn_diff_...(p, q, ...) < 0
// conversion                 p, or bn_reset_phase(p) where facts 1.9 sets the phase to zero
// (T *)p                     (T *)(p).addr
#include "lower/lowerer.h"

namespace bn::lower {

using ast::Kind;
using ast::Op;
using namespace sema;

// Moves a pointer-to-shared by `count` elements; a null count means 1.
Rope Lowerer::pointer_step(Rope pointer, Expr* count, QualType pointer_type, bool negative)
{
    QualType target = pointee(pointer_type);
    if (Rope moved = count != nullptr ? add_rounds(pointer, count, target, negative) : rope(); !moved.empty())
        return moved;
    uint64_t block = block_size(target);
    Rope factor = steps(target);
    bool is_one = count == nullptr && block != 0 && factor.empty() && !is_rare(true);
    Rope out = rope();
    if (is_one) {
        out << (negative ? "bn_previous_" : "bn_next_") << (block == 1 ? "cyclic(" : "block(") << pointer << ", ";
    } else {
        out << add_function(target, count == nullptr || is_variable(count)) << pointer << ", " << (negative ? "-" : "");
        if (count != nullptr) {
            lower(count);
            out << "(bn_i64)(" << count << ")";
        } else {
            out << "1";
        }
        if (!factor.empty())
            out << " * " << factor;
        out << ", ";
    }
    if (block > 1)
        out << block << ", ";
    return out << element_size(element_of(target)) << ")";
}

// p - q in ultimate elements
Rope Lowerer::difference(Expr* a, Expr* b)
{
    QualType target = pointer_target(*a);
    uint64_t block = block_size(target);
    lower(a);
    lower(b);
    Rope out = rope(options_.checks ? "bn_check_diff_" : "bn_diff_") << (block == 0   ? "indef("
                                                                         : block == 1 ? "cyclic("
                                                                                      : "block(");
    out << a << ", " << b << ", ";
    if (block > 1)
        out << block << ", ";
    out << element_size(element_of(target));
    if (options_.checks)
        out << at(a);
    return out << ")";
}

void Lowerer::pointer_difference(Expr& e)
{
    Rope factor = steps(pointer_target(*e.a));
    Rope out = difference(e.a, e.b);
    if (!factor.empty())
        out = rope("bn_whole(") << out << ", " << factor << ")";
    set(&e, out);
}

void Lowerer::pointer_comparison(Expr& e)
{
    std::string op(text(e.name));
    if (e.op != Op::Eq && e.op != Op::Ne) {
        set(&e, difference(e.a, e.b) << " " << op << " 0");
        return;
    }
    auto is_null = [&](Expr* side) { return side->kind == Kind::ImplicitCast && !is_pts_value(*side->a); };
    Rope out = rope();  // no parentheses: this is the original operator, and clang suspects == in double parentheses
    for (Expr* side : {e.a, e.b}) {
        if (side == e.b)
            out << " " << op << " ";
        if (is_null(side)) {
            out << "0";
            continue;
        }
        lower(side);
        out << "(" << side << ").addr";
    }
    set(&e, out);
}

// Whether a conversion keeps the phase: facts 1.9, conversions and casts
bool Lowerer::keeps_phase(QualType from, QualType to) const
{
    if (is_generic_pts(to))
        return true;
    uint64_t block = block_size(pointee(to));
    if (is_generic_pts(from))
        return block > 1;
    QualType source = pointee(from);
    QualType target = pointee(to);
    if (block_size(source) <= 1)
        return true;  // its phase is already zero
    std::optional<Size> a = size_of(element_of(source));
    std::optional<Size> b = size_of(element_of(target));
    return block == block_size(source) && a && b && a->bytes == b->bytes && !is_incomplete(source) &&
           !is_incomplete(target);
}

// The value of `from` converted to a pointer-to-shared, from a pointer-to-shared to bool, or from one pointer to local
// objects to another
Rope Lowerer::converted(Expr* from, QualType target)
{
    Rope out = rope();
    if (is_pointer(target) && !is_pts(target)) {  // avoids a complaint of cc about what upcc has already reported
        lower(from);
        return out << "(" << c_type(target) << ")(" << from << ")";
    }
    if (!is_pts_value(*from)) {
        if (is_record(value_type(*from))) {  // a pointer-to-shared under its C type name
            lower(from);
            return out << from;
        }
        return out << (in_static_initialiser_ ? "{ 0, 0, 0 }" : "bn_null()");
    }
    lower(from);
    if (!is_pts(target))
        return out << "((" << from << ").addr != 0)";
    if (keeps_phase(value_type(*from), target)) {
        if (options_.checks && is_generic_pts(value_type(*from)) && !is_generic_pts(target))
            return out << "bn_check_phase(" << from << ", " << block_size(pointee(target)) << at(from) << ")";
        return out << from;
    }
    return out << "bn_reset_phase(" << from << ")";
}

}  // namespace bn::lower
