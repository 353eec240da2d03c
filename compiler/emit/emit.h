// emit.h: prints a lowered tree as C.
//
// Text that has no lowered form is copied as it was written, line markers included; where a lowered form is shorter or
// longer than what it replaces, newlines or a new line marker put the next copied token back on its line.
#pragma once

#include <string>

#include "ast/ast.h"
#include "lex/token.h"

namespace bn::emit {

std::string emit(const ast::Unit& unit, const ast::Lowered& tail, const lex::TokenList& tokens);

}  // namespace bn::emit
