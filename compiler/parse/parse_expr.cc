// parse_expr.cc: operators (C11 6.5.3-6.5.17, UPC 1.3 6.4.1).
#include "parse/parser.h"

namespace bn::parse {

using diag::Id;

namespace {

struct BinaryOperator {
    int precedence = 0;  // 0: not a binary operator
    Op op = Op::None;
};

constexpr int kLowestPrecedence = 1;

BinaryOperator binary_operator(Tok tok)
{
    switch (tok) {
    case Tok::PipePipe: return {1, Op::LogOr};
    case Tok::AmpAmp: return {2, Op::LogAnd};
    case Tok::Pipe: return {3, Op::Or};
    case Tok::Caret: return {4, Op::Xor};
    case Tok::Amp: return {5, Op::And};
    case Tok::EqualEqual: return {6, Op::Eq};
    case Tok::ExclaimEqual: return {6, Op::Ne};
    case Tok::Less: return {7, Op::Lt};
    case Tok::Greater: return {7, Op::Gt};
    case Tok::LessEqual: return {7, Op::Le};
    case Tok::GreaterEqual: return {7, Op::Ge};
    case Tok::LessLess: return {8, Op::Shl};
    case Tok::GreaterGreater: return {8, Op::Shr};
    case Tok::Plus: return {9, Op::Add};
    case Tok::Minus: return {9, Op::Sub};
    case Tok::Star: return {10, Op::Mul};
    case Tok::Slash: return {10, Op::Div};
    case Tok::Percent: return {10, Op::Mod};
    default: return {};
    }
}

bool assignment_operator(Tok tok, Op* op_p)
{
    switch (tok) {
    case Tok::Equal: *op_p = Op::None; return true;
    case Tok::PlusEqual: *op_p = Op::Add; return true;
    case Tok::MinusEqual: *op_p = Op::Sub; return true;
    case Tok::StarEqual: *op_p = Op::Mul; return true;
    case Tok::SlashEqual: *op_p = Op::Div; return true;
    case Tok::PercentEqual: *op_p = Op::Mod; return true;
    case Tok::AmpEqual: *op_p = Op::And; return true;
    case Tok::PipeEqual: *op_p = Op::Or; return true;
    case Tok::CaretEqual: *op_p = Op::Xor; return true;
    case Tok::LessLessEqual: *op_p = Op::Shl; return true;
    case Tok::GreaterGreaterEqual: *op_p = Op::Shr; return true;
    default: return false;
    }
}

}  // namespace

// expression: assignment-expression ("," assignment-expression)*
ast::Expr* Parser::parse_expr()
{
    const TokenIndex first = pos_;
    ast::Expr* left = parse_assignment();
    while (at(Tok::Comma)) {
        const size_t mark = children_.size();
        ast::Expr* comma = make<ast::Expr>();
        comma->op = Op::Comma;
        comma->a = child(left);
        comma->name = advance();
        comma->b = child(parse_assignment());
        left = finish(comma, Kind::Binary, first, mark);
    }
    return left;
}

// assignment-expression: conditional-expression | unary-expression assignment-operator assignment-expression
// Any conditional expression is accepted on the left; sema requires an lvalue there.
ast::Expr* Parser::parse_assignment()
{
    const TokenIndex first = pos_;
    ast::Expr* left = parse_conditional();
    Op op;
    if (!assignment_operator(kind(), &op))
        return left;
    Nesting nesting(*this);
    const size_t mark = children_.size();
    ast::Expr* assign = make<ast::Expr>();
    assign->op = op;
    assign->a = child(left);
    assign->name = advance();
    assign->b = child(parse_assignment());
    return finish(assign, Kind::Assign, first, mark);
}

// conditional-expression: (logical-OR-expression "?" expression(opt) ":")* logical-OR-expression
// A chain a ? b : c ? d : e is parsed by a loop: generated programs contain long ones.
ast::Expr* Parser::parse_conditional()
{
    struct Link {
        ast::Expr* conditional;
        TokenIndex first;
        size_t mark;
    };
    std::vector<Link> chain;
    for (;;) {
        const TokenIndex first = pos_;
        ast::Expr* last = parse_binary(parse_unary(), kLowestPrecedence);
        if (!at(Tok::Question)) {
            for (; !chain.empty(); chain.pop_back()) {
                const Link& link = chain.back();
                link.conditional->c = child(last);
                last = finish(link.conditional, Kind::Conditional, link.first, link.mark);
            }
            return last;
        }
        Nesting nesting(*this);
        ast::Expr* conditional = make<ast::Expr>();
        chain.push_back({conditional, first, children_.size()});
        conditional->a = child(last);
        advance();
        if (!at(Tok::Colon))
            conditional->b = child(parse_expr());
        expect(Tok::Colon);
    }
}

// Parses the binary operators of at least this precedence that follow `left`, all of them left-associative
ast::Expr* Parser::parse_binary(ast::Expr* left, int min_precedence)
{
    for (;;) {
        BinaryOperator here = binary_operator(kind());
        if (here.precedence < min_precedence)
            return left;
        const size_t mark = children_.size();
        ast::Expr* binary = make<ast::Expr>();
        binary->op = here.op;
        binary->a = child(left);
        binary->name = advance();
        ast::Expr* right = parse_unary();
        if (binary_operator(kind()).precedence > here.precedence)
            right = parse_binary(right, here.precedence + 1);
        binary->b = child(right);
        left = finish(binary, Kind::Binary, left->first, mark);
    }
}

// unary-expression: postfix-expression | unary-operator cast-expression | "sizeof" ..., and UPC's size operators
// GNU: "__extension__", "__real__", "__imag__", "&&" label, __alignof__
ast::Expr* Parser::parse_unary()
{
    Nesting nesting(*this);
    switch (kind()) {
    case Tok::PlusPlus: return parse_prefix(Op::PreInc);
    case Tok::MinusMinus: return parse_prefix(Op::PreDec);
    case Tok::Amp: return parse_prefix(Op::AddressOf);
    case Tok::Star: return parse_prefix(Op::Deref);
    case Tok::Plus: return parse_prefix(Op::Plus);
    case Tok::Minus: return parse_prefix(Op::Minus);
    case Tok::Tilde: return parse_prefix(Op::BitNot);
    case Tok::Exclaim: return parse_prefix(Op::Not);
    case Tok::KwReal: return parse_prefix(Op::Real);
    case Tok::KwImag: return parse_prefix(Op::Imag);
    case Tok::KwExtension: return parse_prefix(Op::Extension);
    case Tok::AmpAmp: return parse_label_address();
    case Tok::KwSizeof: return parse_size_operator(Op::Sizeof);
    case Tok::KwAlignof: return parse_size_operator(Op::Alignof);
    case Tok::KwLocalSizeof: return parse_size_operator(Op::LocalSizeof);
    case Tok::KwBlockSizeof: return parse_size_operator(Op::BlockSizeof);
    case Tok::KwElemSizeof: return parse_size_operator(Op::ElemSizeof);
    default: return parse_cast_or_primary();
    }
}

ast::Expr* Parser::parse_prefix(Op op)
{
    const TokenIndex first = advance();
    const size_t mark = children_.size();
    ast::Expr* unary = make<ast::Expr>();
    unary->op = op;
    unary->name = first;
    unary->a = child(parse_unary());
    return finish(unary, Kind::Unary, first, mark);
}

// GNU: "&&" identifier
ast::Expr* Parser::parse_label_address()
{
    const TokenIndex first = advance();
    ast::Expr* unary = make<ast::Expr>();
    unary->op = Op::LabelAddress;
    unary->name = expect_identifier();
    return finish(unary, Kind::Unary, first, children_.size());
}

// size-operator: op unary-expression | op "(" type-name ")"
ast::Expr* Parser::parse_size_operator(Op op)
{
    const TokenIndex first = advance();
    const size_t mark = children_.size();
    ast::Expr* size = make<ast::Expr>();
    size->op = op;
    size->name = first;
    if (!at(Tok::LParen) || !starts_type(pos_ + 1)) {
        size->a = child(parse_unary());
        return finish(size, Kind::SizeofExpr, first, mark);
    }
    const TokenIndex open = advance();
    ast::TypeName* type = child(parse_type_name());
    expect(Tok::RParen);
    if (!at(Tok::LBrace)) {
        size->type_name = type;
        return finish(size, Kind::SizeofType, first, mark);
    }
    size->a = child(parse_postfix(parse_compound_literal(type, open, mark)));
    return finish(size, Kind::SizeofExpr, first, mark);
}

// cast-expression: "(" type-name ")" cast-expression | "(" type-name ")" "{" initializer-list "}" | postfix-expression
ast::Expr* Parser::parse_cast_or_primary()
{
    if (!at(Tok::LParen) || !starts_type(pos_ + 1))
        return parse_postfix(parse_primary());
    const TokenIndex first = advance();
    const size_t mark = children_.size();
    ast::TypeName* type = child(parse_type_name());
    expect(Tok::RParen);
    if (at(Tok::LBrace))
        return parse_postfix(parse_compound_literal(type, first, mark));
    ast::Expr* cast = make<ast::Expr>();
    cast->type_name = type;
    cast->a = child(parse_unary());
    return finish(cast, Kind::Cast, first, mark);
}

// Starts at the brace; the type is already among the children above the mark.
ast::Expr* Parser::parse_compound_literal(ast::TypeName* type, TokenIndex first, size_t mark)
{
    ast::Expr* literal = make<ast::Expr>();
    literal->type_name = type;
    literal->a = child(parse_init_list());
    return finish(literal, Kind::CompoundLiteral, first, mark);
}

}  // namespace bn::parse
