// check.cc: the checks added by -fcheck (docs/design/006-run-time-checks.md).
//
// UPC form                   C form under -fcheck (F, L: file and line of the source)
// a[i], static array         index bn_check_index(i, count, "a", F, L), in each dimension
// *p                         (*(T *)bn_check_pointer(p, sizeof(T), F, L))
// p[i]                       the same with bn_add_...(bn_check_base(p, F, L), i, ...) for p
// p->m                       ((T *)bn_check_pointer(p, bytes up to the end of m, F, L))->m
// *(a + i), a[i] of a[]      (*(T *)bn_check_address(bn_elem_...(a, i, ...), sizeof(T), F, L))
// (T *)p                     (T *)bn_check_local(p, F, L)
// p - q, p < q               bn_check_diff_...(p, q, ..., F, L)
// generic to blocked         bn_check_phase(p, B, F, L)
// upc_f(x)                   ({ struct bn_check_place outer cleanup = bn_check_enter(F, L); upc_f(x); })
// upc_barrier                bn_check_barrier(F, L);      notify and wait alike
//
// Addresses that are merely taken (&p[i]) are not checked: they may point past the end, and C allows &p->m for any p.
#include "lower/lowerer.h"
#include "source/source.h"

namespace bn::lower {

using ast::Kind;
using ast::Op;
using namespace sema;

Rope Lowerer::place_in_source(const Node* node)
{
    source::Location location = tokens_.source->location(tokens_[node->first].line);
    std::string file = options_.file_names.apply(tokens_.source->file_name(location.file));
    return rope(source::quoted_name(file)) << ", " << uint64_t{location.line};
}

// Like window_address, for an object of this size that is read or written immediately
Rope Lowerer::checked_address(const Address& address, Rope size, const Node* node)
{
    if (address.object != nullptr)
        return rope("bn_check_address((bn_u64)") << window_address(address) << ", " << size << at(node) << ")";
    Address safe = address;
    if (!address.index.empty())
        safe.pointer = rope("bn_check_base(") << address.pointer << at(node) << ")";
    return rope("bn_check_pointer(") << reference(safe) << ", " << size << at(node) << ")";
}

namespace {

// Arrays with at most one element may stand for the rest of an allocation.
bool has_fixed_count(QualType type)
{
    const Type* array = kind_of(type);
    return array->kind == TypeKind::Array && array->has_count && array->count > 1;
}

}  // namespace

// Programs may allocate less than a whole struct if they do not use its end, so only the part up to the member must
// exist.
Rope Lowerer::checked_extent(const Expr* member)
{
    Rope type = c_value_type(pointer_target(*member->a));
    std::string_view name = text(member->name);
    const Type* record = kind_of(pointer_target(*member->a));
    const Field* field = record->kind == TypeKind::Record ? find_field(*record->record, name) : nullptr;
    if (field == nullptr || field->is_bit_field)
        return rope("sizeof(") << type << ")";
    Rope extent = rope("__builtin_offsetof(") << type << ", " << name << ")";
    if (!is_array(field->type) || has_fixed_count(field->type))
        extent << " + sizeof((*(" << type << " *)0)." << name << ")";
    return extent;
}

namespace {

// 'a' for the first dimension of a, 'a[]' for the second; '.m' for a member
std::string array_name(const Expr* array, const lex::TokenList& tokens)
{
    std::string dimensions;
    for (;; array = array->a) {
        array = without_parens(array);
        if (array->kind == Kind::Index)
            dimensions += "[]";
        else if (array->kind != Kind::Unary)
            break;
    }
    if (array->kind == Kind::Ident)
        return std::string(tokens.text(array->name)) + dimensions;
    if (array->kind == Kind::Member)
        return "." + std::string(tokens.text(array->name)) + dimensions;
    return "array" + dimensions;
}

}  // namespace

// The index of a vector, or of an array with a known count: i -> bn_check_index(i, count, ...)
void Lowerer::check_index(Expr* array, Expr* index)
{
    lower(index);
    const Type* type = kind_of(array->type);
    Rope count = rope();
    if (is_vector(array->type))
        count << "sizeof(" << c_value_type(array->type) << ") / sizeof(" << c_value_type(type->base) << ")";
    else if (type->has_count)
        count << type->count << (type->by_threads ? " * (bn_u64)bn_threads()" : "");
    else
        return;
    set(index, rope("bn_check_index((bn_i64)(") << self(index) << "), " << count << ", "
                                                << source::quoted_name(array_name(array, tokens_)) << at(index) << ")");
}

void Lowerer::check_member_index(Expr* array, Expr* index)
{
    if (has_fixed_count(array->type) || is_vector(array->type))
        check_index(array, index);
}

// Wraps library calls, so that the function reports where it was called.
void Lowerer::call(Expr& e)
{
    lower_children(&e);
    const Expr* callee = e.a;
    if (!options_.checks || !in_function_ || callee->kind != Kind::Ident || callee->symbol == nullptr ||
        callee->symbol->kind != Symbol::Kind::Function || callee->symbol->is_static)
        return;
    std::string_view name = callee->symbol->name;
    bool is_inline = name == "upc_threadof" || name == "upc_phaseof";
    if ((!name.starts_with("upc_") && !name.starts_with("bupc_")) || is_inline)
        return;
    std::string outer = fresh("outer");
    set(&e, rope("(__extension__ ({ struct bn_check_place ")
                << outer << " __attribute__((cleanup(bn_check_leave))) = bn_check_enter(" << place_in_source(&e)
                << "); " << self(&e) << "; }))");
}

}  // namespace bn::lower
