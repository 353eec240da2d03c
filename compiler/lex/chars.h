// chars.h: classes of characters, one table look-up each.
#pragma once

#include <array>
#include <cstdint>

namespace bn::lex {

enum CharClass : uint8_t {
    kIdentStart = 1,  // letters, _, $, bytes of UTF-8 sequences
    kDigit = 2,
    kBlank = 4,  // white space except newline; NUL, as in gcc
};

constexpr std::array<uint8_t, 256> make_char_classes()
{
    std::array<uint8_t, 256> classes{};
    for (unsigned c = 'a'; c <= 'z'; c++)
        classes[c] = classes[c - 'a' + 'A'] = kIdentStart;
    for (unsigned c = 0x80; c <= 0xff; c++)
        classes[c] = kIdentStart;
    for (unsigned c = '0'; c <= '9'; c++)
        classes[c] = kDigit;
    for (char c : {' ', '\t', '\v', '\f', '\r', '\0'})
        classes[static_cast<unsigned char>(c)] = kBlank;
    classes['_'] = classes['$'] = kIdentStart;
    return classes;
}

inline constexpr std::array<uint8_t, 256> kCharClasses = make_char_classes();

inline uint8_t char_class(char c)
{
    return kCharClasses[static_cast<unsigned char>(c)];
}
inline bool is_ident_start(char c)
{
    return (char_class(c) & kIdentStart) != 0;
}
inline bool is_ident_char(char c)
{
    return (char_class(c) & (kIdentStart | kDigit)) != 0;
}
inline bool is_digit(char c)
{
    return (char_class(c) & kDigit) != 0;
}
inline bool is_blank(char c)
{
    return (char_class(c) & kBlank) != 0;
}

}  // namespace bn::lex
