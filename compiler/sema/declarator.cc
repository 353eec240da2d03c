// declarator.cc: turns declarators into types.
#include "sema/attributes.h"
#include "sema/checker.h"

namespace bn::sema {

using ast::DeclaratorPart;
using diag::Id;

void Checker::check_pointer_target(const DeclaratorPart& part, QualType target)
{
    Quals quals = element_of(target).quals;
    if (!quals.is_shared || quals.layout == Layout::Default)
        return;
    if (quals.layout == Layout::Star)
        diags_.report(Id::StarPointer, part.first);
    else if (is_void(target))
        diags_.report(Id::LayoutVoid, part.first, {quote(target)});
}

QualType Checker::array_type(DeclaratorPart& part, QualType element)
{
    Type* type = make_type(TypeKind::Array);
    if (is_shared(element) && (is_incomplete(element) || is_function(element))) {
        diags_.report(Id::ArrayOfIncomplete, {part.first, part.last, part.first}, {quote(element)});
        element = {basic(TypeKind::Int).type, element_of(element).quals};
    }
    type->base = element;
    type->size = part.size;
    if (part.is_star)
        type->is_vla = true;
    if (part.size == nullptr)
        return {type, Quals{}};
    expr(part.size);
    std::optional<Constant> size = dimension(part.size);
    bool is_private_by_threads = size && size->by_threads && !is_shared(element);  // becomes an array if made shared
    if (!size || (is_private_by_threads && size->value <= 0)) {
        type->is_vla = true;
        return {type, Quals{}};
    }
    // Array sizes of plain C are checked by cc: attributes and options may lay out structs in ways that are not known
    // here.
    if (is_shared(element) && (size->value < 0 || (size->by_threads && size->value == 0)))
        diags_.report(Id::ArraySizeNegative, range(*part.size), {quote(*part.size)});
    if (is_shared(element))
        note_reckoned(part.size);
    type->is_vla = is_private_by_threads;
    type->has_count = !is_private_by_threads;
    type->count = static_cast<uint64_t>(std::clamp<__int128>(size->value, 0, UINT64_MAX));
    type->by_threads = size->by_threads;
    return {type, Quals{}};
}

// UPC qualifiers in [ ] that have no pointer to qualify
void Checker::check_brackets(const DeclaratorPart& part)
{
    for (const ast::QualifierToken& qualifier : part.qualifiers)
        if (qualifier.tok == lex::Tok::KwShared || qualifier.tok == lex::Tok::KwStrict ||
            qualifier.tok == lex::Tok::KwRelaxed)
            diags_.report(Id::QualifierInBrackets, qualifier.token, {text(qualifier.token)});
}

// Qualifiers in the brackets of an array parameter belong to the pointer (C11 6.7.6.3p7).
QualType Checker::adjust_parameter(const ast::Declarator* declarator, QualType type)
{
    QualType plain = canonical(type);
    if (plain.type->kind == TypeKind::Array) {
        QualType pointer = pointer_to(plain.type->base);
        bool has_layout = false;
        if (declarator != nullptr && !declarator->parts.empty())
            pointer.quals = qualifiers(declarator->parts[0].qualifiers, nullptr, &has_layout);
        return pointer;
    }
    if (plain.type->kind == TypeKind::Function)
        return pointer_to(type);
    return type;
}

// The type of a parameter, declared in a prototype or (C11 6.9.1p6) before the body
QualType Checker::parameter_type(const ast::Specifiers& spec, ast::Declarator* declarator, QualType base,
                                 const ast::Node& where)
{
    QualType written = declared_type(declarator, base, true);
    QualType type = adjust_parameter(declarator, written);
    if (is_array(written) && element_of(written).quals.is_shared && element_of(written).quals.layout == Layout::Star)
        diags_.report(Id::StarPointer, range(where));
    else if (is_shared(type))
        diags_.report(Id::SharedParameter, range(where), {quote(type)});
    refuse_definition(spec, type);
    check_threads_in_type(declarator, where, type);
    return type;
}

void Checker::parameter(ast::ParamDecl& param)
{
    Specified base = specifiers(*param.specifiers);
    QualType type = parameter_type(*param.specifiers, param.declarator, base.type, param);
    if (param.declarator != nullptr && param.declarator->name != 0) {
        Symbol* symbol = declare(param.declarator->name, Symbol::Kind::Variable, type);
        symbol->is_parameter = true;
        symbol->at_file_scope = false;
        param.symbol = symbol;
    } else {
        Symbol* symbol = arena_.make<Symbol>();
        symbol->type = type;
        symbol->is_parameter = true;
        param.symbol = symbol;
    }
}

QualType Checker::function_type(DeclaratorPart& part, QualType result)
{
    Type* type = make_type(TypeKind::Function);
    type->base = result;
    type->is_variadic = part.is_variadic;
    type->has_prototype = !part.is_kr;
    type->param_decls = part.params;
    push_scope();
    std::vector<QualType> params;
    for (ast::ParamDecl* param : part.params) {
        parameter(*param);
        params.push_back(param->symbol->type);
    }
    pop_scope();
    if (params.size() == 1 && is_void(params[0]) && part.params[0]->symbol->name.empty())
        params.clear();
    type->params = arena_.copy(params);
    return {type, Quals{}};
}

QualType Checker::declared_type(ast::Declarator* declarator, QualType base, bool is_parameter)
{
    QualType type = base;
    if (declarator == nullptr)
        return type;
    for (size_t i = declarator->parts.size(); i-- > 0;) {
        DeclaratorPart& part = declarator->parts[i];
        switch (part.kind) {
        case DeclaratorPart::Kind::Pointer: {
            check_pointer_target(part, type);
            QualType pointer = pointer_to(type);
            bool has_layout = false;
            pointer.quals = qualifiers(part.qualifiers, nullptr, &has_layout);
            check_atomic({part.first, part.last, part.first}, pointer);
            type = pointer;
            break;
        }
        case DeclaratorPart::Kind::Array:
            if (!is_parameter || i != 0)
                check_brackets(part);
            type = array_type(part, type);
            break;
        case DeclaratorPart::Kind::Function:
            if (is_shared(type)) {
                diags_.report(Id::SharedReturn, range(*declarator), {quote(type)});
                type = unknown();
            }
            type = function_type(part, type);
            break;
        }
    }
    type = apply_mode(declarator->attributes, type);
    return type;
}

}  // namespace bn::sema
