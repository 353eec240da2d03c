// token.h: the tokens of a preprocessed translation unit.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "source/source.h"

namespace bn::lex {

using TokenIndex = uint32_t;

enum class Tok : uint8_t {
#define BN_TOKEN(name, spelling) name,
#include "lex/tokens.def"
};

// What a token is called in a message: its spelling, or "identifier", "number", "end of file"
std::string_view spelling(Tok tok);

struct Token {
    uint32_t offset;  // in the preprocessed text
    uint32_t length;
    uint32_t line;  // physical line of the preprocessed text, counted from 0
    uint32_t name;  // Identifier and keywords: index in TokenList::names; equal names have equal indices
    Tok kind;
    bool in_system_header;
};

enum class PragmaKind : uint8_t { Strict, Relaxed, UpcCode, CCode, Malformed, OfLoop };  // OfLoop: loop_pragmas.cc

constexpr bool is_keyword(Tok tok)
{
    return tok >= Tok::KwAuto;
}
constexpr bool is_upc_keyword(Tok tok)
{
    return tok >= Tok::KwShared;
}

// #pragma upc ...; no token of the list stands for it
struct Pragma {
    PragmaKind kind;
    TokenIndex before;  // the token that follows it
    uint32_t offset;    // of '#'
    uint32_t length;    // without the newline
    uint32_t line;      // physical line of '#'
};

// #pragma pack(...), which says how far the members of structs that follow are aligned
struct Pack {
    TokenIndex before = 0;  // the token that follows it
    bool pushes = false;
    bool pops = false;
    std::string_view label;         // what is pushed or popped; empty if it has no name
    std::optional<uint32_t> bytes;  // 0: as the types ask; nullopt: as it was, or as it was pushed
};

// A word of UPC in a header of the system, or in one included by C, which is a keyword if that header turns out to be
// one of UPC
struct Undecided {
    TokenIndex token;
    Tok keyword;
};

struct TokenList {
    const source::Source* source = nullptr;
    bool is_c23 = false;        // lex::Options
    std::vector<Token> tokens;  // tokens[0] is a Start token (so that index 0 means "none"); ends with End
    std::vector<std::string_view> names;
    std::vector<Pragma> pragmas;
    std::vector<Pack> packs;               // in order
    std::vector<TokenIndex> upc_keywords;  // tokens that are keywords of UPC, in order
    std::vector<Undecided> undecided;      // in order; empty once the lexer is done
    std::vector<Undecided> c_words;        // THREADS and MYTHREAD under "#pragma upc c_code", in order: parse/c_names.h
    std::vector<Undecided> old_words;      // statements of UPC 1.0, in order: lex/old_words.h
    std::vector<uint32_t> names_of_c;      // names: words of UPC that turned out to be names of C somewhere
    bool has_upc_keyword = false;          // any keyword of UPC outside system headers

    const Token& operator[](TokenIndex index) const { return tokens[index]; }
    std::string_view text(TokenIndex index) const
    {
        return source->text().substr(tokens[index].offset, tokens[index].length);
    }
};

}  // namespace bn::lex
