// soft_keywords.h: "shared", "strict" and "relaxed" as names of plain C programs.
#pragma once

#include "lex/token.h"

namespace bn::lex {

// Makes these three words identifiers again in a unit that uses them as such and uses nothing else of UPC: no other keyword, no
// UPC header, no pragma.  Any C program is meant to be a UPC program (facts 1.1), and many call a flag `strict`.  In a unit that
// uses UPC the same is done, word by word, for each header of plain C: those of libraries that are found by -I.
void settle_soft_keywords(TokenList& list);

}  // namespace bn::lex
