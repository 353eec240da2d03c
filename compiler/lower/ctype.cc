// ctype.cc: prints a type as C: shared qualifiers are dropped, every pointer-to-shared is bn_pts_t.
#include <utility>

#include "lower/lowerer.h"
#include "lower/restored.h"

namespace bn::lower {

using namespace sema;

namespace {

std::string c_quals(ast::Quals quals)
{
    std::string out;
    if (quals.is_const)
        out += "const ";
    if (quals.is_volatile)
        out += "volatile ";
    if (quals.is_restrict)
        out += "restrict ";
    if (quals.is_atomic)
        out += "_Atomic ";
    return out;
}

// Whether a "*" before a declarator of this type needs parentheses, also where it has a name that is not emitted
bool needs_parentheses(QualType type)
{
    TypeKind k = kind(type);
    return k == TypeKind::Array || k == TypeKind::Function;
}

}  // namespace

// A piece of the source that is part of a type: as text without lines where the type is printed away from its
// declaration, because the line of the declaration would be that of messages about the rest of the expression.
Rope Lowerer::part_of_type(Node* part)
{
    lower(part);
    Rope out = rope();
    if (!is_away_ || part->touched)
        return out << part;
    for (lex::TokenIndex token = part->first; token <= part->last; ++token)
        out << (token == part->first ? "" : " ") << text(token);
    return out;
}

// Emitted C does not declare typedef names of shared objects; a typedef name that is local to a function or hidden
// cannot be relied on.
bool Lowerer::has_name_in_c(QualType type) const
{
    const Type* t = type.type;
    bool is_local = t->in_function && (t->align == 0 || outside_) && !kind_of(type)->is_vla;
    return !is_shared(t->base) && !t->is_shadowed && !is_local;
}

// "base quals inner": inner is the declarator built so far
Rope Lowerer::c_declaration(QualType type, Rope inner)
{
    const Type* t = type.type;
    auto with_base = [&](const Rope& base) {
        Rope out = rope(c_quals(type.quals)) << base;
        if (!inner.empty())
            out << " " << inner;
        return out;
    };
    switch (t->kind) {
    case TypeKind::Typedef:
        if (!has_name_in_c(type)) {
            do
                type = desugar(type);
            while (type.type->kind == TypeKind::Typedef && !has_name_in_c(type));
            return c_declaration(type, inner);
        }
        if (is_pts(type))
            type.quals.is_restrict = false;
        return with_base(rope(t->name));
    case TypeKind::Typeof:
        if (t->typeof_expr == nullptr || touches_shared(t->base))
            return c_declaration(desugar(type), inner);
        return with_base(rope("__typeof__(") << part_of_type(t->typeof_expr) << ")");
    case TypeKind::Pointer: {
        if (is_shared(t->base)) {
            type.quals.is_restrict = false;
            return with_base(rope("bn_pts_t"));
        }
        Rope star = rope("*") << c_quals(type.quals) << inner;
        if (needs_parentheses(t->base))
            star = rope("(") << star << ")";
        return c_declaration(t->base, star);
    }
    case TypeKind::Array: {
        inner << "[";
        if (t->has_count && !t->by_threads) {
            inner << t->count;
        } else if (t->size != nullptr) {
            lower(t->size);
            inner << t->size;
        }
        return c_declaration(canonical(type).type->base, inner << "]");
    }
    case TypeKind::Function: {
        inner << "(";
        bool first = true;
        for (ast::ParamDecl* param : t->param_decls) {
            if (!first)
                inner << ", ";
            first = false;
            inner << part_of_type(param);
        }
        if (t->is_variadic)
            inner << ", ...";
        return c_declaration(t->base, inner << ")");
    }
    case TypeKind::Record:
        if (!t->record->alias.empty())
            return with_base(rope(t->record->alias));
        note_tag(*t->record);
        return with_base(rope(t->record->is_union ? "union " : "struct ") << t->record->tag);
    case TypeKind::Enum:
        if (t->is_shadowed || t->name.starts_with("bn_anonymous_"))
            return with_base(rope(keyword_name(t->base.type->kind)));
        return with_base(rope("enum ") << t->name);
    case TypeKind::Complex: return with_base(rope("_Complex ") << c_type(t->base));
    case TypeKind::Vector:
        if (t->vector_count != 0)
            return with_base(rope("__attribute__((ext_vector_type(") << t->vector_count << "))) " << c_type(t->base));
        return with_base(rope("__attribute__((vector_size(") << t->vector_bytes << "))) " << c_type(t->base));
    case TypeKind::BitInt:
    case TypeKind::OtherFloat: return with_base(rope(t->name));
    default: return with_base(rope(keyword_name(t->kind)));
    }
}

Rope Lowerer::c_pointer(QualType target)
{
    Restored away(is_away_, true);
    return c_declaration(target, rope(needs_parentheses(target) ? "(*)" : "*"));
}

Rope Lowerer::value_declaration(QualType type, const std::string& name)
{
    while ((type.type->kind == TypeKind::Typedef || type.type->kind == TypeKind::Typeof) &&
           (type.type->base.quals.is_const || type.type->base.quals.is_volatile || type.type->base.quals.is_atomic))
        type = desugar(type);
    type.quals = ast::Quals{};
    Restored away(is_away_, true);
    return c_declaration(type, rope(name));
}

}  // namespace bn::lower
