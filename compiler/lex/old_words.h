// old_words.h: the statements of UPC 1.0, from before UPC keywords started with upc_.
#pragma once

#include "lex/token.h"

namespace bn::lex {

// Turns the names in `list.old_words` that are UPC 1.0 statements into keywords, and leaves only those in the list.
// Such a name starts a statement and continues as no C statement can: "barrier;", "notify 1;", "forall (a; b; c; d)".
// "barrier (1);" may be a call: it is a statement only under -compat=upc-1.0 (`is_wanted`) and if no system header
// declares the function.  Within the scope of a declaration by the program, a name is the program's.
void settle_old_words(TokenList& list, bool is_wanted);

}  // namespace bn::lex
