// long_spelling.h: the long spellings of gcc's short options, such as --output=FILE.
#pragma once

#include <string>
#include <vector>

namespace bn::driver {

// If arguments[at] is a long spelling, replaces it by the short one, so that no other part needs to know it.
void spell_short(std::vector<std::string>& arguments, size_t at);

}  // namespace bn::driver
