// remote.cc: reading and writing shared objects where threads may be on other nodes (docs/design/009-clusters.md).
//
// UPC form           C form (T the object's type without qualifiers)
// x                  ({ T v; T *p = (T *)&place; LOAD v; })
// x = e              ({ T v = e; T *p = (T *)&place; STORE v; })
// x op= e, ++x, x++  ({ T v; T *p = (T *)&place; LOAD v op= e; STORE v; })  with fences around them if x is strict
// LOAD               if (bn_is_near(p)) v = *p; else bn_get(&v, p, sizeof v);
// STORE              if (bn_is_near(p)) *p = v; else bn_put(p, &v, sizeof v);
//
// gather_strips.cc has another LOAD for elements that a loop has prefetched.  Relaxed accesses to non-volatile objects
// use bn_get_ahead and bn_put_behind (docs/design/010-far-accesses.md).
//
// On one machine, strict accesses use these forms if finding the object, or evaluating the e of op=, may write shared
// memory, so that these writes precede the fence.  There LOAD is v = *p and STORE is *p = v.
//
// An object known to be this thread's own (local.cc) needs no test: it is accessed as on one machine.
//
// `place` is the form for one machine, of which only the address is used.  A member may be misaligned: T is then a type
// that allows it.  A bit-field has no address: the struct S that contains it has one, and `v` is a struct of our own
// whose only member is the bit-field.  Its value is promoted immediately, because after a statement expression clang
// forgets that it was a bit-field that may become an int:
//
// s.f                S v = all zero; S *p = (S *)&place of s; LOAD +v.f
// LOAD               if (bn_is_near(p)) v.f = p->f; else { S m = all zero; --m.f; bn_get_bits(&v, p, &m, sizeof m); }
// STORE              likewise; --m.f sets all bits of the bit-field
#include "lower/remote_object.h"

namespace bn::lower {

using ast::Kind;
using ast::Op;
using namespace sema;

bool Lowerer::may_be_far(Expr& lvalue)
{
    bool is_evaluated = in_function_ || outside_;
    return options_.far_threads && is_evaluated && (without_parens(&lvalue)->strict || !is_own(&lvalue));
}

bool Lowerer::operands_come_first(const Expr& lvalue, const Expr* value)
{
    bool is_evaluated = in_function_ || outside_;
    return is_evaluated && without_parens(&lvalue)->strict &&
           (may_write_shared(&lvalue, tokens_) || (value != nullptr && may_write_shared(value, tokens_)));
}

RemoteObject Lowerer::remote_object(Expr* lvalue)
{
    const Expr* plain = without_parens(lvalue);
    RemoteObject object(arena_);
    object.is_strict = plain->strict;
    object.is_prompt = plain->strict || canonical(lvalue->type).quals.is_volatile;
    object.pointer = fresh("p");
    object.value = object.variable = fresh("v");
    QualType record;
    if (plain->kind == Kind::Member) {
        record = plain->op == Op::Dot ? plain->a->type : pointer_target(*plain->a);
        if (bit_field(*plain) != nullptr)
            object.field = text(plain->name);
    }
    if (object.field.empty()) {
        object.is_whole = is_record(lvalue->type) && !is_pts(lvalue->type);
        object.declarations << value_declaration(lvalue->type, object.variable) << "; ";
        std::string type = "__typeof__(" + object.variable + ")";
        if (is_member(lvalue)) {
            std::string packed = fresh("t");
            object.declarations << "typedef " << type << " " << packed << " __attribute__((aligned(1))); ";
            type = packed;
        }
        if (object.is_strict)
            type = "volatile " + type;
        object.declarations << type << " *" << object.pointer << " = (" << type << " *)" << place_address(lvalue)
                            << "; ";
        return object;
    }
    object.value += "." + object.field;
    object.is_whole = canonical(lvalue->type).quals.is_const;
    object.is_bool = kind(lvalue->type) == TypeKind::Bool;
    lvalue->visited = true;
    std::string type = fresh("t");
    object.declarations << "typedef " << value_declaration(record, type) << "; typedef " << type << " " << type
                        << "u __attribute__((aligned(1))); " << type << " " << object.variable << "; " << type << "u *"
                        << object.pointer << " = ((void)__builtin_memset(&" << object.variable << ", 0, sizeof "
                        << object.variable << "), (" << type << "u *)";
    if (plain->op == Op::Dot)
        object.declarations << "&" << place(plain->a);
    else if (Address whole = address(plain->a); options_.checks)
        object.declarations << counted(checked_address(whole, checked_extent(plain), plain), plain);
    else
        object.declarations << counted(window_address(whole), plain);
    object.declarations << "); ";
    return object;
}

// "{ S m with the bits of the bit-field; function(first, second, &m, sizeof m); }"
Rope Lowerer::remote_bits(const RemoteObject& object, const char* function, const std::string& first,
                          const std::string& second)
{
    std::string mask = fresh("m");
    Rope out = rope("{ __typeof__(") << object.variable << ") " << mask << "; __builtin_memset(&" << mask
                                     << ", 0, sizeof " << mask << "); ";
    if (object.is_bool)  // gcc objects to decrementing it
        out << mask << "." << object.field << " = 1; ";
    else
        out << "--" << mask << "." << object.field << "; ";
    return out << function << "(" << first << ", " << second << ", &" << mask << ", sizeof " << mask << "); } ";
}

// Loads the object into the variable.
Rope Lowerer::remote_load(const RemoteObject& object)
{
    const char* get = options_.passes.ahead && !object.is_prompt ? "bn_get_ahead" : "bn_get";
    const std::string& p = object.pointer;
    const std::string& v = object.variable;
    Rope near = rope();
    if (object.is_whole)
        near << "__builtin_memcpy((void *)&" << v << ", (const void *)" << p << ", sizeof " << v << "); ";
    else if (object.field.empty())
        near << v << " = *" << p << "; ";
    else
        near << object.value << " = " << p << "->" << object.field << "; ";
    if (!options_.far_threads)
        return near;
    Rope out = rope("if (bn_is_near(") << p << ")) " << near << "else ";
    if (!object.fetched.empty())
        return out << v << " = " << object.fetched << "; ";
    if (object.is_whole)
        return out << get << "((void *)&" << v << ", " << p << ", sizeof " << v << "); ";
    if (object.field.empty())
        return out << get << "(&" << v << ", " << p << ", sizeof " << v << "); ";
    return out << remote_bits(object, "bn_get_bits", "&" + v, p);
}

// Stores the variable into the object.
Rope Lowerer::remote_store(const RemoteObject& object)
{
    const char* put = options_.passes.behind && !object.is_prompt ? "bn_put_behind" : "bn_put";
    const std::string& p = object.pointer;
    const std::string& v = object.variable;
    Rope near = rope(object.field.empty() ? "*" + p : p + "->" + object.field) << " = " << object.value << "; ";
    if (!options_.far_threads)
        return near;
    Rope out = rope("if (bn_is_near(") << p << ")) " << near << "else ";
    if (object.field.empty())
        return out << put << "(" << p << ", &" << v << ", sizeof " << v << "); ";
    return out << remote_bits(object, "bn_put_bits", p, "&" + v);
}

void Lowerer::remote_read(Expr& e)
{
    RemoteObject object = remote_object(&e);
    object.fetched = gathered(e);
    remark_on_far_read(e, object);
    Rope out = rope() << object.declarations;
    if (object.is_strict)
        out << "bn_before_strict_read(); ";
    out << remote_load(object);
    if (object.is_strict)
        out << "bn_after_strict_read(); ";
    set(&e, rope("(__extension__ ({ ") << out << object.result() << "; }))");
}

void Lowerer::remote_assign(Expr& e, bool is_discarded)
{
    bool is_step = e.op != Op::None && is_pts_value(*e.a);
    RemoteObject object = remote_object(e.a);
    Rope out = rope() << object.declarations;
    remark_on_far_write(*e.a, object);
    if (e.op == Op::None) {
        out << object.value << " = " << e.b << "; ";
        if (object.is_strict)
            out << "bn_before_strict_write(); ";
        out << remote_store(object);
        if (object.is_strict)
            out << "bn_after_strict_write(); ";
        set(&e, block(is_discarded, out, object.result()));
        return;
    }
    remark_on_far_read(*e.a, object);
    if (object.is_strict && may_write_shared(e.b, tokens_)) {
        std::string name = fresh("e");
        // makes it a value: e may be a bit-field
        out << "__auto_type " << name << " = ((void)0, " << self(e.b) << "); ";
        set(e.b, rope(name));
    }
    if (object.is_strict)
        out << "bn_fence(); ";
    out << remote_load(object) << object.value << " ";
    if (is_step)
        out << "= " << pointer_step(rope(object.value), e.b, value_type(*e.a), e.op == Op::Sub);
    else
        out << text(e.name) << " " << e.b;
    out << "; " << remote_store(object);
    if (object.is_strict)
        out << "bn_fence(); ";
    set(&e, block(is_discarded, out, object.result()));
}

// ++ and --
void Lowerer::remote_increment(Expr& e)
{
    bool is_discarded = &e == discarded_;
    bool is_post = (e.op == Op::PostInc || e.op == Op::PostDec) && !is_discarded;
    bool is_down = e.op == Op::PreDec || e.op == Op::PostDec;
    RemoteObject object = remote_object(e.a);
    remark_on_far_read(*e.a, object);
    remark_on_far_write(*e.a, object);
    std::string result = object.result();
    Rope out = rope() << object.declarations;
    if (is_post) {
        result = fresh("old");
        out << promoted_declaration(*e.a, result) << "; ";
    }
    if (object.is_strict)
        out << "bn_fence(); ";
    out << remote_load(object);
    if (is_post)
        out << result << " = " << object.value << "; ";
    if (is_pts_value(*e.a))
        out << object.value << " = " << pointer_step(rope(object.value), nullptr, value_type(*e.a), is_down) << "; ";
    else
        out << (is_down ? "--" : "++") << object.value << "; ";
    out << remote_store(object);
    if (object.is_strict)
        out << "bn_fence(); ";
    set(&e, block(is_discarded, out, result));
}

}  // namespace bn::lower
