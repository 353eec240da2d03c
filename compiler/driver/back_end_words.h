// back_end_words.h: removes upcc's own names from the text of a message of the C compiler.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "diag/diagnostics.h"
#include "lex/token.h"

namespace bn::driver {

// Quoted text, 'like this' or in gcc's UTF-8 quotes: [begin, end) without the quotes
struct Quoted {
    size_t begin;
    size_t end;
    size_t quote_bytes;  // size of each of the two quotes
};
std::optional<Quoted> find_quoted(std::string_view text, size_t from);

class Words {
public:
    explicit Words(const lex::TokenList& tokens) : tokens_(tokens) {}

    // The text in the programmer's terms: types of emitted C by their UPC names, expressions of emitted C as the source
    // tokens from which they came.  nullopt if it only concerns a name of upcc, which would mean nothing to the
    // programmer.
    std::optional<std::string> translate(std::string_view text, const std::optional<diag::Range>& range);

private:
    bool is_of_the_program(std::string_view name);
    bool has_our_name(std::string_view text);
    std::string with_types_named(std::string_view text);
    std::string source_of(const diag::Range& range) const;

    const lex::TokenList& tokens_;
    std::optional<std::set<std::string_view>> own_;  // names of the program that look like ours; filled on first use
};

}  // namespace bn::driver
