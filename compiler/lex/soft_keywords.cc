#include "lex/soft_keywords.h"

namespace bn::lex {

namespace {

bool is_soft(Tok kind)
{
    return kind == Tok::KwShared || kind == Tok::KwStrict || kind == Tok::KwRelaxed;
}

bool is_hard(Tok kind)
{
    return kind >= Tok::KwThreads && kind <= Tok::KwElemSizeof;
}

// What can stand before an operand but not after a type
bool expects_operand(Tok kind)
{
    switch (kind) {
    case Tok::LParen:
    case Tok::Comma:
    case Tok::KwReturn:
    case Tok::KwCase:
    case Tok::Exclaim:
    case Tok::Question:
        return true;
    default:
        return kind >= Tok::Slash && kind <= Tok::GreaterGreaterEqual;
    }
}

// A qualifier is followed by more of a declaration: a type, '*', '[', a name, or the end of an abstract declarator.
bool is_name_here(Tok before, Tok after)
{
    if (before == Tok::Dot || before == Tok::Arrow || before == Tok::KwGoto)
        return true;
    switch (after) {
    case Tok::Semicolon:
    case Tok::Colon:
    case Tok::Question:
    case Tok::Dot:
    case Tok::Arrow:
    case Tok::Plus:
    case Tok::Minus:
        return true;
    case Tok::RParen:
    case Tok::Comma:
    case Tok::RBracket:
    case Tok::RBrace:
        return expects_operand(before);
    default:
        return after >= Tok::Slash && after <= Tok::GreaterGreaterEqual;
    }
}

}  // namespace

void settle_soft_keywords(TokenList& list)
{
    if (!list.has_upc_keyword || !list.pragmas.empty())
        return;
    bool used_as_name = false;
    for (TokenIndex i = 1; i + 1 < list.tokens.size(); ++i) {
        Tok kind = list[i].kind;
        if (is_hard(kind))
            return;
        used_as_name |= is_soft(kind) && is_name_here(list[i - 1].kind, list[i + 1].kind);
    }
    if (!used_as_name)
        return;
    for (Token& token : list.tokens)
        if (is_soft(token.kind))
            token.kind = Tok::Identifier;
    list.upc_keywords.clear();
    list.has_upc_keyword = false;
}

}  // namespace bn::lex
