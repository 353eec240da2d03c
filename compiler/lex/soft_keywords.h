// soft_keywords.h: words of UPC as names of plain C: in programs, and in headers of a system.
#pragma once

#include "lex/token.h"

namespace bn::lex {

// Makes these three words identifiers again in a unit that uses them as such and uses nothing else of UPC: no other
// keyword, no UPC header, no pragma.  Any C program is meant to be a UPC program (facts 1.1), and many call a flag
// `strict`.  In a unit that uses UPC the same is done, word by word, for each header of plain C: those of libraries
// that are found by -I.
void settle_soft_keywords(TokenList& list);

// Makes words of UPC in system headers keywords where the header is one of UPC, which its text tells and not the folder
// where it was found: programs have headers of their own in folders of -isystem, of C_INCLUDE_PATH and in those that
// upcc searches last.  A header is one of UPC if it has a word that C programs have no use for, or declares something
// with "shared" and has nothing of that name.  Then it is no system header for messages, either.
void settle_system_headers(TokenList& list);

}  // namespace bn::lex
