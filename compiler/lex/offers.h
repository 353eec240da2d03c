// offers.h: declarations that a header of the library offers, which a program may use or ignore.
//
// Other UPC systems declare much in <upc.h> that programs for them use without another header, while other programs use
// the same names for something else.  Between "#pragma banyan offer" and "#pragma banyan end" our headers hold such
// declarations of functions and types, one name each.  A declaration is kept if the unit uses its name without
// declaring it at file scope itself, or if a kept declaration needs it; the others become white space, which is also
// cheaper than parsing them.
#pragma once

#include <string>

#include "lex/lex.h"

namespace bn::lex {

// `preprocessed` without the offers that the program does not use; `name` and `options` as for Source and lex.  Cost: a
// search for names of the library; the text is read as tokens only if it has one that is offered.
std::string settle_offers(std::string preprocessed, const std::string& name, const Options& options);

}  // namespace bn::lex
