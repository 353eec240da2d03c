// offers.h: declarations that a library header offers and a program may use or ignore.
//
// Other UPC systems declare much in <upc.h> that programs written for them use without including another header, while
// other programs use the same names for something else.  Between "#pragma banyan offer" and "#pragma banyan end" our
// headers hold such declarations of functions and types, one name each.  A declaration is kept if the unit uses its
// name without declaring it at file scope itself, or if a kept declaration needs it; the others are replaced by white
// space, which also saves parsing them.
#pragma once

#include <string>

#include "lex/lex.h"

namespace bn::lex {

// Returns `preprocessed` without the offers that the program does not use; `name` and `options` as for Source and lex.
// Cost: a search for library names; the text is tokenised only if it contains an offered name.
std::string settle_offers(std::string preprocessed, const std::string& name, const Options& options);

}  // namespace bn::lex
