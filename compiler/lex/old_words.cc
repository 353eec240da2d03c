#include "lex/old_words.h"

#include <algorithm>
#include <vector>

namespace bn::lex {

namespace {

// The token before the opening bracket that matches the closing one at `close`
Tok before_opening(const TokenList& list, TokenIndex close, Tok open_kind, Tok close_kind)
{
    uint32_t depth = 0;
    for (TokenIndex i = close; i > 0; --i) {
        depth += list[i].kind == close_kind;
        if (list[i].kind == open_kind && --depth == 0)
            return list[i - 1].kind;
    }
    return Tok::Start;
}

bool is_between_statements(Tok kind)
{
    return kind == Tok::Semicolon || kind == Tok::LBrace || kind == Tok::Colon || kind == Tok::KwElse ||
           kind == Tok::KwDo;
}

// Whether a statement can begin after this token
bool ends_statement(const TokenList& list, TokenIndex token)
{
    switch (list[token].kind) {
    case Tok::RParen: {  // if (...), for (...), ...
        Tok before = before_opening(list, token, Tok::LParen, Tok::RParen);
        return before == Tok::KwIf || before == Tok::KwFor || before == Tok::KwWhile || before == Tok::KwSwitch ||
               before == Tok::KwForall;
    }
    case Tok::RBrace: {  // of a block, not of a struct or an initialiser
        Tok before = before_opening(list, token, Tok::LBrace, Tok::RBrace);
        return before == Tok::RParen || before == Tok::RBrace || is_between_statements(before);
    }
    default: return is_between_statements(list[token].kind);
    }
}

bool begins_operand(Tok kind)
{
    switch (kind) {
    case Tok::Identifier:
    case Tok::Number:
    case Tok::Char:
    case Tok::KwSizeof:
    case Tok::KwThreads:
    case Tok::KwMyThread: return true;
    default: return false;
    }
}

// "(" with a ";" before the matching ")": not a call
bool has_loop_head(const TokenList& list, TokenIndex open)
{
    uint32_t depth = 0;
    for (TokenIndex i = open; list[i].kind != Tok::End; ++i) {
        depth += list[i].kind == Tok::LParen;
        if (list[i].kind == Tok::RParen && --depth == 0)
            return false;
        if (list[i].kind == Tok::Semicolon || list[i].kind == Tok::LBrace)
            return list[i].kind == Tok::Semicolon;
    }
    return false;
}

// C could accept this only if the name were declared, and mostly not even then.
bool is_statement(const TokenList& list, const Undecided& word)
{
    Tok after = list[word.token + 1].kind;
    if (word.keyword == Tok::KwForall)
        return after == Tok::LParen && has_loop_head(list, word.token + 1);
    return after == Tok::Semicolon || (word.keyword != Tok::KwFence && begins_operand(after));
}

bool may_be_call(const TokenList& list, const Undecided& word)
{
    Tok after = list[word.token + 1].kind;
    return word.keyword != Tok::KwFence && word.keyword != Tok::KwForall &&
           (after == Tok::LParen || after == Tok::Minus);
}

// Whether the braces around this token belong to a struct or union
bool is_member(const TokenList& list, TokenIndex token)
{
    uint32_t depth = 1;
    while (token > 0 && depth > 0) {
        --token;
        depth += list[token].kind == Tok::RBrace;
        depth -= list[token].kind == Tok::LBrace;
    }
    auto opens_record = [&](TokenIndex i) { return list[i].kind == Tok::KwStruct || list[i].kind == Tok::KwUnion; };
    return token > 1 &&
           (opens_record(token - 1) || (list[token - 1].kind == Tok::Identifier && opens_record(token - 2)));
}

// After a type or a '*', a name is declared; after a '.' it is a member and after "goto" a label, which are not
// declarations.
bool declares(const TokenList& list, TokenIndex name)
{
    Tok before = list[name - 1].kind;
    Tok after = list[name + 1].kind;
    if (before == Tok::Dot || before == Tok::Arrow || before == Tok::KwGoto || after == Tok::Colon)
        return false;
    bool is_type = before == Tok::Identifier || before == Tok::Star ||
                   (before >= Tok::KwAuto && before <= Tok::KwVolatile && before != Tok::KwElse &&
                    before != Tok::KwDo && before != Tok::KwReturn && before != Tok::KwCase);
    return is_type || (before == Tok::RBrace && !ends_statement(list, name - 1)) ||
           (before == Tok::Comma && after != Tok::RParen);
}

// Whether the parentheses around this token enclose parameters, as opposed to a declarator such as "(*name)(int)"
bool is_parameter(const TokenList& list, TokenIndex token)
{
    uint32_t depth = 0;
    for (TokenIndex i = token - 1; i > 0; --i) {
        Tok kind = list[i].kind;
        if (kind == Tok::Semicolon || kind == Tok::LBrace || kind == Tok::RBrace)
            return false;
        depth += kind == Tok::RParen;
        if (kind == Tok::LParen && depth-- == 0) {
            if (i + 1 != token && list[i + 1].kind != Tok::Star)
                return true;
            depth = 0;
        }
    }
    return false;
}

// Where a name has the meaning declared at `begin`: in its block, or for a parameter in its function; for file scope
// everywhere, because a statement in an earlier header may use it
struct Scope {
    uint32_t name;
    TokenIndex begin, end;
};

Scope scope_of(const TokenList& list, TokenIndex begin)
{
    Scope scope{list[begin].name, begin, begin};
    uint32_t depth = 0;
    for (; list[scope.end].kind != Tok::End; ++scope.end) {
        depth += list[scope.end].kind == Tok::LBrace;
        if (list[scope.end].kind == Tok::RBrace && depth-- == 0)
            return scope;
    }
    if (!is_parameter(list, begin)) {
        scope.begin = 0;
        return scope;
    }
    for (scope.end = begin; list[scope.end].kind != Tok::End; ++scope.end) {
        depth += list[scope.end].kind == Tok::LBrace;
        if (depth == 0 && list[scope.end].kind == Tok::Semicolon)
            break;
        if (list[scope.end].kind == Tok::RBrace && --depth == 0)
            break;
    }
    return scope;
}

}  // namespace

void settle_old_words(TokenList& list, bool is_wanted)
{
    if (list.old_words.empty())
        return;
    std::vector<Scope> of_program;
    std::vector<Scope> of_system;  // wait() of <sys/wait.h>
    for (const Undecided& word : list.old_words)
        if (declares(list, word.token) && !is_member(list, word.token))
            (list[word.token].in_system_header ? of_system : of_program).push_back(scope_of(list, word.token));
    auto is_known = [&](const std::vector<Scope>& scopes, TokenIndex token) {
        return std::any_of(scopes.begin(), scopes.end(), [&](const Scope& scope) {
            return scope.name == list[token].name && scope.begin <= token && token <= scope.end;
        });
    };
    std::erase_if(list.old_words, [&](const Undecided& word) {
        const Token& token = list[word.token];
        if (token.in_system_header || is_known(of_program, word.token) || !ends_statement(list, word.token - 1))
            return true;
        bool is_of_system = is_known(of_system, word.token);
        return !(is_statement(list, word) && (is_wanted || !is_of_system)) &&
               !(may_be_call(list, word) && is_wanted && !is_of_system);
    });
    for (const Undecided& word : list.old_words) {
        list.tokens[word.token].kind = word.keyword;
        list.upc_keywords.push_back(word.token);
        list.has_upc_keyword = true;
    }
    std::sort(list.upc_keywords.begin(), list.upc_keywords.end());
}

}  // namespace bn::lex
