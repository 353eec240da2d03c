// parse_stmt.cc: statements (C11 6.8, UPC 1.3 6.6).
#include "parse/parser.h"

namespace bn::parse {

using diag::Id;

// compound-statement: "{" (declaration | statement)* "}"
ast::CompoundStmt* Parser::parse_compound()
{
    Nesting nesting(*this);
    const TokenIndex first = pos_;
    const size_t mark = children_.size();
    const size_t scope = scopes_.open();
    ast::CompoundStmt* block = make<ast::CompoundStmt>();
    expect(Tok::LBrace);
    if (!panic_)
        note_pragmas_here();
    while (!at(Tok::RBrace) && !at(Tok::End)) {
        const TokenIndex item = pos_;
        const size_t items = children_.size();
        ast::Node* node = parse_block_item();
        if (!panic_) {
            child(node);
        } else if (!abandoned_) {
            children_.resize(items);
            recover_in_block(item);
        }
    }
    bool is_unclosed = options_.keeps_broken && !panic_ && at(Tok::End);
    if (!is_unclosed)
        expect(Tok::RBrace);
    else if (is_reporting())
        report_expected("'}'");
    scopes_.close(scope);
    finish(block, Kind::Compound, first, mark);
    block->items = block->children;
    return block;
}

ast::Node* Parser::parse_block_item()
{
    return at_declaration() ? parse_declaration() : parse_statement();
}

bool Parser::at_label() const
{
    return at(Tok::KwCase) || at(Tok::KwDefault) || (at(Tok::Identifier) && peek() == Tok::Colon);
}

// statement: (label)* unlabelled-statement
// A run of labels is parsed by a loop: a switch may have thousands of cases for one statement.
ast::Stmt* Parser::parse_statement()
{
    Nesting nesting(*this);
    if (!at_label())
        return parse_unlabelled_statement();
    struct Label {
        ast::SimpleStmt* statement;
        TokenIndex first;
        size_t mark;
    };
    std::vector<Label> labels;
    while (at_label()) {
        labels.push_back({make<ast::SimpleStmt>(), pos_, children_.size()});
        parse_label(*labels.back().statement);
    }
    ast::Stmt* inner = parse_statement_after_label();
    for (; !labels.empty(); labels.pop_back()) {
        const Label& label = labels.back();
        label.statement->then = child(inner);
        inner = finish(label.statement, label.statement->kind, label.first, label.mark);
    }
    return inner;
}

// label: identifier ":" attribute* | "case" constant-expression ("..." constant-expression)(opt) ":" | "default" ":"
void Parser::parse_label(ast::SimpleStmt& statement)
{
    if (accept(Tok::KwCase)) {
        statement.kind = Kind::Case;
        statement.value = child(parse_conditional());
        if (accept(Tok::Ellipsis))
            statement.value_last = child(parse_conditional());
    } else if (accept(Tok::KwDefault)) {
        statement.kind = Kind::Default;
    } else {
        statement.kind = Kind::Label;
        statement.name = advance();
    }
    expect(Tok::Colon);
    const size_t attributes = attributes_.size();
    if (statement.kind == Kind::Label && at(Tok::KwAttribute) && !starts_declaration(pos_))
        parse_attributes();
    attributes_.resize(attributes);
}

// Null where C23 allows a label without a statement: before a declaration and at the end of a block
ast::Stmt* Parser::parse_statement_after_label()
{
    if (at(Tok::RBrace) || at_declaration())
        return nullptr;
    return parse_unlabelled_statement();
}

ast::Stmt* Parser::parse_unlabelled_statement()
{
    switch (kind()) {
    case Tok::LBrace: return parse_compound();
    case Tok::KwIf: return parse_if();
    case Tok::KwWhile: return parse_while_or_switch(Kind::While);
    case Tok::KwSwitch: return parse_while_or_switch(Kind::Switch);
    case Tok::KwDo: return parse_do();
    case Tok::KwFor: return parse_for();
    case Tok::KwForall: return parse_forall();
    case Tok::KwGoto: return parse_jump(Kind::Goto);
    case Tok::KwBreak: return parse_jump(Kind::Break);
    case Tok::KwContinue: return parse_jump(Kind::Continue);
    case Tok::KwReturn: return parse_jump(Kind::Return);
    case Tok::KwAsm: return parse_asm_statement();
    case Tok::KwBarrier: return parse_sync(Kind::Barrier);
    case Tok::KwNotify: return parse_sync(Kind::Notify);
    case Tok::KwWait: return parse_sync(Kind::Wait);
    case Tok::KwFence: return parse_sync(Kind::Fence);
    default: return parse_expression_statement();
    }
}

// expression-statement: expression(opt) ";" | GNU: attribute+ statement, as in "__attribute__((fallthrough));"
ast::Stmt* Parser::parse_expression_statement()
{
    const TokenIndex first = pos_;
    const size_t mark = children_.size();
    const size_t attributes = attributes_.size();
    ast::SimpleStmt* statement = make<ast::SimpleStmt>();
    parse_attributes();
    attributes_.resize(attributes);
    if (pos_ != first && !at(Tok::Semicolon)) {
        children_.resize(mark);
        return parse_statement();
    }
    if (!at(Tok::Semicolon))
        statement->value = child(parse_expr());
    expect_semicolon();
    return finish(statement, Kind::ExprStmt, first, mark);
}

// "(" expression ")"
ast::Expr* Parser::parse_condition()
{
    expect(Tok::LParen);
    ast::Expr* condition = child(parse_expr());
    expect(Tok::RParen);
    return condition;
}

// selection-statement: "if" "(" expression ")" statement ("else" statement)(opt)
// A chain of else-ifs is parsed by a loop: generated programs contain long ones.
ast::Stmt* Parser::parse_if()
{
    struct Link {
        ast::SimpleStmt* statement;
        TokenIndex first;
        size_t mark;
    };
    std::vector<Link> chain;
    ast::Stmt* otherwise = nullptr;
    do {
        ast::SimpleStmt* statement = make<ast::SimpleStmt>();
        chain.push_back({statement, pos_, children_.size()});
        advance();
        statement->condition = parse_condition();
        statement->then = child(parse_statement());
        if (!accept(Tok::KwElse))
            break;
        if (!at(Tok::KwIf))
            otherwise = parse_statement();
    } while (otherwise == nullptr && at(Tok::KwIf));
    for (; !chain.empty(); chain.pop_back()) {
        const Link& link = chain.back();
        link.statement->otherwise = child(otherwise);
        otherwise = finish(link.statement, Kind::If, link.first, link.mark);
    }
    return otherwise;
}

// "while" "(" expression ")" statement | "switch" "(" expression ")" statement
ast::Stmt* Parser::parse_while_or_switch(Kind kind)
{
    const TokenIndex first = advance();
    const size_t mark = children_.size();
    ast::SimpleStmt* statement = make<ast::SimpleStmt>();
    statement->condition = parse_condition();
    statement->then = child(parse_statement());
    return finish(statement, kind, first, mark);
}

// "do" statement "while" "(" expression ")" ";"
ast::Stmt* Parser::parse_do()
{
    const TokenIndex first = advance();
    const size_t mark = children_.size();
    ast::SimpleStmt* statement = make<ast::SimpleStmt>();
    statement->then = child(parse_statement());
    expect(Tok::KwWhile);
    statement->condition = parse_condition();
    expect_semicolon();
    return finish(statement, Kind::DoWhile, first, mark);
}

// "for" "(" loop-head expression(opt) ")" statement
ast::Stmt* Parser::parse_for()
{
    const TokenIndex first = advance();
    const size_t mark = children_.size();
    const size_t scope = scopes_.open();
    ast::SimpleStmt* loop = make<ast::SimpleStmt>();
    parse_loop_head(*loop);
    if (!at(Tok::RParen))
        loop->step = child(parse_expr());
    expect(Tok::RParen);
    loop->then = child(parse_statement());
    scopes_.close(scope);
    return finish(loop, Kind::For, first, mark);
}

// "upc_forall" "(" loop-head expression(opt) ";" affinity(opt) ")" statement
ast::Stmt* Parser::parse_forall()
{
    const TokenIndex first = advance();
    const size_t mark = children_.size();
    const size_t scope = scopes_.open();
    ast::SimpleStmt* loop = make<ast::SimpleStmt>();
    parse_loop_head(*loop);
    if (!at(Tok::Semicolon) && !at(Tok::RParen))
        loop->step = child(parse_expr());
    if (at(Tok::RParen))
        diagnostics_.report(Id::ForallNeedsAffinity, {first, pos_, pos_});
    else if (expect(Tok::Semicolon))
        parse_affinity(*loop);
    expect(Tok::RParen);
    loop->then = child(parse_statement());
    scopes_.close(scope);
    return finish(loop, Kind::Forall, first, mark);
}

// loop-head: "(" (expression(opt) ";" | declaration) expression(opt) ";"
void Parser::parse_loop_head(ast::SimpleStmt& loop)
{
    expect(Tok::LParen);
    if (at_declaration()) {
        loop.init = child(parse_declaration());
    } else {
        if (!at(Tok::Semicolon))
            loop.init = child(parse_expr());
        expect(Tok::Semicolon);
    }
    if (!at(Tok::Semicolon))
        loop.condition = child(parse_expr());
    expect(Tok::Semicolon);
}

// affinity: expression | "continue"
void Parser::parse_affinity(ast::SimpleStmt& loop)
{
    loop.affinity_continue = accept(Tok::KwContinue);
    if (!loop.affinity_continue && !at(Tok::RParen))
        loop.affinity = child(parse_expr());
}

// jump-statement: "goto" identifier ";" | "continue" ";" | "break" ";" | "return" expression(opt) ";"
// GNU: "goto" "*" expression ";"
ast::Stmt* Parser::parse_jump(Kind kind)
{
    const TokenIndex first = advance();
    const size_t mark = children_.size();
    ast::SimpleStmt* statement = make<ast::SimpleStmt>();
    if (kind == Kind::Goto) {
        if (accept(Tok::Star))
            statement->value = child(parse_expr());
        else
            statement->name = expect_identifier();
    } else if (kind == Kind::Return && !at(Tok::Semicolon)) {
        statement->value = child(parse_expr());
    }
    expect_semicolon();
    return finish(statement, kind, first, mark);
}

// synchronization-statement: ("upc_notify" | "upc_wait" | "upc_barrier") expression(opt) ";" | "upc_fence" ";"
ast::Stmt* Parser::parse_sync(Kind kind)
{
    const TokenIndex first = advance();
    const size_t mark = children_.size();
    ast::SimpleStmt* statement = make<ast::SimpleStmt>();
    if (at(Tok::LParen) && peek() == Tok::RParen)
        fail(diag::Id::SyncParentheses, {list_.text(first)});
    bool is_bare = at(Tok::Semicolon) || at(Tok::RBrace) || kind == Kind::Fence;
    if (!is_bare)
        statement->value = child(parse_expr());
    expect_semicolon();
    return finish(statement, kind, first, mark);
}

}  // namespace bn::parse
