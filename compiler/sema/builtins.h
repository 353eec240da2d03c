// builtins.h: gcc's integer built-in functions, whose values are constant if their arguments are.
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace bn::sema {

// The value of a call with these constant arguments; nullopt for other functions, and where the result is undefined
std::optional<__int128> builtin_value(std::string_view name, std::span<const __int128> arguments);

}  // namespace bn::sema
