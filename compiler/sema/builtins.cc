#include "sema/builtins.h"

#include <bit>
#include <cstdint>

namespace bn::sema {

namespace {

// The name without the suffix for the width of the argument; the width is stored in width_p
std::string_view without_width(std::string_view name, unsigned& width_p)
{
    width_p = name.ends_with('l') ? 64 : 32;
    while (name.ends_with('l'))
        name.remove_suffix(1);
    return name;
}

std::optional<__int128> bits_of(std::string_view name, uint64_t value, unsigned width)
{
    auto zeros_above = [=] { return std::countl_zero(value) - static_cast<int>(64 - width); };
    if (name == "popcount")
        return std::popcount(value);
    if (name == "parity")
        return std::popcount(value) % 2;
    if (name == "ffs")
        return value == 0 ? 0 : std::countr_zero(value) + 1;
    if (value == 0)
        return std::nullopt;
    if (name == "ctz")
        return std::countr_zero(value);
    return name == "clz" ? std::optional<__int128>(zeros_above()) : std::nullopt;
}

}  // namespace

std::optional<__int128> builtin_value(std::string_view name, std::span<const __int128> arguments)
{
    constexpr std::string_view kPrefix = "__builtin_";
    if (!name.starts_with(kPrefix) || arguments.empty())
        return std::nullopt;
    name.remove_prefix(kPrefix.size());
    auto value = static_cast<uint64_t>(arguments[0]);
    if (name == "constant_p")
        return 1;
    if (name == "expect")
        return static_cast<int64_t>(value);
    if (name == "bswap16")
        return static_cast<uint16_t>(__builtin_bswap16(static_cast<uint16_t>(value)));
    if (name == "bswap32")
        return __builtin_bswap32(static_cast<uint32_t>(value));
    if (name == "bswap64")
        return static_cast<__int128>(__builtin_bswap64(value));
    if (name == "abs" || name == "labs" || name == "llabs")
        return arguments[0] < 0 ? -arguments[0] : arguments[0];
    unsigned width = 0;
    name = without_width(name, width);
    return bits_of(name, width == 32 ? static_cast<uint32_t>(value) : value, width);
}

}  // namespace bn::sema
