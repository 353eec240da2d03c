#include "lex/old_words.h"

#include <algorithm>
#include <unordered_map>
#include <vector>

namespace bn::lex {

namespace {

// Which brackets belong together; 0 for none
class Brackets {
public:
    explicit Brackets(const TokenList& list) : opening_(list.tokens.size()), closing_(list.tokens.size())
    {
        std::vector<TokenIndex> parentheses;
        std::vector<TokenIndex> braces;
        for (TokenIndex i = 0; i < list.tokens.size(); ++i) {
            Tok kind = list[i].kind;
            if (kind == Tok::RBrace || kind == Tok::RParen)
                close(kind == Tok::RBrace ? braces : parentheses, i);
            else
                opening_[i] = braces.empty() ? 0 : braces.back();
            if (kind == Tok::LBrace || kind == Tok::LParen)
                (kind == Tok::LBrace ? braces : parentheses).push_back(i);
        }
    }

    // Of a closing bracket, the one that it closes; of other tokens, the innermost brace around it
    TokenIndex opening(TokenIndex token) const { return opening_[token]; }
    TokenIndex closing(TokenIndex open) const { return closing_[open]; }

private:
    void close(std::vector<TokenIndex>& open, TokenIndex token)
    {
        if (open.empty())
            return;
        opening_[token] = open.back();
        closing_[open.back()] = token;
        open.pop_back();
    }

    std::vector<TokenIndex> opening_;
    std::vector<TokenIndex> closing_;
};

bool is_between_statements(Tok kind)
{
    return kind == Tok::Semicolon || kind == Tok::LBrace || kind == Tok::Colon || kind == Tok::KwElse ||
           kind == Tok::KwDo;
}

// Whether a statement can begin after this token
bool ends_statement(const TokenList& list, const Brackets& brackets, TokenIndex token)
{
    TokenIndex open = brackets.opening(token);
    Tok before = open > 0 ? list[open - 1].kind : Tok::Start;
    switch (list[token].kind) {
    case Tok::RParen:  // if (...), for (...), ...
        return before == Tok::KwIf || before == Tok::KwFor || before == Tok::KwWhile || before == Tok::KwSwitch ||
               before == Tok::KwForall;
    case Tok::RBrace:  // of a block, not of a struct or an initialiser
        return before == Tok::RParen || before == Tok::RBrace || is_between_statements(before);
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
bool is_member(const TokenList& list, const Brackets& brackets, TokenIndex token)
{
    TokenIndex open = brackets.opening(token);
    auto opens_record = [&](TokenIndex i) { return list[i].kind == Tok::KwStruct || list[i].kind == Tok::KwUnion; };
    return open > 1 && (opens_record(open - 1) || (list[open - 1].kind == Tok::Identifier && opens_record(open - 2)));
}

// After a type or a '*', a name is declared; after a '.' it is a member and after "goto" a label, which are not
// declarations.
bool declares(const TokenList& list, const Brackets& brackets, TokenIndex name)
{
    Tok before = list[name - 1].kind;
    Tok after = list[name + 1].kind;
    if (before == Tok::Dot || before == Tok::Arrow || before == Tok::KwGoto || after == Tok::Colon)
        return false;
    bool is_type = before == Tok::Identifier || before == Tok::Star ||
                   (before >= Tok::KwAuto && before <= Tok::KwVolatile && before != Tok::KwElse &&
                    before != Tok::KwDo && before != Tok::KwReturn && before != Tok::KwCase);
    return is_type || (before == Tok::RBrace && !ends_statement(list, brackets, name - 1)) ||
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

Scope scope_of(const TokenList& list, const Brackets& brackets, TokenIndex begin)
{
    Scope scope{list[begin].name, begin, static_cast<TokenIndex>(list.tokens.size() - 1)};
    TokenIndex end = brackets.closing(brackets.opening(begin));
    if (end == 0 && !is_parameter(list, begin)) {
        scope.begin = 0;
        return scope;
    }
    if (end == 0) {
        end = begin;
        while (list[end].kind != Tok::End && list[end].kind != Tok::Semicolon && list[end].kind != Tok::LBrace)
            ++end;
        end = list[end].kind == Tok::LBrace ? brackets.closing(end) : end;
    }
    scope.end = end != 0 ? end : scope.end;
    return scope;
}

// Names of statements with the meanings that the program or a system header gives to them
class Meanings {
public:
    void add(const Scope& scope) { scopes_.push_back(scope); }

    // Must be called in the order of tokens, after the last add
    bool is_known(uint32_t name, TokenIndex token)
    {
        if (next_ == 0)
            std::ranges::stable_sort(scopes_, {}, &Scope::begin);
        for (; next_ < scopes_.size() && scopes_[next_].begin <= token; ++next_) {
            TokenIndex& end = last_[scopes_[next_].name];
            end = std::max(end, scopes_[next_].end);
        }
        auto found = last_.find(name);
        return found != last_.end() && token <= found->second;
    }

private:
    std::vector<Scope> scopes_;
    size_t next_ = 0;                                // scopes_ before it have begun
    std::unordered_map<uint32_t, TokenIndex> last_;  // by name: where the last of these ends
};

}  // namespace

void settle_old_words(TokenList& list, bool is_wanted)
{
    if (list.old_words.empty())
        return;
    const Brackets brackets(list);
    Meanings of_program;
    Meanings of_system;  // wait() of <sys/wait.h>
    for (const Undecided& word : list.old_words)
        if (declares(list, brackets, word.token) && !is_member(list, brackets, word.token))
            (list[word.token].in_system_header ? of_system : of_program).add(scope_of(list, brackets, word.token));
    std::erase_if(list.old_words, [&](const Undecided& word) {
        const Token& token = list[word.token];
        if (token.in_system_header || of_program.is_known(token.name, word.token) ||
            !ends_statement(list, brackets, word.token - 1))
            return true;
        bool is_of_system = of_system.is_known(token.name, word.token);
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
