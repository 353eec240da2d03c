// c_names.h: which words of UPC are names in C that stands in a unit, or in all of it.  C's grammar and its scopes
// decide: they know what is declared, and each word in question has to be a name that the text declares, or stand where
// only a name can.  No program of UPC declares its keywords, so text that passes is none.
#pragma once

#include "lex/token.h"

namespace bn::parse {

// Under "#pragma upc c_code", makes THREADS and MYTHREAD the words of UPC where an expression has them and nothing
// declares them.
void settle_c_code(lex::TokenList& tokens);

// Makes the words of UPC names in each file of the unit in which all of them are names of C.  `main_may_be_c` says
// whether that may be so for the main file, too; it is one of C only if nothing in the whole unit is UPC.  Returns
// whether anything became a name. For units that make no sense otherwise: it parses all of the text.
bool settle_c_files(lex::TokenList& tokens, bool main_may_be_c);

}  // namespace bn::parse
