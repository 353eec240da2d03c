// parse_primary.cc: primary and postfix expressions, GNU builtins with types, initialisers (C11 6.5.1, 6.5.2, 6.7.9).
#include "parse/parser.h"

namespace bn::parse {

using diag::Id;

// postfix-expression: the suffixes of `expr`: "[e]" | "(arguments)" | ".name" | "->name" | "++" | "--"
ast::Expr* Parser::parse_postfix(ast::Expr* expr)
{
    for (;;) {
        const size_t mark = children_.size();
        ast::Expr* outer = nullptr;
        Kind kind = Kind::Unary;
        switch (this->kind()) {
        case Tok::LBracket:
        case Tok::LParen:
        case Tok::Dot:
        case Tok::Arrow:
        case Tok::PlusPlus:
        case Tok::MinusMinus:
            outer = make<ast::Expr>();
            outer->a = child(expr);
            break;
        default: return expr;
        }
        const Tok tok = this->kind();
        outer->name = advance();
        if (tok == Tok::LBracket) {
            kind = Kind::Index;
            outer->b = child(parse_expr());
            expect(Tok::RBracket);
        } else if (tok == Tok::LParen) {
            kind = Kind::Call;
            parse_arguments(*outer);
        } else if (tok == Tok::Dot || tok == Tok::Arrow) {
            kind = Kind::Member;
            outer->op = tok == Tok::Dot ? Op::Dot : Op::Arrow;
            outer->name = expect_identifier();
        } else {
            outer->op = tok == Tok::PlusPlus ? Op::PostInc : Op::PostDec;
        }
        expr = finish(outer, kind, expr->first, mark);
    }
}

// argument-expression-list(opt) ")"
// GNU and clang: types as arguments of builtins that are not keywords, such as __builtin_convertvector
void Parser::parse_arguments(ast::Expr& call)
{
    const size_t args = exprs_.size();
    const size_t types = types_.size();
    if (!at(Tok::RParen)) {
        do {
            if (starts_type(pos_))
                types_.push_back(child(parse_type_name()));
            else
                exprs_.push_back(child(parse_assignment()));
        } while (accept(Tok::Comma));
    }
    expect(Tok::RParen);
    call.args = take(exprs_, args);
    call.type_args = take(types_, types);
}

// primary-expression: identifier | constant | string-literal+ | "(" expression ")" | generic-selection
// GNU: "({ ... })" and builtins; UPC: THREADS | MYTHREAD | UPC_MAX_BLOCK_SIZE
ast::Expr* Parser::parse_primary()
{
    switch (kind()) {
    case Tok::Identifier: return parse_leaf(Kind::Ident);
    case Tok::Number: return parse_leaf(Kind::Number);
    case Tok::KwTrue:
    case Tok::KwFalse: return parse_leaf(Kind::BoolConst);
    case Tok::KwNullptr: return parse_leaf(Kind::NullPointer);
    case Tok::Char: return parse_leaf(Kind::CharConst);
    case Tok::String: return parse_leaf(Kind::String);
    case Tok::KwThreads: return parse_leaf(Kind::Threads);
    case Tok::KwMyThread: return parse_leaf(Kind::MyThread);
    case Tok::KwMaxBlock: return parse_leaf(Kind::MaxBlock);
    case Tok::LParen: return parse_paren();
    case Tok::KwGeneric: return parse_generic();
    case Tok::KwVaArg: return parse_va_arg();
    case Tok::KwOffsetof: return parse_offsetof();
    case Tok::KwTypesCompatible: return parse_types_compatible();
    case Tok::KwChooseExpr: return parse_choose_expr();
    default: break;
    }
    const TokenIndex first = pos_;
    fail(Id::ExpectedExpression, {describe(pos_)});
    return finish(make<ast::Expr>(), Kind::Number, first, children_.size());
}

// One token, or adjacent string literals
ast::Expr* Parser::parse_leaf(Kind kind)
{
    const TokenIndex first = advance();
    ast::Expr* leaf = make<ast::Expr>();
    if (kind == Kind::Ident)
        leaf->name = first;
    if (kind == Kind::String) {
        while (accept(Tok::String)) {
        }
    }
    return finish(leaf, kind, first, children_.size());
}

// "(" expression ")" | GNU: "(" compound-statement ")"
ast::Expr* Parser::parse_paren()
{
    const TokenIndex first = advance();
    const size_t mark = children_.size();
    ast::Expr* paren = make<ast::Expr>();
    if (at(Tok::LBrace))
        paren->body = child(parse_compound());
    else
        paren->a = child(parse_expr());
    expect(Tok::RParen);
    return finish(paren, paren->body != nullptr ? Kind::StmtExpr : Kind::Paren, first, mark);
}

// generic-selection: "_Generic" "(" assignment-expression ("," (type-name | "default") ":" assignment-expression)+ ")"
ast::Expr* Parser::parse_generic()
{
    const TokenIndex first = advance();
    const size_t mark = children_.size();
    const size_t args = exprs_.size();
    const size_t types = types_.size();
    ast::Expr* generic = make<ast::Expr>();
    expect(Tok::LParen);
    generic->a = child(parse_assignment());
    while (accept(Tok::Comma)) {
        types_.push_back(accept(Tok::KwDefault) ? nullptr : child(parse_type_name()));
        expect(Tok::Colon);
        exprs_.push_back(child(parse_assignment()));
    }
    expect(Tok::RParen);
    generic->args = take(exprs_, args);
    generic->type_args = take(types_, types);
    return finish(generic, Kind::Generic, first, mark);
}

// "__builtin_va_arg" "(" assignment-expression "," type-name ")"
ast::Expr* Parser::parse_va_arg()
{
    const TokenIndex first = advance();
    const size_t mark = children_.size();
    ast::Expr* expr = make<ast::Expr>();
    expect(Tok::LParen);
    expr->a = child(parse_assignment());
    expect(Tok::Comma);
    expr->type_name = child(parse_type_name());
    expect(Tok::RParen);
    return finish(expr, Kind::VaArg, first, mark);
}

// "__builtin_offsetof" "(" type-name "," identifier ("." identifier | "->" identifier | "[" expression "]")* ")"
ast::Expr* Parser::parse_offsetof()
{
    const TokenIndex first = advance();
    const size_t mark = children_.size();
    const size_t args = exprs_.size();
    ast::Expr* expr = make<ast::Expr>();
    expect(Tok::LParen);
    expr->type_name = child(parse_type_name());
    expect(Tok::Comma);
    expr->name = expect_identifier();
    for (;;) {
        if (accept(Tok::LBracket)) {
            exprs_.push_back(child(parse_expr()));
            expect(Tok::RBracket);
        } else if (accept(Tok::Dot) || accept(Tok::Arrow)) {
            expect_identifier();
        } else {
            break;
        }
    }
    expect(Tok::RParen);
    expr->args = take(exprs_, args);
    return finish(expr, Kind::Offsetof, first, mark);
}

// "__builtin_types_compatible_p" "(" type-name "," type-name ")"
ast::Expr* Parser::parse_types_compatible()
{
    const TokenIndex first = advance();
    const size_t mark = children_.size();
    const size_t types = types_.size();
    ast::Expr* expr = make<ast::Expr>();
    expect(Tok::LParen);
    types_.push_back(child(parse_type_name()));
    expect(Tok::Comma);
    types_.push_back(child(parse_type_name()));
    expect(Tok::RParen);
    expr->type_args = take(types_, types);
    return finish(expr, Kind::TypesCompatible, first, mark);
}

// "__builtin_choose_expr" "(" assignment-expression "," assignment-expression "," assignment-expression ")"
ast::Expr* Parser::parse_choose_expr()
{
    const TokenIndex first = advance();
    const size_t mark = children_.size();
    ast::Expr* expr = make<ast::Expr>();
    expect(Tok::LParen);
    expr->a = child(parse_assignment());
    expect(Tok::Comma);
    expr->b = child(parse_assignment());
    expect(Tok::Comma);
    expr->c = child(parse_assignment());
    expect(Tok::RParen);
    return finish(expr, Kind::ChooseExpr, first, mark);
}

// initializer: assignment-expression | "{" initializer-list(opt) ","(opt) "}"
ast::Expr* Parser::parse_initializer()
{
    return at(Tok::LBrace) ? parse_init_list() : parse_assignment();
}

// initializer-list: designation(opt) initializer ("," designation(opt) initializer)*
ast::Expr* Parser::parse_init_list()
{
    Nesting nesting(*this);
    const TokenIndex first = pos_;
    const size_t mark = children_.size();
    const size_t args = exprs_.size();
    const size_t designations = designations_.size();
    ast::Expr* list = make<ast::Expr>();
    expect(Tok::LBrace);
    while (!at(Tok::RBrace) && !at(Tok::End)) {
        ast::Designation* designation = child(parse_designation());
        if (designation != nullptr)
            accept(Tok::Equal);  // GNU C allows it to be omitted after an index
        designations_.push_back(designation);
        exprs_.push_back(child(parse_initializer()));
        if (!accept(Tok::Comma))
            break;
    }
    expect(Tok::RBrace);
    list->args = take(exprs_, args);
    list->designations = take(designations_, designations);
    return finish(list, Kind::InitList, first, mark);
}

// designation: ("." identifier | "[" constant-expression "]" | GNU: "[" e "..." e "]")+ "=" | GNU: identifier ":"
// The '=' is left to the caller.  Null if there is no designation here.
ast::Designation* Parser::parse_designation()
{
    const TokenIndex first = pos_;
    const size_t mark = children_.size();
    const size_t designators = designators_.size();
    if (at(Tok::Identifier) && peek() == Tok::Colon) {
        ast::Designator member;
        member.member = advance();
        advance();
        designators_.push_back(member);
    }
    while (designators_.size() == designators || kind_at(pos_ - 1) != Tok::Colon) {
        ast::Designator designator;
        if (accept(Tok::Dot)) {
            designator.member = expect_identifier();
        } else if (accept(Tok::LBracket)) {
            designator.index = child(parse_conditional());
            if (accept(Tok::Ellipsis))
                designator.index_last = child(parse_conditional());
            expect(Tok::RBracket);
        } else {
            break;
        }
        designators_.push_back(designator);
    }
    if (pos_ == first)
        return nullptr;
    ast::Designation* designation = make<ast::Designation>();
    designation->designators = take(designators_, designators);
    return finish(designation, Kind::Designation, first, mark);
}

}  // namespace bn::parse
