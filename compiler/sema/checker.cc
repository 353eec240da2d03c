#include "sema/checker.h"

#include <algorithm>
#include <array>

namespace bn::sema {

namespace {

// One type for each kind that needs no further data; the tree refers to them after the checker is gone.
std::array<Type, static_cast<size_t>(TypeKind::Typeof) + 1> make_basic_types()
{
    std::array<Type, static_cast<size_t>(TypeKind::Typeof) + 1> types;
    for (size_t i = 0; i < types.size(); ++i)
        types[i].kind = static_cast<TypeKind>(i);
    return types;
}

Type make_unsigned_char()
{
    Type type;
    type.kind = TypeKind::Char;
    type.has_no_sign = true;
    return type;
}

}  // namespace

QualType Checker::basic(TypeKind kind) const
{
    static const std::array<Type, static_cast<size_t>(TypeKind::Typeof) + 1> types = make_basic_types();
    static const Type unsigned_char = make_unsigned_char();
    if (kind == TypeKind::Char && options_.machine.char_is_unsigned)
        return {&unsigned_char, Quals{}};
    return {&types[static_cast<size_t>(kind)], Quals{}};
}

Checker::Checker(ast::Unit& unit, const lex::TokenList& tokens, ast::Arena& arena, diag::Diagnostics& diags,
                 const Options& options)
    : unit_(unit), tokens_(tokens), arena_(arena), diags_(diags), options_(options), symbols_(tokens.names.size()),
      tags_(tokens.names.size()), tag_scope_(tokens.names.size())
{
    scopes_.push_back(0);
}

Analysis check(ast::Unit& unit, const lex::TokenList& tokens, ast::Arena& arena, diag::Diagnostics& diags,
               const Options& options)
{
    Checker checker(unit, tokens, arena, diags, options);
    return checker.run();
}

Analysis Checker::run()
{
    for (ast::Node* decl : unit_.decls) {
        if (diags_.gave_up())
            break;
        pragmas_before(decl->first);
        statement(decl);
    }
    complete_open_arrays();
    check_aliases();
    return std::move(analysis_);
}

void Checker::push_scope()
{
    scopes_.push_back(bindings_.size());
}

void Checker::pop_scope()
{
    while (bindings_.size() > scopes_.back()) {
        const Binding& binding = bindings_.back();
        if (binding.is_tag)
            tags_[binding.name] = binding.tag;
        else
            symbols_[binding.name] = binding.symbol;
        bindings_.pop_back();
    }
    scopes_.pop_back();
}

Symbol* Checker::declare(lex::TokenIndex token, Symbol::Kind kind, QualType type)
{
    uint32_t name = tokens_[token].name;
    if (const Symbol* outer = symbols_[name];
        outer != nullptr && outer->kind == Symbol::Kind::Typedef && scopes_.size() > 1) {
        outer->type.type->is_shadowed = true;
        if (is_record(outer->type) && kind_of(outer->type)->record->alias == outer->name)
            kind_of(outer->type)->record->is_shadowed = true;
    }
    bindings_.push_back({name, symbols_[name], nullptr, false});
    Symbol* symbol = arena_.make<Symbol>();
    symbol->kind = kind;
    symbol->name = text(token);
    symbol->emitted = symbol->name;
    symbol->type = type;
    symbol->token = token;
    symbol->before = symbols_[name];
    symbol->at_file_scope = scopes_.size() == 1;
    symbols_[name] = symbol;
    return symbol;
}

Symbol* Checker::lookup(lex::TokenIndex token) const
{
    return symbols_[tokens_[token].name];
}

// Whether the innermost scope has declared the name
bool Checker::is_in_scope(lex::TokenIndex token) const
{
    uint32_t name = tokens_[token].name;
    return std::any_of(bindings_.begin() + static_cast<ptrdiff_t>(scopes_.back()), bindings_.end(),
                       [name](const Binding& binding) { return binding.name == name && !binding.is_tag; });
}

// The type of struct S, union S or enum S from the innermost scope that has the tag; a definition creates one in this
// scope.
Type* Checker::tag_type(lex::TokenIndex tag, TypeKind kind, bool is_definition, bool is_union)
{
    uint32_t name = tag != 0 ? tokens_[tag].name : 0;
    if (tag != 0 && tags_[name] != nullptr && tags_[name]->kind == kind &&
        (!is_definition || tag_scope_[name] == scopes_.size()))
        return tags_[name];
    if (tag != 0 && tags_[name] != nullptr) {
        tags_[name]->is_shadowed = true;
        if (tags_[name]->record != nullptr)
            tags_[name]->record->is_shadowed = true;
    }
    Type* type = make_type(kind);
    if (kind == TypeKind::Record) {
        type->record = arena_.make<Record>();
        type->record->is_union = is_union;
        type->record->is_anonymous = tag == 0;
        type->record->in_function = function_ != nullptr;
        type->record->tag = tag != 0 ? text(tag) : intern("bn_anonymous_" + std::to_string(++anonymous_));
    } else {
        type->name = tag != 0 ? text(tag) : intern("bn_anonymous_" + std::to_string(++anonymous_));
        type->base = basic(TypeKind::UInt);
    }
    if (tag != 0) {
        bindings_.push_back({name, nullptr, tags_[name], true});
        tags_[name] = type;
        tag_scope_[name] = scopes_.size();
    }
    return type;
}

QualType Checker::pointer_to(QualType target)
{
    Type* type = make_type(TypeKind::Pointer);
    type->base = target;
    return {type, Quals{}};
}

// Points at the operator of a binary expression and underlines the whole expression.
diag::Range Checker::range(const ast::Expr& e) const
{
    lex::TokenIndex at = e.first;
    if ((e.kind == ast::Kind::Binary || e.kind == ast::Kind::Assign) && e.name != 0)
        at = e.name;
    return {e.first, e.last, at};
}

// The text of a node for a message: a single line of limited length
std::string Checker::quote(const ast::Node& node) const
{
    constexpr size_t kLongest = 60;
    std::string words = "'";
    uint32_t end = tokens_[node.first].offset;
    for (lex::TokenIndex i = node.first; i <= node.last; ++i) {
        if (tokens_[i].offset != end && i != node.first)
            words += ' ';
        words += text(i);
        end = tokens_[i].offset + tokens_[i].length;
        if (words.size() > kLongest)
            return words.substr(0, kLongest) + "...'";
    }
    return words + "'";
}

void Checker::pragmas_before(lex::TokenIndex token)
{
    for (; next_pragma_ < unit_.pragmas.size() && unit_.pragmas[next_pragma_].before <= token; ++next_pragma_) {
        lex::PragmaKind kind = unit_.pragmas[next_pragma_].kind;
        if (kind == lex::PragmaKind::Strict || kind == lex::PragmaKind::Relaxed)
            strict_ = kind == lex::PragmaKind::Strict;
    }
}

}  // namespace bn::sema
