// parse_declarator.cc: declarators and parameters (C11 6.7.6, 6.7.7).
//
// The parts of a declarator are collected from the name outwards: the suffixes first, then the pointers from right to
// left; a declarator in parentheses comes before all of them.
#include "parse/parser.h"

namespace bn::parse {

using Part = ast::DeclaratorPart;

// declarator, abstract-declarator: null if it is abstract and has no tokens
ast::Declarator* Parser::parse_declarator(DeclaratorMode mode)
{
    const TokenIndex first = pos_;
    const size_t mark = children_.size();
    const size_t parts = parts_.size();
    const size_t attributes = attributes_.size();
    ast::Declarator* declarator = make<ast::Declarator>();
    parse_declarator_parts(*declarator, mode);
    if (mode != DeclaratorMode::Abstract)
        parse_declarator_suffix(*declarator);
    if (parts_.size() - parts > max_nesting())  // a type nests as deep as its declarator is long
        fail_nesting(max_nesting());
    declarator->parts = take(parts_, parts);
    declarator->attributes = take(attributes_, attributes);
    if (pos_ == first && mode != DeclaratorMode::Named)
        return nullptr;
    return finish(declarator, Kind::Declarator, first, mark);
}

// declarator: (pointer | attribute)* direct-declarator
void Parser::parse_declarator_parts(ast::Declarator& declarator, DeclaratorMode mode)
{
    Nesting nesting(*this);
    const size_t pointers = pointers_.size();
    for (;;) {
        if (at(Tok::Star))
            parse_pointer();
        else if (at(Tok::KwAttribute))
            child(parse_attribute_list());
        else if (!accept(Tok::KwExtension))
            break;
    }
    if (at(Tok::Identifier) && mode != DeclaratorMode::Abstract) {
        declarator.name = advance();
    } else if (at(Tok::LParen) && opens_nested_declarator(mode)) {
        advance();
        parse_declarator_parts(declarator, mode);
        expect(Tok::RParen);
    } else if (mode == DeclaratorMode::Named) {
        fail_expected("an identifier or '('");
    }
    for (;;) {
        if (at_bracket_attribute())
            child(parse_attribute_list());
        else if (at(Tok::LBracket))
            parse_array_part();
        else if (at(Tok::LParen))
            parse_function_part();
        else
            break;
    }
    for (; pointers_.size() > pointers; pointers_.pop_back())
        parts_.push_back(pointers_.back());
}

// asm-label(opt) attribute*
void Parser::parse_declarator_suffix(ast::Declarator& declarator)
{
    const size_t nodes = attribute_nodes_.size();
    while (at(Tok::KwAsm) || at(Tok::KwAttribute) || at_bracket_attribute())
        attribute_nodes_.push_back(child(at(Tok::KwAsm) ? parse_asm_label() : parse_attribute_list()));
    declarator.suffix = take(attribute_nodes_, nodes);
}

// pointer: "*" (type-qualifier | attribute)*
void Parser::parse_pointer()
{
    const size_t qualifiers = qualifiers_.size();
    const size_t attributes = attributes_.size();
    Part part{};
    part.kind = Part::Kind::Pointer;
    part.first = advance();
    for (;;) {
        if (at(Tok::KwAttribute) || at_bracket_attribute())
            child(parse_attribute_list());
        else if (!parse_qualifier())
            break;
    }
    part.last = pos_ - 1;
    part.qualifiers = take(qualifiers_, qualifiers);
    part.attributes = take(attributes_, attributes);
    pointers_.push_back(part);
}

// At '(': whether it opens a declarator rather than a parameter list
bool Parser::opens_nested_declarator(DeclaratorMode mode) const
{
    if (mode == DeclaratorMode::Named)
        return true;
    TokenIndex index = skip_attributes(pos_ + 1);
    switch (kind_at(index)) {
    case Tok::Star:
    case Tok::LParen:
    case Tok::LBracket: return true;
    case Tok::Identifier: return mode == DeclaratorMode::Either && !at_typedef_name(index);
    default: return false;
    }
}

// "[" (type-qualifier | "static")* (assignment-expression | "*")(opt) "]"
void Parser::parse_array_part()
{
    const size_t qualifiers = qualifiers_.size();
    Part part{};
    part.kind = Part::Kind::Array;
    part.first = advance();
    for (;;) {
        if (accept(Tok::KwStatic))
            part.is_static = true;
        else if (!parse_qualifier())
            break;
    }
    if (at(Tok::Star) && peek() == Tok::RBracket) {
        advance();
        part.is_star = true;
    } else if (!at(Tok::RBracket)) {
        part.size = child(parse_assignment());
    }
    expect(Tok::RBracket);
    part.last = pos_ - 1;
    part.qualifiers = take(qualifiers_, qualifiers);
    parts_.push_back(part);
}

// "(" parameter-type-list ")" | "(" identifier-list(opt) ")"
void Parser::parse_function_part()
{
    Part part{};
    part.kind = Part::Kind::Function;
    part.first = advance();
    bool is_identifier_list =
        at(Tok::Identifier) && !at_typedef_name(pos_) && (peek() == Tok::Comma || peek() == Tok::RParen);
    if (at(Tok::RParen)) {
        part.is_kr = true;
    } else if (is_identifier_list) {
        const size_t names = kr_names_.size();
        part.is_kr = true;
        do
            kr_names_.push_back(expect_identifier());
        while (accept(Tok::Comma));
        part.kr_names = take(kr_names_, names);
    } else {
        parse_parameters(part);
    }
    expect(Tok::RParen);
    part.last = pos_ - 1;
    parts_.push_back(part);
}

// parameter-type-list: parameter-declaration ("," parameter-declaration)* ("," "...")(opt)
// GNU: parameters declared before a ';' are declared again after it
void Parser::parse_parameters(Part& part)
{
    const size_t scope = scopes_.open();
    const bool was_in_body = in_body_;
    in_body_ = true;
    const size_t params = params_.size();
    for (;;) {
        if (accept(Tok::Ellipsis)) {
            part.is_variadic = true;
            break;
        }
        params_.push_back(child(parse_parameter()));
        if (at(Tok::Semicolon))
            params_.resize(params);
        if (!accept(Tok::Comma) && !accept(Tok::Semicolon))
            break;
    }
    part.params = take(params_, params);
    in_body_ = was_in_body;
    scopes_.close(scope);
}

// parameter-declaration: declaration-specifiers (declarator | abstract-declarator)(opt)
ast::ParamDecl* Parser::parse_parameter()
{
    const TokenIndex first = pos_;
    const size_t mark = children_.size();
    ast::ParamDecl* param = make<ast::ParamDecl>();
    param->specifiers = child(parse_specifiers());
    if (pos_ == first)
        fail_expected("a parameter");
    param->declarator = child(parse_declarator(DeclaratorMode::Either));
    if (param->declarator != nullptr)
        declare(param->declarator->name, false);
    return finish(param, Kind::ParamDecl, first, mark);
}

}  // namespace bn::parse
