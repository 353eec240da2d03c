#include "lex/soft_keywords.h"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <unordered_set>

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

// Tokens that can precede an operand but cannot follow a type
bool expects_operand(Tok kind)
{
    switch (kind) {
    case Tok::LParen:
    case Tok::Comma:
    case Tok::KwReturn:
    case Tok::KwCase:
    case Tok::Exclaim:
    case Tok::Question: return true;
    default: return kind >= Tok::Slash && kind <= Tok::GreaterGreaterEqual;
    }
}

bool is_type_word(Tok kind)
{
    switch (kind) {
    case Tok::Identifier:
    case Tok::KwBool:
    case Tok::KwChar:
    case Tok::KwDouble:
    case Tok::KwFloat:
    case Tok::KwInt:
    case Tok::KwLong:
    case Tok::KwShort:
    case Tok::KwSigned:
    case Tok::KwUnsigned: return true;
    default: return false;
    }
}

// "int strict)", "T relaxed,", "int strict[3]": after a type that is not shared, these two words qualify nothing.  "int
// shared," is also a parameter with that name, because parameters cannot be shared; "sizeof(int shared)" is a type.
bool is_declared_here(const TokenList& list, TokenIndex word)
{
    Tok after = list[word + 1].kind;
    bool is_shared_itself = list[word].kind == Tok::KwShared;
    if (!is_type_word(list[word - 1].kind))
        return false;
    if (is_shared_itself ? after != Tok::Comma : after != Tok::Comma && after != Tok::RParen && after != Tok::LBracket)
        return false;
    TokenIndex first = word - 1;
    while (is_type_word(list[first].kind) || list[first].kind == Tok::KwConst || list[first].kind == Tok::KwVolatile)
        --first;
    Tok before = list[first].kind;
    return !is_soft(before) && before != Tok::RBracket && before != Tok::RParen && before != Tok::Star;
}

// A qualifier is followed by the rest of a declaration: a type, '*', '[', a name, or the end of an abstract declarator.
bool is_name_here(const TokenList& list, TokenIndex word)
{
    Tok before = list[word - 1].kind;
    Tok after = list[word + 1].kind;
    if (before == Tok::Dot || before == Tok::Arrow || before == Tok::KwGoto)
        return true;
    switch (after) {
    case Tok::Semicolon:
    case Tok::Colon:
    case Tok::Question:
    case Tok::Dot:
    case Tok::Arrow:
    case Tok::Plus:
    case Tok::Minus: return true;
    case Tok::RParen:
    case Tok::Comma:
    case Tok::RBracket:
    case Tok::RBrace: return expects_operand(before) || is_declared_here(list, word);
    case Tok::LBracket: return is_declared_here(list, word);
    default: return after >= Tok::Slash && after <= Tok::GreaterGreaterEqual;
    }
}

// Handles a unit of plain C.
void settle_unit(TokenList& list)
{
    for (Token& token : list.tokens) {
        if (!is_soft(token.kind))
            continue;
        token.kind = Tok::Identifier;
        list.names_of_c.push_back(token.name);
    }
    list.upc_keywords.clear();
    list.has_upc_keyword = false;
}

// How a header uses each of the three words
struct Header {
    bool is_upc = false;  // uses something that only UPC has
    std::array<bool, 3> is_name{};
};

size_t number_of(Tok soft)
{
    return soft == Tok::KwShared ? 0 : soft == Tok::KwStrict ? 1 : 2;
}

// Handles plain C headers in a UPC unit.
void settle_headers(TokenList& list)
{
    auto file_of = [&](uint32_t line) { return list.source->location(line).file; };
    uint32_t main_file = file_of(list.tokens.back().line);
    std::unordered_map<uint32_t, Header> headers;
    for (const Pragma& pragma : list.pragmas)
        headers[file_of(pragma.line)].is_upc = true;
    for (TokenIndex i : list.upc_keywords) {
        Header& header = headers[file_of(list[i].line)];
        header.is_upc |= is_hard(list[i].kind);
        if (is_soft(list[i].kind) && is_name_here(list, i))
            header.is_name[number_of(list[i].kind)] = true;
    }
    std::erase_if(list.upc_keywords, [&](TokenIndex i) {
        uint32_t file = file_of(list[i].line);
        const Header& header = headers[file];
        Token& token = list.tokens[i];
        if (file == main_file || header.is_upc || !is_soft(token.kind) || !header.is_name[number_of(token.kind)])
            return false;
        token.kind = Tok::Identifier;
        return true;
    });
}

// enum { THREADS = 4 }: C programs do not use the other words of its kind as names.
bool is_enumerator(const TokenList& list, TokenIndex word)
{
    Tok before = list[word - 1].kind;
    Tok after = list[word + 1].kind;
    return (before == Tok::LBrace || before == Tok::Comma) &&
           (after == Tok::Equal || after == Tok::Comma || after == Tok::RBrace);
}

bool begins_type(Tok kind)
{
    switch (kind) {
    case Tok::KwConst:
    case Tok::KwVolatile:
    case Tok::KwVoid:
    case Tok::KwStruct:
    case Tok::KwUnion:
    case Tok::KwEnum:
    case Tok::KwStrict:
    case Tok::KwRelaxed: return true;
    default: return is_type_word(kind);
    }
}

// "shared T", "shared [n] T": not possible in C with `shared` as a name
bool qualifies_here(const TokenList& list, TokenIndex word)
{
    TokenIndex next = word + 1;
    if (list[next].kind == Tok::LBracket) {
        for (int depth = 0; list[next].kind != Tok::End; ++next) {
            depth += list[next].kind == Tok::LBracket;
            depth -= list[next].kind == Tok::RBracket;
            if (depth == 0)
                break;
        }
        ++next;
    }
    return next < list.tokens.size() && begins_type(list[next].kind);
}

void leave_system(TokenList& list, const std::unordered_set<uint32_t>& files)
{
    uint32_t line = UINT32_MAX;
    bool is_one_of_them = false;
    for (Token& token : list.tokens) {
        if (token.line != line) {
            line = token.line;
            is_one_of_them = files.contains(list.source->location(line).file);
        }
        if (is_one_of_them)
            token.in_system_header = false;
    }
}

}  // namespace

void settle_system_headers(TokenList& list)
{
    struct Evidence {
        bool has_hard_word = false;
        bool has_qualifier = false;
        bool has_name = false;
    };
    auto file_of = [&](const Undecided& word) { return list.source->location(list[word.token].line).file; };
    std::unordered_map<uint32_t, Evidence> headers;
    for (const Undecided& word : list.undecided)
        list.tokens[word.token].kind = word.keyword;
    for (const Undecided& word : list.undecided) {
        Evidence& evidence = headers[file_of(word)];
        evidence.has_hard_word |= is_hard(word.keyword) && !is_enumerator(list, word.token);
        if (word.keyword == Tok::KwShared) {
            evidence.has_qualifier |= qualifies_here(list, word.token);
            evidence.has_name |= is_name_here(list, word.token);
        }
    }
    std::unordered_set<uint32_t> of_upc;
    for (const auto& [file, evidence] : headers)
        if (evidence.has_hard_word || (evidence.has_qualifier && !evidence.has_name))
            of_upc.insert(file);
    for (const Undecided& word : list.undecided) {
        if (of_upc.contains(file_of(word)))
            list.upc_keywords.push_back(word.token);
        else
            list.tokens[word.token].kind = Tok::Identifier;
    }
    list.undecided.clear();
    if (of_upc.empty())
        return;
    std::sort(list.upc_keywords.begin(), list.upc_keywords.end());
    list.has_upc_keyword = true;
    leave_system(list, of_upc);
}

void settle_soft_keywords(TokenList& list)
{
    if (!list.has_upc_keyword)
        return;
    bool is_upc = !list.pragmas.empty();
    bool used_as_name = false;
    for (TokenIndex i : list.upc_keywords) {
        is_upc |= is_hard(list[i].kind) || (list[i].kind == Tok::KwShared && qualifies_here(list, i));
        used_as_name |= is_soft(list[i].kind) && is_name_here(list, i);
    }
    if (!used_as_name)
        return;
    if (is_upc)
        settle_headers(list);
    else
        settle_unit(list);
}

}  // namespace bn::lex
