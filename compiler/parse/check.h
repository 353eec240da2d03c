// check.h: the invariants of a syntax tree that every later stage relies on.
#pragma once

#include <string>

#include "ast/ast.h"
#include "lex/token.h"

namespace bn::parse {

// Returns what is wrong with the tree, empty if nothing: each node lies within its parent and after its left sibling,
// covers at least one token, and stores its height correctly; external declarations leave no gaps.  Cost: one walk over
// the tree.
std::string check_structure(const ast::Unit& unit, const lex::TokenList& tokens);

}  // namespace bn::parse
