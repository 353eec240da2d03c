// old_words.h: the statements of UPC 1.0, before all of UPC's words began with upc_.
#pragma once

#include "lex/token.h"

namespace bn::lex {

// Makes keywords of the names in `list.old_words` that are statements of UPC 1.0, and leaves those in the list.  They
// are where a statement begins, and go on as no C does: "barrier;", "notify 1;", "forall (a; b; c; d)".  "barrier (1);"
// may be a call: it is a statement, too, if they are wanted (-compat=upc-1.0) and no header of the system declares the
// function.  A name is the program's as far as a declaration of the program's reaches.
void settle_old_words(TokenList& list, bool is_wanted);

}  // namespace bn::lex
