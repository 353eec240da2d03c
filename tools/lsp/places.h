// places.h: maps tokens to places in files, and places to tokens.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diag/columns.h"
#include "lex/token.h"
#include "lsp/json.h"

namespace bn::lsp {

// Bytes [first, end) of line `line`, from 1, of a file
struct Spot {
    uint32_t file = 0;
    uint32_t line = 0;
    uint32_t first = 0;
    uint32_t end = 0;
    // true if the token itself is there; false if the text there is a macro from which the token comes
    bool is_written = false;

    auto operator<=>(const Spot&) const = default;
};

class Places {
public:
    // `tokens` must outlive it.
    explicit Places(const lex::TokenList& tokens);

    // Cost: linear in the length of the line, once per line.  nullopt if the file cannot be read.
    std::optional<Spot> spot(lex::TokenIndex token);

    // The token written at a place, or produced by a macro there; if none starts there, the one that ends there.  0 if
    // there is none.
    lex::TokenIndex token_at(uint32_t file, uint32_t line, size_t byte);

    // The last token of the file before a place; 0 if there is none.
    lex::TokenIndex token_before(uint32_t file, uint32_t line, size_t byte);

    // The indices of the file with this name: it may have several, of which one has tokens
    std::optional<uint32_t> file(std::string_view name) const;

    const source::Source& source() const { return *tokens_.source; }

private:
    // Tokens that the preprocessor attributes to one line
    struct Run {
        uint32_t file;
        uint32_t line;
        lex::TokenIndex first;
    };

    const diag::LinePlaces& line_places(lex::TokenIndex token);

    const lex::TokenList& tokens_;
    std::vector<Run> runs_;                              // sorted by file and line
    std::map<lex::TokenIndex, diag::LinePlaces> lines_;  // by one token of each line
};

}  // namespace bn::lsp
