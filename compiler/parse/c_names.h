// c_names.h: finds UPC keywords that are used as ordinary names in C text, in part of a unit or in all of it.  C's
// grammar and scopes decide: each such word must be a name that the text declares, or must stand where only a name is
// possible. No UPC program declares UPC keywords, so text that passes the test is not UPC.
#pragma once

#include "lex/token.h"
#include "parse/parse.h"

namespace bn::parse {

// Under "#pragma upc c_code", turns THREADS and MYTHREAD into UPC keywords where an expression contains them and
// nothing declares them.  `max_height` is as in Options; what is in higher trees is not found.
void settle_c_code(lex::TokenList& tokens, uint32_t max_height = kMaxTreeHeight);

// Turns UPC keywords into names in each file of the unit that uses all of them as C names.  `main_may_be_c` says
// whether this may also be done for the main file, which counts as C only if nothing in the whole unit is UPC.  Returns
// whether any keyword became a name. Meant for units that make no sense otherwise, because it parses the whole text.
bool settle_c_files(lex::TokenList& tokens, bool main_may_be_c, uint32_t max_height = kMaxTreeHeight);

}  // namespace bn::parse
