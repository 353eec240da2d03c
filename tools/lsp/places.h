// places.h: which text of which file a token is, and which token stands at a place.
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
    bool is_written =
        false;  // the token stands there; otherwise what stands there is a macro that the token comes from

    auto operator<=>(const Spot&) const = default;
};

class Places {
public:
    // `tokens` must outlive it.
    explicit Places(const lex::TokenList& tokens);

    // Cost: linear in the length of the line, once for each line.  Nothing if the file cannot be read.
    std::optional<Spot> spot(lex::TokenIndex token);

    // The token that is written there or whose macro is; that which ends there if none begins there.  0 if there is
    // none.
    lex::TokenIndex token_at(uint32_t file, uint32_t line, size_t byte);

    // The last token of the file before a place; 0 if there is none.
    lex::TokenIndex token_before(uint32_t file, uint32_t line, size_t byte);

    // All indices of the file of this name: a file may have several, of which one has tokens
    std::optional<uint32_t> file(std::string_view name) const;

    const source::Source& source() const { return *tokens_.source; }

private:
    // Tokens that the preprocessor gave to one line
    struct Run {
        uint32_t file;
        uint32_t line;
        lex::TokenIndex first;
    };

    const diag::LinePlaces& line_places(lex::TokenIndex token);

    const lex::TokenList& tokens_;
    std::vector<Run> runs_;                              // by file and line
    std::map<lex::TokenIndex, diag::LinePlaces> lines_;  // by a token of each
};

}  // namespace bn::lsp
