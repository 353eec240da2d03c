// strings.h: how long string literals are, since they complete the types of shared arrays, and what characters are.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace bn::sema {

// Number of elements of `unit_bytes` (1, 2 or 4) that the characters between the quotes of one literal, as it is
// spelled, become; the null behind them is not counted.  Source and program use UTF-8.
uint64_t string_units(std::string_view literal, unsigned unit_bytes);

// Of a character constant as it is spelled, prefix and quotes included; nullopt where the character set decides
std::optional<int64_t> character_value(std::string_view literal);

}  // namespace bn::sema
