// soft_keywords.h: UPC keywords used as names in plain C: in programs and in system headers.
#pragma once

#include "lex/token.h"

namespace bn::lex {

// Turns these three words back into identifiers in a unit that uses them as such and uses no other UPC: no other
// keyword, no UPC header, no pragma.  Any C program should be a UPC program (facts 1.1), and many call a flag `strict`.
// In a unit that uses UPC the same is done, word by word, for each plain C header: those of libraries found through -I.
void settle_soft_keywords(TokenList& list);

// Turns UPC words in system headers into keywords if the header is a UPC header.  Its text decides, not its folder:
// programs keep their own headers in folders of -isystem and C_INCLUDE_PATH and in those that upcc searches last.  A
// header is a UPC header if it contains a word for which C programs have no use, or declares something with "shared"
// and has nothing of that name.  Messages then do not treat it as a system header, either.
void settle_system_headers(TokenList& list);

}  // namespace bn::lex
