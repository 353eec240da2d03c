// parse_decl.cc: the translation unit, declarations and function definitions (C11 6.7, 6.9).
#include "ast/setjmp.h"
#include "parse/parser.h"

namespace bn::parse {

using diag::Id;

Parser::Parser(const lex::TokenList& tokens, ast::Arena& arena, diag::Diagnostics& diagnostics, const Options& options)
    : list_(tokens), arena_(arena), diagnostics_(diagnostics), options_(options),
      end_(static_cast<TokenIndex>(tokens.tokens.size() - 1)), scopes_(tokens.names.size()), taint_(tokens)
{
}

// translation-unit: external-declaration*
ast::Unit* Parser::run()
{
    unit_ = arena_.make<ast::Unit>();
    unit_->uses_upc = list_.has_upc_keyword || !list_.pragmas.empty();
    for (const lex::Undecided& word : list_.old_words)
        if (!options_.old_words)
            diagnostics_.report(Id::OldWord, word.token, {list_.text(word.token), lex::spelling(word.keyword)});
    if (unit_->uses_upc)
        taint_setjmp();
    note_pragmas_here();
    while (!at(Tok::End) && !diagnostics_.gave_up()) {
        unit_->decls.push_back(parse_external_declaration());
        note_pragmas_here();
    }
    return unit_;
}

// A function without UPC may call others that a longjmp leaves, so its setjmp is lowered (lower/forall.cc).
void Parser::taint_setjmp()
{
    for (uint32_t name = 0; name < list_.names.size(); ++name)
        if (ast::is_setjmp(list_.names[name]))
            taint_.add(name);
}

// external-declaration: function-definition | declaration | ";" | asm-definition
ast::Node* Parser::parse_external_declaration()
{
    const TokenIndex first = pos_;
    declaration_first_ = first;
    reporting_ = Reporting::Unknown;
    taint_end_ = 0;
    declared_.clear();
    const size_t scope = scopes_.open();
    ast::Node* node = parse_declaration();
    if (panic_) {
        scopes_.close(scope);
        return abandon_declaration(first);
    }
    taint_declaration(first, taint_end_ != 0 ? taint_end_ : pos_);
    return node;
}

// Recovers after an external declaration that the parser could not read.
ast::Node* Parser::abandon_declaration(TokenIndex first)
{
    if (abandoned_)
        unit_->abandoned++;
    panic_ = false;
    abandoned_ = false;
    in_body_ = false;
    children_.clear();
    pos_ = first;
    do
        pos_ = end_of_declaration(pos_);
    while (pos_ <= error_pos_ && pos_ < end_);
    register_typedefs(first, pos_);
    taint_declaration(first, pos_);
    return finish(make<ast::OpaqueDecl>(), Kind::Opaque, first, 0);
}

// Registers the names that a typedef with a syntax error seems to declare: those before ',', ';', '[', '(' or an
// attribute, outside brackets, and those in "(*name)".
void Parser::register_typedefs(TokenIndex first, TokenIndex end)
{
    bool is_typedef = false;
    uint32_t depth = 0;
    for (TokenIndex index = first; index < end; index++) {
        Tok next = kind_at(index + 1);
        switch (kind_at(index)) {
        case Tok::KwTypedef: is_typedef |= depth == 0; break;
        case Tok::LBrace:
        case Tok::LParen:
        case Tok::LBracket: depth++; break;
        case Tok::RBrace:
        case Tok::RParen:
        case Tok::RBracket: depth -= depth > 0; break;
        case Tok::Identifier: {
            bool ends_declarator = next == Tok::Comma || next == Tok::Semicolon || next == Tok::LBracket ||
                                   next == Tok::LParen || next == Tok::KwAttribute;
            bool is_pointer_name = depth == 1 && kind_at(index - 1) == Tok::Star && next == Tok::RParen;
            if (is_typedef && ((depth == 0 && ends_declarator) || is_pointer_name))
                declare(index, true);
            break;
        }
        default: break;
        }
    }
}

void Parser::taint_declaration(TokenIndex first, TokenIndex end)
{
    if (!taint_.touches(first, end))
        return;
    unit_->uses_upc |= !list_[first].in_system_header;
    for (uint32_t name : declared_)
        taint_.add(name);
}

// declaration: declaration-specifiers init-declarator-list(opt) ";" | static-assert-declaration
// function-definition: declaration-specifiers declarator declaration-list(opt) compound-statement
// GNU: asm-definition, "__label__ a, b;", stray semicolons; types may be left out outside of functions
ast::Node* Parser::parse_declaration()
{
    const TokenIndex first = pos_;
    const size_t mark = children_.size();
    const size_t declarators = declarators_.size();
    if (at(Tok::KwStaticAssert))
        return parse_static_assert();
    if (at(Tok::Semicolon) || at(Tok::KwAsm) || at(Tok::KwLabel))
        return parse_opaque_until_semicolon();
    ast::Specifiers* specifiers = child(parse_specifiers());
    if (!specifiers->base.empty() && specifiers->is_typedef && at(Tok::Semicolon) && specifiers->base.size() > 1) {
        // "typedef float _Float32;" in headers for compilers that do not know the name
        advance();
        children_.resize(mark);
        return finish(make<ast::OpaqueDecl>(), Kind::Opaque, first, mark);
    }
    while (!at(Tok::Semicolon)) {
        if (kind() == Tok::RBrace || (pos_ == first && !at(Tok::Identifier) && !at(Tok::Star) && !at(Tok::LParen))) {
            fail(Id::ExpectedDeclaration, {describe(pos_)});
            break;
        }
        ast::Declarator* declarator = parse_declarator(DeclaratorMode::Named);
        if (declarators_.size() == declarators && starts_function_definition(*declarator))
            return parse_function_definition(specifiers, declarator, first, mark);
        declarators_.push_back(child(parse_init_declarator(declarator, specifiers->is_typedef)));
        if (!accept(Tok::Comma))
            break;
        if (at(Tok::Semicolon))
            fail_expected("a declarator");
    }
    expect_semicolon();
    ast::Declaration* declaration = make<ast::Declaration>();
    declaration->specifiers = specifiers;
    declaration->declarators = take(declarators_, declarators);
    return finish(declaration, Kind::Declaration, first, mark);
}

ast::Node* Parser::parse_opaque_until_semicolon()
{
    const TokenIndex first = pos_;
    const size_t mark = children_.size();
    while (!at(Tok::Semicolon) && !at(Tok::End) && !at(Tok::LBrace) && !at(Tok::RBrace))
        advance();
    expect_semicolon();
    return finish(make<ast::OpaqueDecl>(), Kind::Opaque, first, mark);
}

// static-assert-declaration: _Static_assert "(" constant-expression ("," string-literal)(opt) ")" ";"
ast::Node* Parser::parse_static_assert()
{
    const TokenIndex first = advance();
    const size_t mark = children_.size();
    ast::StaticAssertDecl* node = make<ast::StaticAssertDecl>();
    expect(Tok::LParen);
    node->condition = child(parse_conditional());
    if (accept(Tok::Comma)) {
        while (accept(Tok::String)) {
        }
    }
    expect(Tok::RParen);
    expect_semicolon();
    return finish(node, Kind::StaticAssert, first, mark);
}

// init-declarator: declarator | declarator "=" initializer
ast::InitDeclarator* Parser::parse_init_declarator(ast::Declarator* declarator, bool is_typedef)
{
    const size_t mark = children_.size();
    ast::InitDeclarator* node = make<ast::InitDeclarator>();
    node->declarator = child(declarator);
    declare(declarator->name, is_typedef);
    if (at(Tok::Equal)) {
        node->equal = advance();
        node->init = child(parse_initializer());
    }
    return finish(node, Kind::InitDeclarator, declarator->first, mark);
}

bool Parser::starts_function_definition(const ast::Declarator& declarator) const
{
    if (declarator.parts.empty() || declarator.parts[0].kind != ast::DeclaratorPart::Kind::Function)
        return false;
    return at(Tok::LBrace) || (!declarator.parts[0].kr_names.empty() && starts_declaration(pos_));
}

// The declarator is not among the children yet; declaration-list: declaration+ of K&R parameters
ast::Node* Parser::parse_function_definition(ast::Specifiers* specifiers, ast::Declarator* declarator, TokenIndex first,
                                             size_t mark)
{
    ast::FunctionDef* function = make<ast::FunctionDef>();
    function->specifiers = specifiers;
    function->declarator = child(declarator);
    declare(declarator->name, false);
    const size_t scope = scopes_.open();
    const bool was_in_body = in_body_;
    in_body_ = true;
    declare_parameters(*declarator);
    const size_t declarations = kr_declarations_.size();
    while (!at(Tok::LBrace) && starts_declaration(pos_)) {
        ast::Node* node = child(parse_declaration());
        if (node->kind != Kind::Declaration) {
            fail_expected("'{'");
            break;
        }
        kr_declarations_.push_back(static_cast<ast::Declaration*>(node));
    }
    function->kr_declarations = take(kr_declarations_, declarations);
    if (!was_in_body)
        taint_end_ = pos_;
    parse_function_body(*function, was_in_body ? 0 : first);
    in_body_ = was_in_body;
    scopes_.close(scope);
    return finish(function, Kind::FunctionDef, first, mark);
}

// `first` is the first token of a function at file scope, or 0 for a nested one, whose body is always parsed.
void Parser::parse_function_body(ast::FunctionDef& function, TokenIndex first)
{
    bool is_touched = first == 0 || options_.full_parse || taint_.touches(first, pos_);
    if (!is_touched) {
        Taint::Block block = taint_.scan_block(pos_);
        bool has_pragma = next_pragma_ < list_.pragmas.size() && list_.pragmas[next_pragma_].before <= block.close;
        if (!block.touched && !has_pragma) {
            if (!is_value_function(function, first, block.close) || !parse_value_function(function))
                pos_ = block.close < end_ ? block.close + 1 : end_;
            return;
        }
        unit_->uses_upc |= !list_[first].in_system_header;
    }
    function.body = child(parse_compound());
}

// Whether the body from here to `close` is `{ return expression; }`, in a static function of a UPC program
bool Parser::is_value_function(const ast::FunctionDef& function, TokenIndex first, TokenIndex close) const
{
    constexpr TokenIndex kLongest = 120;  // in tokens
    if (!unit_->uses_upc || !function.specifiers->is_static || list_[first].in_system_header ||
        kind_at(pos_ + 1) != Tok::KwReturn || close - pos_ > kLongest)
        return false;
    TokenIndex index = pos_ + 1;
    while (index < close && kind_at(index) != Tok::Semicolon && kind_at(index) != Tok::LBrace)
        index++;
    return kind_at(index) == Tok::Semicolon && index + 1 == close;
}

// Returns false, with everything unchanged, if the parser does not understand the body.
bool Parser::parse_value_function(ast::FunctionDef& function)
{
    const size_t mark = children_.size();
    function.body = child(parse_compound());
    if (!abandoned_)
        return true;
    children_.resize(mark);
    function.body = nullptr;
    panic_ = abandoned_ = false;
    return false;
}

void Parser::declare_parameters(const ast::Declarator& declarator)
{
    const ast::DeclaratorPart& part = declarator.parts[0];
    for (const ast::ParamDecl* param : part.params) {
        if (param->declarator != nullptr)
            declare(param->declarator->name, false);
    }
    for (TokenIndex name : part.kr_names)
        declare(name, false);
}

// `name` may be 0.
void Parser::declare(TokenIndex name, bool is_typedef)
{
    if (name == 0 || kind_at(name) != Tok::Identifier)
        return;
    scopes_.declare(name_at(name), is_typedef);
    if (!in_body_)
        declared_.push_back(name_at(name));
}

// The index after any number of attributes, of either form, and __extension__
TokenIndex Parser::skip_attributes(TokenIndex index) const
{
    for (;;) {
        if (kind_at(index) == Tok::KwExtension)
            index++;
        else if (kind_at(index) == Tok::KwAttribute && kind_at(index + 1) == Tok::LParen)
            index = skip_parens(index + 1);
        else if (is_bracket_attribute(index))
            index = skip_brackets(index);
        else
            return index;
    }
}

// Whether a type name or a parameter may start with this token
bool Parser::starts_type(TokenIndex index) const
{
    Tok tok = kind_at(index);
    switch (tok) {
    case Tok::Identifier: return scopes_.is_typedef(name_at(index));
    case Tok::KwExtension:
    case Tok::KwAttribute:
    case Tok::LBracket: {
        TokenIndex after = skip_attributes(index);
        return after != index && starts_type(after);
    }
        // clang-format off
    case Tok::KwAuto: case Tok::KwChar: case Tok::KwConst: case Tok::KwDouble: case Tok::KwEnum:
    case Tok::KwExtern: case Tok::KwFloat: case Tok::KwInline: case Tok::KwInt: case Tok::KwLong:
    case Tok::KwRegister: case Tok::KwRestrict: case Tok::KwShort: case Tok::KwSigned: case Tok::KwStatic:
    case Tok::KwStruct: case Tok::KwTypedef: case Tok::KwUnion: case Tok::KwUnsigned: case Tok::KwVoid:
    case Tok::KwVolatile: case Tok::KwAlignas: case Tok::KwAtomic: case Tok::KwBool: case Tok::KwComplex:
    case Tok::KwImaginary: case Tok::KwNoreturn: case Tok::KwThreadLocal: case Tok::KwTypeof:
    case Tok::KwTypeofUnqual: case Tok::KwBitInt: case Tok::KwConstexpr: case Tok::KwAutoType:
    case Tok::KwShared: case Tok::KwStrict: case Tok::KwRelaxed:
        // clang-format on
        return true;
    default: return tok >= Tok::KwInt128 && tok <= Tok::KwVaList;
    }
}

// The same for a declaration, which may start with more tokens
bool Parser::starts_declaration(TokenIndex index) const
{
    TokenIndex after = skip_attributes(index);
    switch (kind_at(after)) {
    case Tok::KwStaticAssert:
    case Tok::KwLabel: return true;
    case Tok::Identifier:
        // An unknown type: sema has a better message for it.
        return scopes_.is_typedef(name_at(after)) || kind_at(after + 1) == Tok::Identifier;
    default: return starts_type(after);
    }
}

// A typedef name before ':' is a label.
bool Parser::at_declaration() const
{
    return !(at(Tok::Identifier) && peek() == Tok::Colon) && starts_declaration(pos_);
}

ast::Unit* parse(const lex::TokenList& tokens, ast::Arena& arena, diag::Diagnostics& diagnostics,
                 const Options& options)
{
    return Parser(tokens, arena, diagnostics, options).run();
}

}  // namespace bn::parse
