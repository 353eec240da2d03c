// access.cc: reading and writing shared objects.
//
// UPC form                C form
// relaxed read or write   the place itself
// strict read             ({ T v = (bn_before_strict_read(), volatile place); bn_after_strict_read(); v; })
//                         (T of bit-fields: promoted)
// strict write            ({ T v = value; bn_before_strict_write(); volatile place = v; bn_after_strict_write(); v; })
// strict op=, ++          ({ T v = (bn_fence(), place op= value); bn_fence(); v; })
// (The first fence is part of the initializer because -Wdeclaration-after-statement would warn of it in front.)
// where the thread is settled (fences.h): bn_before_settled_read() or ..._change() instead of the first fence
// p += i, p++ on pointers-to-shared: the place of the pointer is evaluated once, through its address, unless it is a
// named variable: a register variable has no address
#include "lower/lowerer.h"

namespace bn::lower {

using ast::Kind;
using ast::Op;
using namespace sema;

namespace {

// x, x.m, x.m.n: may be evaluated twice without side effects
bool is_named_object(const Expr* lvalue)
{
    lvalue = without_parens(lvalue);
    while (lvalue->kind == Kind::Member && lvalue->op == Op::Dot)
        lvalue = without_parens(lvalue->a);
    return lvalue->kind == Kind::Ident;
}

}  // namespace

const Field* Lowerer::bit_field(const Expr& lvalue) const
{
    const Expr* plain = without_parens(&lvalue);
    if (plain->kind != Kind::Member)
        return nullptr;
    QualType record = plain->op == Op::Dot ? plain->a->type : pointer_target(*plain->a);
    const Field* field = find_field(*kind_of(record)->record, text(plain->name));
    return field != nullptr && field->is_bit_field ? field : nullptr;
}

// ({ body value; }), without the value if it is discarded, so that the back end has nothing to warn about
Rope Lowerer::block(bool is_discarded, Rope body, const std::string& value)
{
    Rope out = rope("(__extension__ ({ ") << body;
    if (!is_discarded)
        out << value << "; ";
    return out << "}))";
}

// Declares a variable for an lvalue's value in an expression: a bit-field may be promoted to int (C 6.3.1.1p2) where a
// variable of its type would not.
Rope Lowerer::promoted_declaration(const Expr& lvalue, const std::string& name)
{
    const Field* field = bit_field(lvalue);
    std::optional<Size> size = size_of(lvalue.type);
    bool is_int = field != nullptr && field->width < 32 && size && size->bytes >= 4;
    return is_int ? rope("int ") << name : value_declaration(lvalue.type, name);
}

// A shared lvalue in a value context
void Lowerer::read(Expr& e)
{
    if (is_array(e.type)) {
        set(&e, reference(address(&e)));
        return;
    }
    if (may_be_far(e) || operands_come_first(e, nullptr)) {
        remote_read(e);
        return;
    }
    if (!e.strict) {
        set(&e, place(&e));
        return;
    }
    std::string value = fresh("v");
    const char* fence = fences_.settled.contains(&e) ? "bn_before_settled_read()" : "bn_before_strict_read()";
    Rope out = promoted_declaration(e, value);
    out << " = (" << fence << ", " << place(&e, true) << "); bn_after_strict_read(); ";
    set(&e, rope("(__extension__ ({ ") << out << value << "; }))");
}

const char* Lowerer::fence_before(const Expr& lvalue) const
{
    return fences_.settled.contains(without_parens(&lvalue)) ? "bn_before_settled_change()" : "bn_fence()";
}

// "(fence, value)"
Rope Lowerer::fenced(const Expr& lvalue, const Rope& value)
{
    return rope("(") << fence_before(lvalue) << ", " << value << ")";
}

// "type *name = (type *)&", to be followed by a place that holds a pointer-to-shared; the cast allows a misaligned
// member
std::string Lowerer::pointer_to_pointer(const Expr* lvalue, const std::string& name) const
{
    std::string type = is_member(lvalue) ? "bn_packed_pts_t *" : "bn_pts_t *";
    return type + name + " = (" + type + ")&";
}

void Lowerer::assign(Expr& e)
{
    // read before the operands are lowered, which may discard expressions of their own
    bool is_discarded = &e == discarded_;
    lower(e.b);
    bool is_shared_target = is_shared(e.a->type);
    bool is_step = e.op != Op::None && is_pts_value(*e.a);
    if (!is_shared_target && !is_step) {
        lower_children(&e);
        return;
    }
    if (is_shared_target && (may_be_far(*e.a) || operands_come_first(*e.a, e.op == Op::None ? nullptr : e.b))) {
        remote_assign(e, is_discarded);
        return;
    }
    bool is_strict = is_shared_target && without_parens(e.a)->strict;
    Rope target = rope();
    if (is_shared_target) {
        target << place(e.a, is_strict && e.op == Op::None);
    } else {
        lower(e.a);
        target << e.a;
    }
    if (!is_strict && !is_step) {
        set(e.a, target);
        e.touched = true;
        return;
    }
    Rope out = rope();
    if (is_step) {
        if (is_named_object(e.a) && !is_shared_target) {
            set(&e, rope("(") << target << " = "
                              << pointer_step(rope() << target, e.b, value_type(*e.a), e.op == Op::Sub) << ")");
            return;
        }
        std::string pointer = fresh("p");
        std::string value = fresh("v");
        out << pointer_to_pointer(e.a, pointer) << target << "; bn_pts_t " << value << " = ";
        Rope stepped = pointer_step(rope("*") << pointer, e.b, value_type(*e.a), e.op == Op::Sub);
        out << (is_strict ? fenced(*e.a, stepped) : stepped) << "; *" << pointer << " = " << value << "; ";
        if (is_strict)
            out << "bn_fence(); ";
        set(&e, block(is_discarded, out, value));
        return;
    }
    std::string value = fresh("v");
    Rope declaration = promoted_declaration(*e.a, value);
    if (e.op == Op::None) {
        bool is_cut = !is_discarded && bit_field(*e.a) != nullptr;  // the value is then what the bit-field can hold
        out << declaration << " = " << e.b << "; bn_before_strict_write(); " << (is_cut ? value + " = " : "") << target
            << " = " << value << "; bn_after_strict_write(); ";
    } else {
        if (!is_discarded)
            out << declaration << " = ";
        out << fenced(*e.a, rope() << target << " " << text(e.name) << " " << e.b) << "; bn_fence(); ";
    }
    set(&e, block(is_discarded, out, value));
}

// ++ and --
void Lowerer::increment(Expr& e)
{
    bool is_shared_target = is_shared(e.a->type);
    bool is_pointer_step = is_pts_value(*e.a);
    if (!is_shared_target && !is_pointer_step) {
        lower_children(&e);
        return;
    }
    if (is_shared_target && (may_be_far(*e.a) || operands_come_first(*e.a, nullptr))) {
        remote_increment(e);
        return;
    }
    bool is_strict = is_shared_target && without_parens(e.a)->strict;
    bool is_discarded = &e == discarded_;
    bool is_post = (e.op == Op::PostInc || e.op == Op::PostDec) && !is_discarded;
    bool is_down = e.op == Op::PreDec || e.op == Op::PostDec;
    Rope target = rope();
    if (is_shared_target) {
        target << place(e.a);
    } else {
        lower(e.a);
        target << e.a;
    }
    Rope out = rope();
    if (!is_pointer_step) {
        if (!is_strict) {
            set(e.a, target);
            e.touched = true;
            return;
        }
        std::string value = fresh("v");
        std::string_view op = is_down ? "--" : "++";
        if (!is_discarded)
            out << promoted_declaration(*e.a, value) << " = ";
        out << fenced(*e.a, is_post ? rope() << target << op : rope(op) << target) << "; bn_fence(); ";
        set(&e, block(is_discarded, out, value));
        return;
    }
    bool is_named = is_named_object(e.a) && !is_shared_target;
    if (is_named && !is_post) {
        Rope stepped = pointer_step(rope() << target, nullptr, value_type(*e.a), is_down);
        set(&e, rope("(") << target << " = " << stepped << ")");
        return;
    }
    Rope at = rope() << target;
    if (!is_named) {
        std::string pointer = fresh("p");
        out << pointer_to_pointer(e.a, pointer) << target << "; ";
        at = rope("*") << pointer;
    }
    std::string value = fresh("v");
    if (!is_discarded)
        out << "bn_pts_t " << value << " = ";
    Rope old = is_post ? rope(value) : rope() << at;
    Rope step = rope() << at << " = " << pointer_step(old, nullptr, value_type(*e.a), is_down);
    Rope first = is_post ? rope() << at : step;
    out << (is_strict ? fenced(*e.a, first) : first) << "; ";
    if (is_post)
        out << step << "; ";
    if (is_strict)
        out << "bn_fence(); ";
    set(&e, block(is_discarded, out, value));
}

}  // namespace bn::lower
