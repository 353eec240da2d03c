// parse_attr.cc: attributes in their GNU, C11 and C23 forms, and asm labels.
#include "parse/parser.h"

namespace bn::parse {

namespace {

bool takes_number(std::string_view attribute)
{
    return attribute == "aligned" || attribute == "__aligned__" || attribute == "vector_size" ||
           attribute == "__vector_size__" || attribute == "ext_vector_type" || attribute == "__ext_vector_type__";
}

}  // namespace

bool Parser::at_attribute() const
{
    return at(Tok::KwAttribute) || at(Tok::KwAlignas) || at_bracket_attribute();
}

// Any number of attributes; their nodes become children of the construct being parsed.
void Parser::parse_attributes()
{
    while (at_attribute())
        child(parse_attribute_list());
}

// attribute-specifier: "__attribute__" "(" "(" attribute ("," attribute)* ")" ")" | "[" "[" balanced-tokens "]" "]"
//                      | alignment-specifier
ast::Node* Parser::parse_attribute_list()
{
    const TokenIndex first = pos_;
    const size_t mark = children_.size();
    if (at(Tok::KwAlignas)) {
        parse_alignas();
    } else if (accept(Tok::KwAttribute)) {
        expect(Tok::LParen);
        expect(Tok::LParen);
        do
            parse_attribute();
        while (accept(Tok::Comma));
        expect(Tok::RParen);
        expect(Tok::RParen);
    } else {
        parse_bracket_attributes();
    }
    return finish(make<ast::Node>(), Kind::AttributeList, first, mark);
}

// "[" "[" attributes "]" "]", of which those of GNU C and clang mean what the same words mean in __attribute__; the
// others concern neither symbols nor layouts
void Parser::parse_bracket_attributes()
{
    const TokenIndex after = skip_brackets(pos_);
    for (pos_ += 2; pos_ + 2 < after && !panic_;) {
        std::string_view prefix = list_.text(pos_);
        bool is_known = prefix == "gnu" || prefix == "__gnu__" || prefix == "clang" || prefix == "_Clang";
        if (is_known && kind_at(pos_ + 1) == Tok::Colon && kind_at(pos_ + 2) == Tok::Colon) {
            pos_ += 3;
            parse_attribute();
        } else {
            pos_ = at(Tok::LParen) ? skip_parens(pos_) : pos_ + 1;
        }
    }
    if (!panic_)
        pos_ = after;
}

// attribute: nothing | word | word "(" tokens ")"
void Parser::parse_attribute()
{
    if (!at(Tok::Identifier) && !lex::is_keyword(kind()))
        return;
    ast::Attribute attribute{advance(), 1, 0};
    if (at(Tok::LParen)) {
        const TokenIndex open = pos_;
        const TokenIndex after = skip_parens(open);
        bool has_number = takes_number(list_.text(attribute.name));
        attribute.args_first = open + 1;
        attribute.args_last = after - 2;
        advance();
        if (has_number && !at(Tok::RParen))
            attribute.arg = child(parse_assignment());
        else if (!panic_)
            pos_ = after - 1;
        expect(Tok::RParen);
    }
    attributes_.push_back(attribute);
}

// alignment-specifier: _Alignas "(" (type-name | constant-expression) ")"
void Parser::parse_alignas()
{
    ast::Attribute attribute{advance(), 0, 0};
    expect(Tok::LParen);
    attribute.args_first = pos_;
    if (starts_type(pos_))
        attribute.type_arg = child(parse_type_name());
    else
        attribute.arg = child(parse_conditional());
    attribute.args_last = pos_ - 1;
    expect(Tok::RParen);
    attributes_.push_back(attribute);
}

// asm-label: "asm" "(" string-literal ")"
ast::Node* Parser::parse_asm_label()
{
    const TokenIndex first = advance();
    const size_t mark = children_.size();
    expect(Tok::LParen);
    do
        expect(Tok::String);
    while (at(Tok::String));
    expect(Tok::RParen);
    return finish(make<ast::Node>(), Kind::AttributeList, first, mark);
}

}  // namespace bn::parse
