// nesting.h: functions that are never called from within a upc_forall, so that their own upc_forall loops always
// control.
#pragma once

#include <unordered_set>

#include "ast/ast.h"
#include "lex/token.h"

namespace bn::lower {

// The result consists of main and of the static functions that can only be reached by calls in this unit, within such
// functions and outside any upc_forall with an affinity.  A name that appears in any other way (as a value, in a
// string, in a declaration with an asm label, in unparsed text) counts as called from anywhere.  Only the runtime calls
// main: in other units the name means the runtime's own entry.  Costs one walk over the tokens of the unit.
std::unordered_set<const sema::Symbol*> functions_outside_foralls(const ast::Unit& unit, const lex::TokenList& tokens);

}  // namespace bn::lower
