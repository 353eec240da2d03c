// soft_keywords.h: words of UPC used as names in plain C: in programs and in system headers.
#pragma once

#include "lex/token.h"

namespace bn::lex {

// Makes these three words identifiers again in a unit that uses them as such and uses nothing else of UPC: no other
// keyword, no UPC header, no pragma.  Any C program should be a UPC program (facts 1.1), and many call a flag
// `strict`.  In a unit that uses UPC the same is done, word by word, for each header of plain C: those of libraries
// that are found by -I.
void settle_soft_keywords(TokenList& list);

// Makes words of UPC in system headers keywords if the header is a UPC header.  That depends on its text and not on its
// folder: programs keep their own headers in folders of -isystem and C_INCLUDE_PATH and in those that upcc searches
// last.  A header is a UPC header if it has a word that C programs have no use for, or declares something with "shared"
// and has nothing of that name.  For messages it is not a system header then, either.
void settle_system_headers(TokenList& list);

}  // namespace bn::lex
