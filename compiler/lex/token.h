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

// The name of a token in messages: its spelling, or "identifier", "number", "end of file"
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

// A "#pragma upc ..."; no token represents it
struct Pragma {
    PragmaKind kind;
    TokenIndex before;  // the token that follows it
    uint32_t offset;    // of '#'
    uint32_t length;    // without the newline
    uint32_t line;      // physical line of '#'
};

// A "#pragma pack(...)", which limits the alignment of members in the structs that follow
struct Pack {
    TokenIndex before = 0;  // the token that follows it
    bool pushes = false;
    bool pops = false;
    std::string_view label;         // the label pushed or popped; empty if none
    std::optional<uint32_t> bytes;  // 0: natural alignment; nullopt: unchanged, or the value pushed
};

// Any other pragma
struct OtherPragma {
    TokenIndex before;      // the token that follows it
    std::string_view text;  // from '#' to the end of the line, in the preprocessed text
};

// A UPC word in a system header, or in a header included by C; it is a keyword if that header turns out to be a UPC
// header
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
    std::vector<OtherPragma> other_pragmas;
    std::vector<Pack> packs;               // in order
    std::vector<TokenIndex> upc_keywords;  // tokens that are UPC keywords, in order
    std::vector<Undecided> undecided;      // in order; empty once the lexer is done
    std::vector<Undecided> c_words;        // THREADS and MYTHREAD under "#pragma upc c_code", in order: parse/c_names.h
    std::vector<Undecided> old_words;      // statements of UPC 1.0, in order: lex/old_words.h
    std::vector<uint32_t> names_of_c;      // names: UPC words that turned out to be ordinary C names somewhere
    bool has_upc_keyword = false;          // any UPC keyword outside system headers

    const Token& operator[](TokenIndex index) const { return tokens[index]; }
    std::string_view text(TokenIndex index) const
    {
        return source->text().substr(tokens[index].offset, tokens[index].length);
    }
    uint32_t offset(const OtherPragma& pragma) const
    {
        return static_cast<uint32_t>(pragma.text.data() - source->text().data());
    }
};

}  // namespace bn::lex
