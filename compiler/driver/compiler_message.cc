#include "driver/compiler_message.h"

#include <cctype>

#include "lex/chars.h"

namespace bn::driver {

namespace {

// Parses the number at `at` and advances `at` past it; nullopt if it is not a possible line or column number
std::optional<uint32_t> number(std::string_view text, size_t& at)
{
    constexpr size_t kMostDigits = 9;
    uint32_t value = 0;
    size_t begin = at;
    for (; at < text.size() && lex::is_digit(text[at]); ++at)
        value = at - begin < kMostDigits ? value * 10 + static_cast<uint32_t>(text[at] - '0') : value;
    bool is_number = at > begin && at - begin <= kMostDigits;
    return is_number ? std::optional(value) : std::nullopt;
}

}  // namespace

std::optional<CompilerLocation> compiler_location(std::string_view text, size_t& end_p)
{
    for (size_t colon = text.find(':', 1); colon != text.npos; colon = text.find(':', colon + 1)) {
        size_t at = colon + 1;
        std::optional<uint32_t> line = number(text, at);
        if (!line || at == text.size() || (text[at] != ':' && text[at] != ','))
            continue;
        CompilerLocation found{text.substr(0, colon), *line};
        end_p = at;
        if (text[at++] == ':') {
            if (std::optional<uint32_t> column = number(text, at);
                column && at < text.size() && !std::isalnum(static_cast<unsigned char>(text[at]))) {
                found.column = *column;
                end_p = at;
            }
        }
        return found;
    }
    return std::nullopt;
}

std::optional<CompilerMessage> compiler_message(std::string_view line)
{
    constexpr size_t kLongestLabel = 30;  // gcc prints it in the user's language
    size_t at = 0;
    std::optional<CompilerLocation> where = compiler_location(line, at);
    if (line.starts_with(' ') || !where || line.substr(at, 2) != ": ")
        return std::nullopt;
    std::string_view rest = line.substr(at + 2);
    size_t colon = rest.find(": ");
    if (colon == rest.npos || colon > kLongestLabel)
        return std::nullopt;
    return CompilerMessage{*where, line.substr(0, at), rest.substr(0, colon), rest.substr(colon + 2)};
}

}  // namespace bn::driver
