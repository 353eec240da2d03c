// strings.h: lengths of string literals, which complete the types of shared arrays, and values of characters.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace bn::sema {

// Number of elements of `unit_bytes` (1, 2 or 4) that one literal yields, given the source text between its quotes; the
// terminating null is not counted.  Source and program use UTF-8.
uint64_t string_units(std::string_view literal, unsigned unit_bytes);

// The value of a character constant, given with its prefix and quotes, before it is converted to the type of the
// constant; nullopt where it depends on the character set
std::optional<int64_t> character_value(std::string_view literal, bool char_is_unsigned);

}  // namespace bn::sema
