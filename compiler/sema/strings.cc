#include "sema/strings.h"

#include <algorithm>

namespace bn::sema {

namespace {

uint64_t units_of(uint32_t code_point, unsigned unit_bytes)
{
    if (unit_bytes == 1)
        return code_point < 0x80 ? 1 : code_point < 0x800 ? 2 : code_point < 0x10000 ? 3 : 4;
    return unit_bytes == 2 && code_point >= 0x10000 ? 2 : 1;
}

bool is_hex(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

uint32_t hex_value(std::string_view digits)
{
    uint32_t value = 0;
    for (char c : digits)
        value = value * 16 + static_cast<uint32_t>(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
    return value;
}

// After a backslash: the number of characters that belong to the escape, and the number of elements they yield
uint64_t escape(std::string_view rest, unsigned unit_bytes, size_t& length_p)
{
    auto digits = [&](size_t from, size_t most, auto belongs) {
        size_t end = from;
        while (end < rest.size() && end - from < most && belongs(rest[end]))
            ++end;
        return end;
    };
    char kind = rest.empty() ? '\0' : rest[0];
    if (kind == 'x') {
        length_p = digits(1, rest.size(), is_hex);
    } else if (kind >= '0' && kind <= '7') {
        length_p = digits(0, 3, [](char c) { return c >= '0' && c <= '7'; });
    } else if (kind == 'u' || kind == 'U') {
        length_p = digits(1, kind == 'u' ? 4 : 8, is_hex);
        return units_of(hex_value(rest.substr(1, length_p - 1)), unit_bytes);
    } else {
        length_p = 1;
    }
    return 1;
}

// The value of a single character after a backslash
std::optional<uint32_t> simple_escape(char c)
{
    switch (c) {
    case 'n': return '\n';
    case 't': return '\t';
    case 'r': return '\r';
    case 'a': return '\a';
    case 'b': return '\b';
    case 'f': return '\f';
    case 'v': return '\v';
    case 'e':
    case 'E': return 27;  // GNU
    case '\\':
    case '\'':
    case '"':
    case '?': return c;
    default: return std::nullopt;
    }
}

// Removes the first character from the text and returns it; nullopt where cc's character set decides
std::optional<uint32_t> next_character(std::string_view& text)
{
    auto byte = static_cast<unsigned char>(text[0]);
    text.remove_prefix(1);
    if (byte != '\\')
        return byte < 0x80 ? std::optional<uint32_t>(byte) : std::nullopt;
    size_t length = 0;
    escape(text, 1, length);
    std::string_view inside = text.substr(0, length);
    text.remove_prefix(std::min(length, text.size()));
    if (inside.empty())
        return std::nullopt;
    if (inside[0] == 'x')
        return hex_value(inside.substr(1));
    if (inside[0] >= '0' && inside[0] <= '7') {
        uint32_t value = 0;
        for (char digit : inside)
            value = value * 8 + static_cast<uint32_t>(digit - '0');
        return value;
    }
    return inside.size() == 1 ? simple_escape(inside[0]) : std::nullopt;
}

}  // namespace

std::optional<int64_t> character_value(std::string_view literal, bool char_is_unsigned)
{
    size_t quote = literal.find('\'');
    if (quote == std::string_view::npos || literal.size() < quote + 3)
        return std::nullopt;
    std::string_view body = literal.substr(quote + 1, literal.size() - quote - 2);
    uint32_t value = 0;
    size_t count = 0;
    for (; !body.empty(); ++count) {
        std::optional<uint32_t> character = next_character(body);
        if (!character)
            return std::nullopt;
        value = quote == 0 ? value << 8 | (*character & 0xff) : *character;
    }
    if (quote != 0)
        return count == 1 ? std::optional<int64_t>(value) : std::nullopt;
    bool is_negative = count == 1 && !char_is_unsigned && value > 127;  // '\xff' is -1 or 255; L'\xff' is 255
    return is_negative ? static_cast<signed char>(value) : static_cast<int32_t>(value);
}

uint64_t string_units(std::string_view literal, unsigned unit_bytes)
{
    size_t quote = literal.find('"');
    std::string_view body = literal.substr(quote + 1, literal.size() - quote - 2);
    bool is_raw = quote > 0 && literal[quote - 1] == 'R';
    if (is_raw) {  // R"mark(text)mark"
        size_t open = body.find('(');
        body = body.substr(open + 1, body.size() - 2 * (open + 1));
    }
    uint64_t units = 0;
    for (size_t i = 0; i < body.size(); ++i) {
        auto byte = static_cast<unsigned char>(body[i]);
        if (byte == '\\' && !is_raw) {
            size_t length = 0;
            units += escape(body.substr(i + 1), unit_bytes, length);
            i += length;
        } else if (unit_bytes == 1) {
            ++units;
        } else if ((byte & 0xC0) != 0x80) {  // the first byte of a character
            units += units_of(byte >= 0xF0 ? 0x10000 : 0, unit_bytes);
        }
    }
    return units;
}

}  // namespace bn::sema
