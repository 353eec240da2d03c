// back_end_words.h: the words of a message of the C compiler without what is upcc's own.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "diag/diagnostics.h"
#include "lex/token.h"

namespace bn::driver {

// What stands in quotes, 'so' or as gcc writes it in UTF-8: [begin, end) without the quotes
struct Quoted {
    size_t begin;
    size_t end;
    size_t quote_bytes;  // of each of the two
};
std::optional<Quoted> find_quoted(std::string_view text, size_t from);

class Words {
public:
    explicit Words(const lex::TokenList& tokens) : tokens_(tokens) {}

    // The text in the programmer's words: types of emitted C by their names in UPC, expressions of emitted C as the
    // tokens that they came from are written.  Nothing if it is about a name of upcc's alone, of which the programmer
    // can know nothing.
    std::optional<std::string> translate(std::string_view text, const std::optional<diag::Range>& range);

private:
    bool is_of_the_program(std::string_view name);
    bool has_our_name(std::string_view text);
    std::string with_types_named(std::string_view text);
    std::string source_of(const diag::Range& range) const;

    const lex::TokenList& tokens_;
    std::optional<std::set<std::string_view>>
        own_;  // names like ours that the program has; filled when first asked for
};

}  // namespace bn::driver
