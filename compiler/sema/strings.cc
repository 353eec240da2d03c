#include "sema/strings.h"

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

// Behind a backslash: how many characters belong to it, and how many elements they make
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

}  // namespace

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
