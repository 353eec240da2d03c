// understood.h: a unit with its index and its places: what requests are answered from.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lsp/document.h"
#include "lsp/index.h"
#include "lsp/places.h"
#include "lsp/unit.h"

namespace bn::lsp {

class Understood {
public:
    Understood(CompileCommand command, const Document& document, bool wants_remarks);

    Unit& unit() { return unit_; }
    int64_t version() const { return version_; }

    // False if there is no tree: the text could not be preprocessed.  Then nothing below may be asked.
    bool has_tree() const { return places_.has_value(); }
    const lex::TokenList& tokens() const { return unit_.origin()->tokens; }
    const ast::Unit& tree() const { return *unit_.tree()->unit; }
    const Index& index() const { return index_; }
    Places& places() { return *places_; }
    uint32_t main_file() const { return main_file_; }

    // The token at, or before, a place of the text that was understood; 0 if there is none
    lex::TokenIndex token_at(uint32_t line, size_t byte) { return places_->token_at(main_file_, line + 1, byte); }
    lex::TokenIndex token_before(uint32_t line, size_t byte)
    {
        return places_->token_before(main_file_, line + 1, byte);
    }

    // The thing of this name that is in scope behind a token; 0 if there is none
    uint32_t entity_named(std::string_view name, lex::TokenIndex token) const;

    // The text of a line of a file of the unit, from 1
    std::string_view line(uint32_t file, uint32_t line) const { return unit_.origin()->source.source_line(file, line); }
    // The files of the unit, the main one first; each once, though it may have several indices
    std::vector<uint32_t> files() const;
    // Of a file, which a thousand empty ones end
    uint32_t line_count(uint32_t file) const;
    // An absolute name
    std::string file_path(uint32_t file) const;

    // As the protocol has them
    Json range_of(const Spot& spot, Encoding encoding);
    Json location_of(const Spot& spot, Encoding encoding);
    // Of a line of a file, from 1; until the next call for another one
    Columns& columns_of(uint32_t file, uint32_t line, Encoding encoding);

private:
    Unit unit_;
    int64_t version_;
    Index index_;
    std::optional<Places> places_;
    uint32_t main_file_ = 0;
    std::string uri_;  // of the main file, as the client writes it

    // Of the last line that was asked for
    std::optional<Columns> columns_;
    uint32_t columns_file_ = 0, columns_line_ = 0;
};

// A range in one line, from 0, of bytes
Json range_in_line(std::string_view line, uint32_t number, size_t first, size_t end, Encoding encoding);

}  // namespace bn::lsp
