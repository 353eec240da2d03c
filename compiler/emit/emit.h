// emit.h: prints a lowered tree as C.
//
// Text that has no lowered form is copied as it was written, line markers included; where a lowered form is shorter or
// longer than what it replaces, newlines or a new line marker put the next copied token back on its line.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ast/ast.h"
#include "lex/token.h"

namespace bn::emit {

// What the C from offset `begin` on, up to the next part, comes from.
struct Part {
    uint32_t begin;
    uint32_t source;            // copied: offset in the preprocessed text; kLowered if it is in the place of tokens
    lex::TokenIndex first = 0;  // lowered: the tokens, and which of them a message points at; 0 if it is of no tokens
    lex::TokenIndex last = 0;
    lex::TokenIndex at = 0;

    static constexpr uint32_t kLowered = UINT32_MAX;
    bool is_copied() const { return source != kLowered; }
};

struct Emitted {
    std::string c;
    std::vector<Part> parts;  // by `begin`; the first begins at 0
};

Emitted emit(const ast::Unit& unit, const ast::Lowered& tail, const lex::TokenList& tokens);

}  // namespace bn::emit
