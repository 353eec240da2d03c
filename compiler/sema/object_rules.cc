// object_rules.cc: the rules of facts 1.6 for objects, and what redeclarations may change.
#include <algorithm>
#include <bit>
#include <map>

#include "sema/attributes.h"
#include "sema/checker.h"

namespace bn::sema {

using diag::Id;

// Attributes about the symbol of an object cannot apply to a shared object, which is a part of the shared segment.
void Checker::check_ineffective(const ast::Specifiers& spec, const ast::Declarator& declarator, const Symbol& symbol)
{
    auto report = [&](Id id, std::initializer_list<const char*> names) {
        for (const char* name : names)
            for (std::span<ast::Attribute> attributes : {spec.attributes, declarator.attributes})
                if (const ast::Attribute* found = find_attribute(attributes, tokens_, name))
                    diags_.report(id, found->name, {text(found->name), symbol.name});
    };
    report(Id::IneffectiveAttribute,
           {"common", "internal_linkage", "nocommon", "noinit", "persistent", "section", "tls_model", "weak"});
    report(Id::SharedAlias, {"alias", "weakref"});  // if it were ignored, the object would be a separate one
    for (const ast::Node* node : declarator.suffix)
        if (tokens_[node->first].kind == lex::Tok::KwAsm)
            diags_.report(Id::IneffectiveAttribute, node->first, {text(node->first), symbol.name});
}

// What may make a private object or a function an alias of a shared object, which is perhaps declared later
void Checker::note_aliases(const ast::Specifiers& spec, const ast::Declarator& declarator)
{
    for (const char* name : {"alias", "weakref"})
        for (std::span<ast::Attribute> attributes : {spec.attributes, declarator.attributes})
            if (const ast::Attribute* found = find_attribute(attributes, tokens_, name);
                found != nullptr && found->args_first <= found->args_last)
                alias_marks_.push_back({found->name, found->args_first});
    bool names_register = std::ranges::any_of(
        spec.storage, [&](lex::TokenIndex token) { return tokens_[token].kind == lex::Tok::KwRegister; });
    for (const ast::Node* node : declarator.suffix)
        if (tokens_[node->first].kind == lex::Tok::KwAsm && !names_register)
            alias_marks_.push_back({node->first, node->first + 2});
}

// An alias of the symbol that stands for a shared object in emitted C would overwrite it.
void Checker::check_aliases()
{
    if (alias_marks_.empty())
        return;
    std::map<std::string_view, const Symbol*> shared_objects;
    for (const Symbol* symbol : symbols_)
        if (symbol != nullptr && symbol->kind == Symbol::Kind::Variable && is_shared(symbol->type))
            shared_objects[symbol->name] = symbol;
    for (const AliasMark& mark : alias_marks_) {
        std::string_view target = text(mark.target);
        bool is_string = target.size() > 2 && target.starts_with('"');
        if (is_string && shared_objects.contains(target.substr(1, target.size() - 2)))
            diags_.report(Id::SharedAlias, mark.word, {text(mark.word), target.substr(1, target.size() - 2)});
    }
}

// C rules that cc cannot check because emitted C does not contain the declaration of a shared object
void Checker::check_plain_rules(const ast::Specifiers& spec, const ast::Declarator& declarator, const Symbol& symbol)
{
    if (!spec.functions.empty())
        diags_.report(Id::FunctionSpecifier, spec.functions.front(), {text(spec.functions.front()), symbol.name});
    QualType element = element_of(symbol.type);
    if (element.quals.is_restrict && !is_pointer(element))
        diags_.report(Id::RestrictShared, range(declarator), {symbol.name});
    if (!std::has_single_bit(std::max<uint64_t>(symbol.align, 1)))
        diags_.report(Id::Alignment, range(declarator), {symbol.name, std::to_string(symbol.align)});
    std::vector<ast::Attribute> asked;
    std::ranges::copy_if(spec.attributes, std::back_inserter(asked),
                         [&](const ast::Attribute& attribute) { return is_alignas(attribute); });
    uint64_t align = requested_alignment(asked);
    // the alignment of a struct is checked by cc, which knows all pragmas
    uint64_t own = is_record(element) ? 1 : align_of(symbol.type, options_.machine.largest_alignment);
    if (std::has_single_bit(align) && align < own)
        diags_.report(Id::AlignmentReduced, range(declarator),
                      {text(asked.front().name), symbol.name, std::to_string(align), std::to_string(own)});
}

void Checker::check_object(ast::Declaration& decl, ast::InitDeclarator& init, Symbol& symbol)
{
    ast::Declarator& declarator = *init.declarator;
    const ast::Specifiers& spec = *decl.specifiers;
    QualType spelt = symbol.kind == Symbol::Kind::Typedef ? symbol.type.type->base : symbol.type;
    bool has_threads_error = !check_threads_in_type(&declarator, declarator, spelt);
    if (symbol.kind == Symbol::Kind::Typedef) {
        if (element_of(symbol.type).quals.layout == Layout::Star)
            diags_.report(Id::StarTypedef, range(declarator), {symbol.name});
        if (init.init != nullptr && touches_shared(spelt))
            diags_.report(Id::TypedefInitialised, range(declarator), {symbol.name});
        return;
    }
    bool is_private_array = is_array(symbol.type) && !is_shared(symbol.type);
    if (is_private_array && symbol.at_file_scope && is_dynamic()) {
        // only dimensions written in this declaration
        for (QualType t = symbol.type; t.type->kind == TypeKind::Array; t = t.type->base)
            if (t.type->size != nullptr && dimension(t.type->size) && dimension(t.type->size)->by_threads)
                diags_.report(Id::ThreadsPrivate, range(declarator), {symbol.name});
    }
    if (symbol.kind != Symbol::Kind::Variable || !is_shared(symbol.type)) {
        note_aliases(spec, declarator);
        return;
    }
    if (spec.is_thread_local) {
        diags_.report(Id::SharedThreadLocal, range(declarator), {symbol.name});
        return;
    }
    bool is_automatic = std::ranges::any_of(spec.storage, [&](lex::TokenIndex storage) {
        return tokens_[storage].kind == lex::Tok::KwAuto || tokens_[storage].kind == lex::Tok::KwRegister;
    });
    if (is_automatic || (!symbol.at_file_scope && !spec.is_static && !spec.is_extern)) {
        diags_.report(Id::SharedAutomatic, range(declarator), {symbol.name});
        return;
    }
    if (!symbol.at_file_scope && spec.is_extern && init.init != nullptr)
        diags_.report(Id::ExternInitialised, range(declarator), {symbol.name});
    check_ineffective(spec, declarator, symbol);
    check_plain_rules(spec, declarator, symbol);
    std::optional<Size> size = size_of(symbol.type);
    if (size && size->bytes > INT64_MAX)
        diags_.report(Id::SharedArrayTooLarge, range(declarator), {quote(declarator)});
    if (is_array(symbol.type) && !has_threads_error)
        check_shared_array(declarator, symbol, spec.is_extern && init.init == nullptr);
}

// Checks a redeclaration with linkage: layouts must agree, which cc cannot see; an earlier size is kept.
void Checker::check_redeclaration(const ast::Declarator& declarator, Symbol& symbol, const Symbol* previous)
{
    if (previous == nullptr || previous->kind != symbol.kind || !(previous->at_file_scope || previous->is_extern))
        return;
    bool is_typedef = symbol.kind == Symbol::Kind::Typedef;
    QualType old = is_typedef ? previous->type.type->base : previous->type;
    QualType now = is_typedef ? symbol.type.type->base : symbol.type;
    if (!(touches_shared(old) || touches_shared(now)) || element_of(now).quals.layout == Layout::Star)
        return;
    Quals had = element_of(old).quals;
    Quals has = element_of(now).quals;
    bool is_object = symbol.kind == Symbol::Kind::Variable && is_shared(now);
    bool differ_quals = is_shared(now) && !same_qualifiers(had, has);
    if (!compatible(old, now) || differ_quals)
        diags_.report(Id::ConflictingTypes, range(declarator), {symbol.name, quote(now), quote(old)});
    else if (is_object && symbol.is_static != previous->is_static && !(symbol.is_extern && previous->is_static))
        diags_.report(Id::ConflictingLinkage, range(declarator), {symbol.name});
    else if (is_object && symbol.has_initialiser && previous->has_initialiser)
        diags_.report(Id::InitialisedTwice, range(declarator), {symbol.name});
    else {
        symbol.has_initialiser |= previous->has_initialiser;
        symbol.is_static |= previous->is_static && is_object;
        if (is_array(now) && !kind_of(now)->has_count && !is_typedef)
            symbol.type = previous->type;
        return;
    }
    diags_.report(Id::PreviousDeclaration, previous->token, {symbol.name, quote(old)});
}

}  // namespace bn::sema
