// parse_record.cc: structures, unions and enumerations (C11 6.7.2.1, 6.7.2.2).
#include "parse/parser.h"

namespace bn::parse {

// struct-or-union-specifier: ("struct" | "union") attribute* identifier(opt) ("{" member* "}" attribute*)(opt)
ast::RecordSpec* Parser::parse_record()
{
    const size_t mark = children_.size();
    const size_t attributes = attributes_.size();
    ast::RecordSpec* record = make<ast::RecordSpec>();
    record->is_union = at(Tok::KwUnion);
    record->keyword = advance();
    parse_attributes();
    if (at(Tok::Identifier))
        record->tag = advance();
    if (at(Tok::LBrace)) {
        parse_record_body(*record);
        parse_attributes();
    } else if (record->tag == 0) {
        fail_expected("a tag or '{'");
    }
    record->attributes = take(attributes_, attributes);
    return finish(record, Kind::RecordSpec, record->keyword, mark);
}

void Parser::parse_record_body(ast::RecordSpec& record)
{
    const size_t members = members_.size();
    record.has_body = true;
    if (record.tag != 0 && !in_body_)
        declared_.push_back(name_at(record.tag));
    record.open = advance();
    while (!at(Tok::RBrace) && !at(Tok::End)) {
        if (accept(Tok::Semicolon))
            continue;
        const TokenIndex first = pos_;
        const size_t mark = children_.size();
        ast::Node* member = parse_member();
        if (!panic_) {
            members_.push_back(child(member));
        } else if (!abandoned_) {
            children_.resize(mark);
            recover_in_block(first);
        }
    }
    expect(Tok::RBrace);
    record.members = take(members_, members);
}

// struct-declaration: specifier-qualifier-list (struct-declarator ("," struct-declarator)*)(opt) ";" | static-assert
ast::Node* Parser::parse_member()
{
    if (at(Tok::KwStaticAssert))
        return parse_static_assert();
    const TokenIndex first = pos_;
    const size_t mark = children_.size();
    const size_t fields = fields_.size();
    ast::FieldDecl* decl = make<ast::FieldDecl>();
    decl->specifiers = child(parse_specifiers());
    if (pos_ == first)
        fail(diag::Id::ExpectedDeclaration, {describe(pos_)});
    if (at(Tok::Semicolon)) {
        fields_.push_back({});
    } else {
        do
            fields_.push_back(parse_field());
        while (accept(Tok::Comma));
    }
    expect_semicolon();
    decl->fields = take(fields_, fields);
    return finish(decl, Kind::FieldDecl, first, mark);
}

// struct-declarator: declarator | declarator(opt) ":" constant-expression, attributes after it
ast::FieldDecl::Field Parser::parse_field()
{
    ast::FieldDecl::Field field;
    if (!at(Tok::Colon)) {
        field.declarator = child(parse_declarator(DeclaratorMode::Named));
        if (field.declarator->name != 0 && !in_body_)
            declared_.push_back(name_at(field.declarator->name));
    }
    if (accept(Tok::Colon))
        field.width = child(parse_conditional());
    const size_t attributes = attributes_.size();
    parse_attributes();
    field.attributes = take(attributes_, attributes);
    return field;
}

// enum-specifier: "enum" attribute* identifier(opt) ("{" enumerator-list ","(opt) "}" attribute*)(opt)
ast::EnumSpec* Parser::parse_enum()
{
    const TokenIndex first = advance();
    const size_t mark = children_.size();
    const size_t attributes = attributes_.size();
    ast::EnumSpec* enumeration = make<ast::EnumSpec>();
    parse_attributes();
    if (at(Tok::Identifier))
        enumeration->tag = advance();
    // After a tag alone, a colon may also belong to a bit-field or to an association of _Generic.
    if (at(Tok::Colon) && list_.is_c23 && starts_type(pos_ + 1)) {
        advance();
        enumeration->underlying = child(parse_specifiers());
    }
    if (at(Tok::LBrace)) {
        parse_enumerators(*enumeration);
        parse_attributes();
    } else if (enumeration->tag == 0) {
        fail_expected("a tag or '{'");
    }
    enumeration->attributes = take(attributes_, attributes);
    return finish(enumeration, Kind::EnumSpec, first, mark);
}

// enumerator: identifier attribute* ("=" constant-expression)(opt)
void Parser::parse_enumerators(ast::EnumSpec& enumeration)
{
    const size_t enumerators = enumerators_.size();
    enumeration.has_body = true;
    if (enumeration.tag != 0 && !in_body_)
        declared_.push_back(name_at(enumeration.tag));
    advance();
    while (!at(Tok::RBrace) && !at(Tok::End)) {
        ast::EnumSpec::Enumerator enumerator;
        enumerator.name = expect_identifier();
        const size_t own = attributes_.size();
        parse_attributes();
        attributes_.resize(own);
        if (accept(Tok::Equal))
            enumerator.value = child(parse_conditional());
        declare(enumerator.name, false);
        enumerators_.push_back(enumerator);
        if (!accept(Tok::Comma))
            break;
    }
    expect(Tok::RBrace);
    enumeration.enumerators = take(enumerators_, enumerators);
}

}  // namespace bn::parse
