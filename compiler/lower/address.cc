// address.cc: where shared objects lie.
//
// UPC form                                C form (T the object's type, E its ultimate element type, B the block size)
// x            static shared scalar       (*(T *)x)                    x is the handle: thread 0's address
// a[i], *(a+i) static array, B = 1        (*(T *)bn_elem_cyclic(a, i, sizeof(E)))
//                            B > 1        (*(T *)bn_elem_block(a, i, B, sizeof(E)))
//                            one block on each thread at most     (*(T *)bn_elem_once(a, i, B, sizeof(E)))
//                            the same, and i below 2^32           (*(T *)bn_narrow_once(a, i, B, sizeof(E)))
//                            an index that is read or computed, in a loop: indexed.cc
//                            indefinite, or -T 1                  (*(T *)bn_elem_indef(a, i, sizeof(E)))
// a[i][j]      columns c                  index (bn_i64)(i) * c + (bn_i64)(j)
// *p                                      (*(T *)(p).addr)
// p[i]                                    (*(T *)bn_add_...(p, i, ...).addr)
// l.m, p->m    l, *p shared               place of l, then .m;  ((T *)(p).addr)->m;  elements of array members and of
//                                         vectors likewise
#include <utility>

#include "lower/lowerer.h"

namespace bn::lower {

using ast::Kind;
using ast::Op;
using namespace sema;

Rope Lowerer::element_size(QualType element)
{
    std::optional<Size> size = outside_ ? size_of(element) : std::nullopt;  // the name of the type may be unknown there
    if (size)
        return rope() << size->bytes;
    return rope("sizeof(") << c_value_type(element) << ")";
}

Rope Lowerer::element_alignment(QualType element)
{
    return outside_ ? rope("1") : rope("_Alignof(") << c_value_type(element) << ")";
}

// Distance of a member, or of an element of an array member or of a vector, from the start of the object *base
std::optional<uint64_t> Lowerer::member_offset(Expr* lvalue, Expr** base)
{
    uint64_t offset = 0;
    for (;;) {
        lvalue = without_parens(lvalue);
        if (lvalue->kind == Kind::Index && has_elements(lvalue->a->type) && is_member(lvalue)) {
            auto index = analysis_.constants.find(lvalue->b);
            std::optional<Size> size = size_of(lvalue->type);
            if (index == analysis_.constants.end() || !size)
                return std::nullopt;
            offset += static_cast<uint64_t>(index->second) * size->bytes;
            lvalue = lvalue->a;
        } else if (lvalue->kind == Kind::Member && lvalue->op == Op::Dot && is_record(lvalue->a->type)) {
            uint64_t inner = 0;
            const Record& record = *kind_of(lvalue->a->type)->record;
            if (!record.size_known || find_field(record, text(lvalue->name), &inner) == nullptr)
                return std::nullopt;
            offset += inner;
            lvalue = lvalue->a;
        } else {
            *base = lvalue;
            return lvalue->kind == Kind::Member ? std::nullopt : std::optional<uint64_t>(offset);
        }
    }
}

// Pointer-to-shared to a member
Rope Lowerer::member_reference(Expr* lvalue)
{
    Expr* base = nullptr;
    std::optional<uint64_t> offset = outside_ ? member_offset(lvalue, &base) : std::nullopt;
    if (!offset)
        return rope("bn_at(") << place_address(lvalue, false) << ")";
    return rope("bn_at((char *)(") << window_address(address_of_object(base, false)) << ") + " << *offset << ")";
}

Rope Lowerer::steps(QualType type)
{
    std::optional<Size> count = element_count(type);
    Rope out = rope();
    if (!count || (count->bytes == 1 && !count->by_threads))
        return out;
    if (!count->by_threads)
        return out << count->bytes;
    if (count->bytes != 1)
        out << count->bytes << " * ";
    return out << "bn_threads()";
}

// Adds index objects of type `stepped` to the address.
void Lowerer::add_index(Address& address, Expr* index, QualType stepped, bool negative)
{
    bool is_pointer = address.object == nullptr && !options_.checks;  // -fcheck looks at the pointer before the sum
    if (Rope moved = is_pointer ? add_rounds(address.pointer, index, stepped, negative) : rope(); !moved.empty()) {
        address.pointer = moved;
        return;
    }
    lower(index);
    address.has_variable |= is_variable(index);
    Rope factor = steps(stepped);
    if (address.index.empty() && factor.empty() && !negative) {
        address.index << index;
        address.index_is_sum = false;
        std::optional<Size> size = size_of(index->type);
        address.index_is_narrow = size && size->bytes <= 4;
        return;
    }
    address.index_is_narrow = false;
    if (!address.index.empty() && !address.index_is_sum)
        address.index = rope("(bn_i64)(") << address.index << ")";
    if (!address.index.empty() || negative)
        address.index << (negative ? " - " : " + ");
    address.index << "(bn_i64)(" << index << ")";
    if (!factor.empty())
        address.index << " * " << factor;
    address.index_is_sum = true;
}

namespace {

bool is_vector_element(const Expr& e)
{
    return e.kind == Kind::Index && is_vector(e.a->type);
}

}  // namespace

// A member, or an element of an array member or of a vector: C reaches it from the place of the struct or vector.
bool Lowerer::is_member(const Expr* lvalue) const
{
    lvalue = without_parens(lvalue);
    while (lvalue->kind == Kind::Index && is_array(lvalue->a->type))
        lvalue = without_parens(lvalue->a);
    return is_vector_element(*lvalue) || lvalue->kind == Kind::Member ||
           (lvalue->kind == Kind::Unary && (lvalue->op == Op::Real || lvalue->op == Op::Imag));
}

// Address of an element: x, a[i], *p; not for members
Address Lowerer::address_of_object(Expr* lvalue, bool is_accessed)
{
    lvalue = without_parens(lvalue);
    Address result(arena_);
    switch (lvalue->kind) {
    case Kind::Ident:
        result.object = lvalue->symbol;
        result.in_bounds = true;
        break;
    case Kind::Index: {
        Expr* pointer = is_pointer(value_type(*lvalue->a)) ? lvalue->a : lvalue->b;
        Expr* index = pointer == lvalue->a ? lvalue->b : lvalue->a;
        result = address(pointer, is_accessed);
        bool is_checked = options_.checks && is_accessed && is_array(pointer->type);
        result.in_bounds &= is_checked && kind_of(pointer->type)->has_count;
        if (is_checked)
            check_index(pointer, index);
        add_index(result, index, pointer_target(*pointer), false);
        break;
    }
    case Kind::Unary: result = address(lvalue->a); break;
    default: result.pointer << "bn_at(" << place_address(lvalue, false) << ")"; break;
    }
    result.element = element_of(lvalue->type);
    return result;
}

Address Lowerer::address(Expr* e, bool is_accessed)
{
    Expr* plain = without_parens(e);
    Address result(arena_);
    result.element = element_of(pointer_target(*plain));
    if (is_array(plain->type)) {
        if (is_member(plain))
            result.pointer << member_reference(plain);
        else
            result = address_of_object(plain, is_accessed);
        result.element = element_of(plain->type);
        return result;
    }
    if (plain->kind == Kind::Binary && (plain->op == Op::Add || plain->op == Op::Sub)) {
        Expr* pointer = is_pointer(value_type(*plain->a)) ? plain->a : plain->b;
        Expr* index = pointer == plain->a ? plain->b : plain->a;
        result = address(pointer);
        add_index(result, index, pointer_target(*pointer), plain->op == Op::Sub);
        result.in_bounds = false;
        return result;
    }
    if (plain->kind == Kind::Unary && plain->op == Op::AddressOf && is_shared(plain->a->type) && !is_member(plain->a)) {
        result = address_of_object(plain->a, false);
        result.element = element_of(pointer_target(*plain));
        return result;
    }
    if (plain->kind == Kind::ImplicitCast && is_pts_value(*plain->a) && !is_generic_pts(plain->type) &&
        !is_generic_pts(value_type(*plain->a)) && same_type(pointer_target(*plain), pointer_target(*plain->a)))
        return address(plain->a);
    lower(plain);
    result.pointer << plain;
    return result;
}

// "bn_add_block(": the function that moves a pointer-to-shared by a number of elements
std::string Lowerer::add_function(QualType layout, bool has_variable) const
{
    uint64_t block = block_size(layout);
    if (block == 0)
        return "bn_add_indef(";
    return std::string("bn_") + outlined(has_variable) + (block == 1 ? "add_cyclic(" : "add_block(");
}

// Whether no thread has more than one block.  Accessed elements are assumed to lie within the array.
bool Lowerer::goes_round_once(const Symbol& object) const
{
    uint64_t block = block_size(element_of(object.type));
    return !options_.checks && block != 0 && is_array(object.type) &&
           local_elements(object.type, options_.static_threads) == block;
}

// Whether the array has fewer than 2^32 elements
bool Lowerer::has_narrow_indices(const Symbol& object) const
{
    std::optional<Size> count = element_count(object.type);
    int threads = !count || !count->by_threads   ? 1
                  : options_.static_threads != 0 ? options_.static_threads
                                                 : kMaxThreads;
    return count && count->bytes <= UINT32_MAX / static_cast<uint64_t>(threads);
}

// The function that computes addresses of elements of a static array
Lowerer::ElementFunction Lowerer::element_function(const Symbol& object, bool is_cyclic, bool has_variable,
                                                   bool index_is_narrow) const
{
    if (version_.is_cold)
        return {is_cyclic ? "bn_cold_elem_cyclic(" : "bn_cold_elem_block(", !is_cyclic};
    bool is_once = goes_round_once(object);
    if (!is_once && *outlined(has_variable) != 0)
        return {is_cyclic ? "bn_outlined_elem_cyclic(" : "bn_outlined_elem_block(", !is_cyclic};
    if (is_once && !is_cyclic && (index_is_narrow || has_narrow_indices(object)))
        return {"bn_narrow_once(", true, true};
    if (is_once)
        return {"bn_elem_once(", true};
    return {is_cyclic ? "bn_elem_cyclic(" : "bn_elem_block(", !is_cyclic};
}

// The window address as an expression that can be cast to a pointer type
Rope Lowerer::window_address(const Address& a)
{
    Rope out = rope();
    if (a.index.empty()) {
        if (a.object != nullptr)
            return out << a.object->emitted;
        return out << "(" << a.pointer << ").addr";
    }
    bool is_on_one_thread = options_.static_threads == 1 ||
                            (version_.indexed != nullptr && version_.threads == ThreadCount::One && !version_.is_cold);
    uint64_t block = is_on_one_thread ? 0 : block_size(a.element);
    bool takes_block = block > 1;
    bool takes_narrow = false;
    bool is_indexed = !is_on_one_thread && (a.origin == IndexOrigin::Computed || a.origin == IndexOrigin::Memory) &&
                      !version_.is_cold;
    if (a.object != nullptr && block != 0) {
        ElementFunction function = element_function(*a.object, block == 1, a.has_variable, a.index_is_narrow);
        if (is_indexed)
            function = {"bn_indexed_cyclic(", false};
        else if (a.origin == IndexOrigin::Carried && version_.threads == ThreadCount::PowerOfTwo &&
                 options_.static_threads == 0 && !version_.is_cold)
            function = {block > 1 ? "bn_elem_block_shift(" : "bn_elem_shift(", block > 1};
        takes_block = function.takes_block;
        takes_narrow = function.divides_narrow && a.index_is_narrow;
        out << function.name << a.object->emitted;
    } else if (a.object != nullptr) {
        out << "bn_elem_indef(" << a.object->emitted;
    } else {
        out << (is_on_one_thread ? "bn_add_indef("
                : is_indexed     ? "bn_indexed_pointer("
                                 : add_function(a.element, a.has_variable))
            << a.pointer;
    }
    out << ", (bn_" << (takes_narrow ? "u32" : a.object != nullptr ? "u64" : "i64") << ")(" << a.index << "), ";
    if (takes_block)
        out << block << ", ";
    out << element_size(a.element);
    if (is_indexed && a.object == nullptr)
        out << ", " << element_alignment(a.element);
    out << (!is_indexed ? ")" : version_.threads == ThreadCount::PowerOfTwo ? ", 1)" : ", 0)");
    if (a.object == nullptr && !is_indexed)
        out << ".addr";
    return out;
}

Rope Lowerer::reference(const Address& a)
{
    Rope out = rope();
    if (a.index.empty()) {
        if (a.object != nullptr)
            return out << "bn_start(" << a.object->emitted << ")";
        return out << a.pointer;
    }
    uint64_t block = block_size(a.element);
    out << add_function(a.element, a.has_variable);
    if (a.object != nullptr)
        out << "bn_start(" << a.object->emitted << ")";
    else
        out << a.pointer;
    out << ", (bn_i64)(" << a.index << "), ";
    if (block > 1)
        out << block << ", ";
    return out << element_size(a.element) << ")";
}

// Counts one read, write or read-modify-write each time the place is evaluated.
Rope Lowerer::counted(Rope address, const Expr* accessed)
{
    if (!options_.counts || is_array(accessed->type))
        return address;
    return rope("bn_count_access((bn_u64)(") << address << "), sizeof(" << c_value_type(accessed->type) << "))";
}

// Lowers the index of an element of an array member or of a vector.
void Lowerer::part_index(Expr* lvalue, bool is_checked)
{
    lower(lvalue->b);
    if (is_checked)
        check_member_index(lvalue->a, lvalue->b);
}

// A C lvalue.  Its address is the window address of the object on every network.  Volatile is added where the object is
// reached, not by casting the address of the lvalue: a member of a packed struct may be misaligned, and only the type
// of the struct says so.
Rope Lowerer::place(Expr* lvalue, bool is_volatile, bool is_accessed)
{
    lvalue->visited = true;
    bool is_checked = options_.checks && is_accessed;
    const Expr* accessed = std::exchange(accessed_, nullptr);  // the access of which this is a part
    if (accessed == nullptr)
        accessed = lvalue;
    auto outer_place = [&](Expr* outer) {
        accessed_ = accessed;
        return place(outer, is_volatile, is_accessed);
    };
    auto finish = [&](Rope address) { return is_accessed ? counted(address, accessed) : address; };
    auto pointer_to = [&](QualType type) {
        type.quals.is_volatile |= is_volatile;
        return c_pointer(type);
    };
    Rope out = rope();
    switch (lvalue->kind) {
    case Kind::Paren:
    case Kind::Generic:
    case Kind::ChooseExpr:
        if (Expr* inside = inner(lvalue))
            return out << "(" << outer_place(inside) << ")";
        break;
    case Kind::Unary:
        if (lvalue->op == Op::Extension)
            return out << "__extension__ " << outer_place(lvalue->a);
        if (lvalue->op == Op::Real || lvalue->op == Op::Imag)
            return out << (lvalue->op == Op::Real ? "__real__ " : "__imag__ ") << outer_place(lvalue->a);
        [[fallthrough]];
    case Kind::Ident:
    case Kind::Index:
        if (is_member(lvalue)) {
            part_index(lvalue, is_checked);
            return out << outer_place(lvalue->a) << "[" << lvalue->b << "]";
        }
        if (std::string own = column_element(lvalue); !own.empty())
            return rope(own);
        if (!is_volatile)
            if (Rope local = local_place(lvalue); !local.empty())
                return local;
        out << "(*(" << pointer_to(lvalue->type) << ")";
        if (Address object = address_of_object(lvalue, is_accessed); is_checked && !object.in_bounds) {
            out << finish(checked_address(object, rope("sizeof(") << c_value_type(lvalue->type) << ")", lvalue));
        } else {
            if (version_.indexed != nullptr)
                object.origin = index_origin(lvalue, version_.indexed->origins);
            out << finish(window_address(object));
        }
        return out << ")";
    case Kind::Member:
        if (lvalue->op == Op::Dot)
            return out << outer_place(lvalue->a) << "." << text(lvalue->name);
        out << "((" << pointer_to(pointer_target(*lvalue->a)) << ")";
        if (Address object = address(lvalue->a); is_checked)
            out << finish(checked_address(object, checked_extent(lvalue), lvalue));
        else
            out << finish(window_address(object));
        return out << ")->" << text(lvalue->name);
    default: break;
    }
    lvalue->visited = false;
    lower(lvalue);
    return out << lvalue;
}

// A C expression for the window address of a shared lvalue.  clang refuses to take the address of a vector element.
Rope Lowerer::place_address(Expr* lvalue, bool is_accessed)
{
    Expr* plain = without_parens(lvalue);
    if (!is_vector_element(*plain))
        return rope("&") << place(lvalue, false, is_accessed);
    part_index(plain, options_.checks && is_accessed);
    accessed_ = plain;
    Rope vector = place(plain->a, false, is_accessed);
    return rope("((") << c_pointer(plain->type) << ")&" << vector << " + (" << plain->b << "))";
}

}  // namespace bn::lower
