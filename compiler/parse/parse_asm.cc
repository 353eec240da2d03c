// parse_asm.cc: GNU asm statements.
#include "parse/parser.h"

namespace bn::parse {

// asm-statement: "asm" ("volatile" | "inline" | "goto" | "const")* "(" string+ (":" operand-list(opt))* ")" ";"
ast::Stmt* Parser::parse_asm_statement()
{
    const TokenIndex first = advance();
    const size_t mark = children_.size();
    while (at(Tok::KwVolatile) || at(Tok::KwInline) || at(Tok::KwGoto) || at(Tok::KwConst))
        advance();
    expect(Tok::LParen);
    do
        expect(Tok::String);
    while (at(Tok::String));
    while (accept(Tok::Colon))
        parse_asm_operands();
    expect(Tok::RParen);
    expect_semicolon();
    return finish(make<ast::SimpleStmt>(), Kind::AsmStmt, first, mark);
}

// operand: ("[" identifier "]")(opt) string+ ("(" expression ")")(opt) | identifier
// The same form serves for operands, clobbers (strings only) and labels (identifiers).
void Parser::parse_asm_operands()
{
    if (at(Tok::Colon) || at(Tok::RParen))
        return;
    do {
        if (accept(Tok::LBracket)) {
            expect_identifier();
            expect(Tok::RBracket);
        }
        if (accept(Tok::Identifier))
            continue;
        do
            expect(Tok::String);
        while (at(Tok::String));
        if (accept(Tok::LParen)) {
            child(parse_expr());
            expect(Tok::RParen);
        }
    } while (accept(Tok::Comma));
}

}  // namespace bn::parse
