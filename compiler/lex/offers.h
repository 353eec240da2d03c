// offers.h: what a header of the library offers, a program takes or leaves.
//
// Other UPC systems declare much in <upc.h> that programs for them use without another header, and that other programs
// give a meaning of their own.  Between "#pragma banyan offer" and "#pragma banyan end" our headers hold such
// declarations of functions and types, each with one name.  Those stay that the unit uses without declaring the name at
// file scope itself, and what they are made of; the others become white space, which is also cheaper than parsing them.
#pragma once

#include <string>

#include "lex/lex.h"

namespace bn::lex {

// `preprocessed` without the offers that the program leaves; `name` and `options` as for Source and lex.
// Cost: a search for names of the library; the text is read as tokens only if it has one that is offered.
std::string settle_offers(std::string preprocessed, const std::string& name, const Options& options);

}  // namespace bn::lex
