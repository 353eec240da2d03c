// answers.h: answers to requests about a place in a text, as protocol values; null or empty if there is nothing to say.
// Implemented in hover.cc, macros.cc, navigation.cc, completion.cc, messages.cc.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lsp/document.h"
#include "lsp/understood.h"

namespace bn::lsp {

struct Question {
    Understood& unit;
    const Document& document;  // may be newer than the unit
    Encoding encoding = Encoding::Utf16;
    Position position = {};

    std::string_view line() const { return document.line(position.line); }
    size_t byte() const { return byte_of(line(), position.column, encoding); }
    lex::TokenIndex token() const { return unit.has_tree() ? unit.token_at(position.line, byte()) : 0; }
};

// The name around a position in a line; begin_p receives its start
std::string_view name_around(std::string_view line, size_t byte, size_t* begin_p = nullptr);

// ---- hover.cc ----

Json hover(const Question& question);
// A one-line description of what a name means: "shared [4] int a[THREADS * 8]"
std::string declaration_text(const Understood& unit, const Entity& entity);
// The comment above a declaration or after it on its line, limited to `most_lines` lines.  Empty if there is none.
std::string comment_of(Understood& unit, const Entity& entity, int most_lines);

// ---- macros.cc ----

// The name of a macro in its definition in a file of the unit; nullopt if no file defines it.
std::optional<Spot> macro_spot(const Understood& unit, std::string_view name);
// Occurrences of a macro's name in the code of the unit's files: as definitions, otherwise as reads.
std::vector<std::pair<Spot, Occurrence::Role>> macro_places(const Understood& unit, std::string_view name);

// ---- navigation.cc ----

Json definition(const Question& question);
Json declaration(const Question& question);
Json references(const Question& question, bool with_declarations);
Json highlights(const Question& question);
Json document_symbols(const Question& question);
Json semantic_tokens(const Question& question);
Json semantic_legend();

// ---- completion.cc ----

// is_triggered: by a character that may be part of a member access; then only members are offered.
Json completion(const Question& question, bool is_triggered);
Json signature_help(const Question& question);

// ---- messages.cc ----

// All messages of upcc; with_remarks: include remarks, as hints.
Json diagnostics(const Question& question, bool with_remarks);
// Remarks about these lines, placed at the end of the line each is about
Json inlay_hints(const Question& question, uint32_t first_line, uint32_t last_line);

}  // namespace bn::lsp
