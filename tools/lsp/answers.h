// answers.h: what requests about a place of a text are answered with: values as the protocol has them, null or empty if
// there is nothing to say.  hover.cc, macros.cc, navigation.cc, completion.cc, messages.cc.
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

// The name around a place of a line; where it begins
std::string_view name_around(std::string_view line, size_t byte, size_t* begin_p = nullptr);

// ---- hover.cc ----

Json hover(const Question& question);
// What a name is, on one line: "shared [4] int a[THREADS * 8]"
std::string declaration_text(const Understood& unit, const Entity& entity);
// The comment above a declaration, or behind it on its line; at most so many lines.  Empty if there is none.
std::string comment_of(Understood& unit, const Entity& entity, int most_lines);

// ---- macros.cc ----

// The name of a macro where a file of the unit defines it; nothing if none does.
std::optional<Spot> macro_spot(const Understood& unit, std::string_view name);
// Where the files of the unit have the name of a macro in their code: definitions, or else as if it were read.
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

// is_triggered: by a character that may be part of an access to a member; then nothing else is offered.
Json completion(const Question& question, bool is_triggered);
Json signature_help(const Question& question);

// ---- messages.cc ----

// All that upcc says; remarks, too, if they are to be hints.
Json diagnostics(const Question& question, bool with_remarks);
// Remarks in these lines, at the ends of theirs
Json inlay_hints(const Question& question, uint32_t first_line, uint32_t last_line);

}  // namespace bn::lsp
