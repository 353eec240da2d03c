// dump.h: the syntax tree as text, for tests.
#pragma once

#include <string>

#include "ast/ast.h"
#include "lex/token.h"

namespace bn::parse {

// One S-expression per external declaration, each on a line of its own: (Kind detail children...).  The detail is the
// text that the kind does not determine: a name, an operator, a constant, specifier keywords.
std::string dump(const ast::Unit& unit, const lex::TokenList& tokens);

// The same for one node
std::string dump(const ast::Node& node, const lex::TokenList& tokens);

}  // namespace bn::parse
