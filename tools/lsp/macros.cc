// macros.cc: macros are already expanded when the compiler reads tokens, so the text of the files is searched for them.

#include <optional>
#include <string>
#include <vector>

#include "lex/chars.h"
#include "lsp/answers.h"

namespace bn::lsp {

using Role = Occurrence::Role;

namespace {

// The position of the name in a line that defines this macro; nullopt if the line does not define it.
std::optional<size_t> place_defined(std::string_view line, std::string_view name)
{
    std::string_view rest = trimmed(line);
    if (!rest.starts_with('#'))
        return std::nullopt;
    rest = trimmed(rest.substr(1));
    if (!rest.starts_with("define"))
        return std::nullopt;
    rest = trimmed(rest.substr(6));
    bool is_it = rest.starts_with(name) && (rest.size() == name.size() || !lex::is_ident_char(rest[name.size()]));
    return is_it ? std::optional(static_cast<size_t>(rest.data() - line.data())) : std::nullopt;
}

bool is_name_at(std::string_view text, size_t at, std::string_view name)
{
    size_t end = at + name.size();
    return (at == 0 || !lex::is_ident_char(text[at - 1])) && (end == text.size() || !lex::is_ident_char(text[end]));
}

Spot spot_of(uint32_t file, uint32_t line, size_t first, std::string_view name)
{
    return {file, line, static_cast<uint32_t>(first), static_cast<uint32_t>(first + name.size()), true};
}

}  // namespace

std::optional<Spot> macro_spot(const Understood& unit, std::string_view name)
{
    if (name.empty())
        return std::nullopt;
    for (uint32_t file : unit.files())
        for (uint32_t line = 1, count = unit.line_count(file); line <= count; ++line)
            if (std::optional<size_t> place = place_defined(unit.line(file, line), name))
                return spot_of(file, line, *place, name);
    return std::nullopt;
}

std::vector<std::pair<Spot, Role>> macro_places(const Understood& unit, std::string_view name)
{
    std::vector<std::pair<Spot, Role>> places;
    for (uint32_t file : unit.files()) {
        std::string text;
        for (uint32_t line = 1, count = unit.line_count(file); line <= count; ++line)
            text.append(unit.line(file, line)).append("\n");
        blank_comments(text);
        uint32_t line = 1;
        size_t start = 0;  // start of the line
        for (size_t at = text.find(name); at != text.npos; at = text.find(name, at + name.size())) {
            for (size_t end = text.find('\n', start); end < at; end = text.find('\n', start)) {
                start = end + 1;
                ++line;
            }
            bool is_definition = place_defined(unit.line(file, line), name) == at - start;
            if (is_name_at(text, at, name))
                places.emplace_back(spot_of(file, line, at - start, name),
                                    is_definition ? Role::Definition : Role::Read);
        }
    }
    return places;
}

}  // namespace bn::lsp
