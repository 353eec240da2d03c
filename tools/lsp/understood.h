// understood.h: an analysed unit with its index and places, from which requests are answered.
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

    // False if there is no tree because the text could not be preprocessed.  Then none of the functions below may be
    // called.
    bool has_tree() const { return places_.has_value(); }
    const lex::TokenList& tokens() const { return unit_.origin()->tokens; }
    const ast::Unit& tree() const { return *unit_.tree()->unit; }
    const Index& index() const { return index_; }
    Places& places() { return *places_; }
    uint32_t main_file() const { return main_file_; }

    // The token at, or before, a place of the analysed text; 0 if there is none
    lex::TokenIndex token_at(uint32_t line, size_t byte) { return places_->token_at(main_file_, line + 1, byte); }
    lex::TokenIndex token_before(uint32_t line, size_t byte)
    {
        return places_->token_before(main_file_, line + 1, byte);
    }

    // The entity of this name that is in scope after a token; 0 if there is none
    uint32_t entity_named(std::string_view name, lex::TokenIndex token) const;

    // The text of a line, counted from 1, of a file of the unit
    std::string_view line(uint32_t file, uint32_t line) const { return unit_.origin()->source.source_line(file, line); }
    // The files of the unit, the main one first; each only once, even if it has several indices
    std::vector<uint32_t> files() const;
    // The number of lines of a file, which is considered to end after a thousand empty lines
    uint32_t line_count(uint32_t file) const;
    // An absolute file name
    std::string file_path(uint32_t file) const;

    // Converted to protocol values
    Json range_of(const Spot& spot, Encoding encoding);
    Json location_of(const Spot& spot, Encoding encoding);
    // The columns of a line, counted from 1, of a file; valid until the next call for another line
    Columns& columns_of(uint32_t file, uint32_t line, Encoding encoding);

private:
    Unit unit_;
    int64_t version_;
    Index index_;
    std::optional<Places> places_;
    uint32_t main_file_ = 0;
    std::string uri_;  // of the main file, as written by the client

    // For the last line requested
    std::optional<Columns> columns_;
    uint32_t columns_file_ = 0, columns_line_ = 0;
};

// The protocol range of bytes in a line, counted from 0
Json range_in_line(std::string_view line, uint32_t number, size_t first, size_t end, Encoding encoding);

}  // namespace bn::lsp
