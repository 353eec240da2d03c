// nesting.h: functions that are never called from within a upc_forall, so that their own upc_forall loops always
// control.
#pragma once

#include <unordered_set>

#include "ast/ast.h"
#include "lex/token.h"

namespace bn::lower {

// main, and the static functions that nobody can reach but by calls which stand in this unit, in such functions, and
// not in a upc_forall with an affinity.  A name that appears in any other way (as a value, in a string, in text that is
// not understood) counts as called from anywhere.  main is called by the runtime alone: in other units its name means
// the runtime's own entry. Costs one walk over the tokens of the unit.
std::unordered_set<const sema::Symbol*> functions_outside_foralls(const ast::Unit& unit, const lex::TokenList& tokens);

}  // namespace bn::lower
