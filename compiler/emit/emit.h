// emit.h: prints a lowered tree as C.
//
// Text without a lowered form is copied as written, line markers included; where a lowered form has more or fewer lines
// than the text it replaces, newlines or a new line marker put the next copied token back on its line.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ast/ast.h"
#include "lex/token.h"

namespace bn::emit {

// The origin of the C text from offset `begin` up to the next part
struct Part {
    uint32_t begin;
    uint32_t source;  // copied text: offset in the preprocessed text; kLowered if it replaces tokens
    // lowered text: the tokens it replaces, and the one a message points at; 0 if it replaces none
    lex::TokenIndex first = 0;
    lex::TokenIndex last = 0;
    lex::TokenIndex at = 0;

    static constexpr uint32_t kLowered = UINT32_MAX;
    bool is_copied() const { return source != kLowered; }
};

struct Emitted {
    std::string c;
    std::vector<Part> parts;  // sorted by `begin`; the first starts at 0
};

Emitted emit(const ast::Unit& unit, const ast::Lowered& tail, const lex::TokenList& tokens);

}  // namespace bn::emit
