#include "source/source.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <unordered_map>
#include <utility>

namespace bn::source {

namespace {

bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}
bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}
bool is_octal(char c)
{
    return c >= '0' && c <= '7';
}

size_t skip_blanks(std::string_view line, size_t at)
{
    while (at < line.size() && is_blank(line[at]))
        at++;
    return at;
}

std::vector<std::string> lines_of(std::istream& stream)
{
    std::vector<std::string> lines;
    std::string line;
    while (std::getline(stream, line)) {
        if (!line.empty() && line.back() == '\r')
            line.pop_back();
        lines.push_back(line);
    }
    return lines;
}

// A device, which a line marker can also name, may have no end.
std::vector<std::string> read_lines(const std::string& path)
{
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(path, ignored))
        return {};
    std::ifstream stream(path, std::ios::binary);
    return lines_of(stream);
}

// ---- Universal character names ----

// The character denoted by \uXXXX or \UXXXXXXXX at this position; 0 if there is none
uint32_t universal_at(std::string_view text, size_t at)
{
    size_t digits = text.substr(at, 2) == "\\u" ? 4 : text.substr(at, 2) == "\\U" ? 8 : 0;
    uint32_t value = 0;
    std::string_view hex = text.substr(std::min(at + 2, text.size()), digits);
    auto [end, error] = std::from_chars(hex.data(), hex.data() + hex.size(), value, 16);
    return digits > 0 && hex.size() == digits && end == hex.data() + digits && value <= 0x10FFFF ? value : 0;
}

void append_utf8(std::string& text, uint32_t character)
{
    auto add = [&text](uint32_t byte) { text += static_cast<char>(byte); };
    if (character < 0x800) {
        add(0xC0 | character >> 6);
    } else if (character < 0x10000) {
        add(0xE0 | character >> 12);
        add(0x80 | (character >> 6 & 0x3F));
    } else {
        add(0xF0 | character >> 18);
        add(0x80 | (character >> 12 & 0x3F));
        add(0x80 | (character >> 6 & 0x3F));
    }
    add(0x80 | (character & 0x3F));
}

// The end of the string or character constant that starts here; an unterminated one ends with its line.
size_t behind_quoted(std::string_view text, size_t at)
{
    if (text[at] == '"' && at > 0 && text[at - 1] == 'R') {
        size_t open = text.find('(', at);
        if (open == std::string_view::npos)
            return text.size();
        std::string closing = ")" + std::string(text.substr(at + 1, open - at - 1)) + "\"";
        size_t end = text.find(closing, open);
        return end == std::string_view::npos ? text.size() : end + closing.size();
    }
    size_t end = at + 1;
    while (end < text.size() && text[end] != text[at] && text[end] != '\n')
        end += text[end] == '\\' && end + 1 < text.size() ? 2 : 1;
    return std::min(end + 1, text.size());
}

// gcc -E writes non-ASCII characters of names as \UXXXXXXXX; clang, and the program, write them directly.
std::string with_names_as_written(std::string text)
{
    enum : uint32_t { FIRST_IN_NAMES = 0xA0 };
    if (text.find("\\u") == std::string::npos && text.find("\\U") == std::string::npos)
        return text;
    std::string written;
    written.reserve(text.size());
    for (size_t at = 0; at < text.size();) {
        bool is_separator = text[at] == '\'' && at > 0 && is_digit(text[at - 1]);
        if ((text[at] == '"' || text[at] == '\'') && !is_separator) {
            size_t end = behind_quoted(text, at);
            written.append(text, at, end - at);
            at = end;
            continue;
        }
        uint32_t character = text[at] == '\\' ? universal_at(text, at) : 0;
        if (character >= FIRST_IN_NAMES) {
            append_utf8(written, character);
            at += text[at + 1] == 'u' ? 6 : 10;
            continue;
        }
        written += text[at++];
    }
    return written;
}

}  // namespace

std::string unescape(std::string_view quoted)
{
    std::string name;
    for (size_t i = 0; i < quoted.size(); i++) {
        if (quoted[i] != '\\' || i + 1 == quoted.size()) {
            name += quoted[i];
            continue;
        }
        i++;
        if (!is_octal(quoted[i])) {
            name += quoted[i] == 'n' ? '\n' : quoted[i] == 't' ? '\t' : quoted[i];
            continue;
        }
        unsigned value = 0;
        size_t end = std::min(i + 3, quoted.size());
        for (; i < end && is_octal(quoted[i]); i++)
            value = value * 8 + static_cast<unsigned>(quoted[i] - '0');
        i--;
        name += static_cast<char>(value);
    }
    return name;
}

std::string quoted_name(std::string_view name)
{
    std::string quoted = "\"";
    for (char c : name) {
        unsigned char byte = static_cast<unsigned char>(c);
        if (byte < ' ') {
            quoted += {'\\', '0', static_cast<char>('0' + (byte >> 3)), static_cast<char>('0' + (byte & 7))};
            continue;
        }
        if (c == '"' || c == '\\')
            quoted += '\\';
        quoted += c;
    }
    return quoted + "\"";
}

std::optional<LineMarker> parse_line_marker(std::string_view line)
{
    if (line.empty() || line[0] != '#')
        return std::nullopt;
    size_t at = skip_blanks(line, 1);
    if (line.substr(at, 4) == "line")
        at = skip_blanks(line, at + 4);
    if (at >= line.size() || !is_digit(line[at]))
        return std::nullopt;
    LineMarker marker;
    for (; at < line.size() && is_digit(line[at]); at++)
        marker.line = marker.line * 10 + static_cast<uint32_t>(line[at] - '0');
    at = skip_blanks(line, at);
    if (at >= line.size() || line[at] != '"')
        return marker;
    size_t start = ++at;
    while (at < line.size() && line[at] != '"')
        at += line[at] == '\\' ? 2 : 1;
    if (at >= line.size())
        return std::nullopt;
    marker.quoted_file = line.substr(start, at - start);
    for (at++; at < line.size(); at++) {
        marker.enters_file |= line[at] == '1';
        marker.returns_to_file |= line[at] == '2';
        marker.in_system_header |= line[at] == '3';
    }
    return marker;
}

Source::Source(std::string text, std::string name) : text_(with_names_as_written(std::move(text)))
{
    files_.push_back(std::move(name));
    std::unordered_map<std::string_view, uint32_t> known;
    const char* const begin = text_.data();
    const char* const end = begin + text_.size();
    line_offsets_.reserve(text_.size() / 24 + 1);
    for (const char* line = begin;;) {
        const char* newline = static_cast<const char*>(std::memchr(line, '\n', static_cast<size_t>(end - line)));
        const char* line_end = newline != nullptr ? newline : end;
        uint32_t physical = line_count();
        line_offsets_.push_back(static_cast<uint32_t>(line - begin));
        if (line != line_end && *line == '#') {
            std::string_view whole(line, static_cast<size_t>(line_end - line));
            if (std::optional<LineMarker> marker = parse_line_marker(whole))
                add_marker(physical, *marker, known);
        }
        if (newline == nullptr)
            break;
        line = newline + 1;
    }
    file_lines_.resize(files_.size());
    file_read_.resize(files_.size());
}

void Source::add_marker(uint32_t physical, const LineMarker& marker,
                        std::unordered_map<std::string_view, uint32_t>& known)
{
    Location location{0, marker.line, marker.in_system_header};
    if (marker.quoted_file.data() == nullptr) {
        if (!markers_.empty()) {
            location.file = markers_.back().location.file;
            location.in_system_header = markers_.back().location.in_system_header;
        }
    } else {
        auto [entry, is_new] = known.try_emplace(marker.quoted_file, static_cast<uint32_t>(files_.size()));
        if (is_new)
            files_.push_back(unescape(marker.quoted_file));
        location.file = entry->second;
    }
    uint32_t inclusion = markers_.empty() ? 0 : markers_.back().inclusion;
    if (marker.enters_file && !markers_.empty()) {
        inclusions_.push_back({Source::location(physical), inclusion});  // comes from where the #include was
        inclusion = static_cast<uint32_t>(inclusions_.size() - 1);
    } else if (marker.returns_to_file) {
        inclusion = inclusions_[inclusion].outer;
    }
    markers_.push_back({physical, location, inclusion});
}

Location Source::location(uint32_t physical) const
{
    auto after = std::upper_bound(markers_.begin(), markers_.end(), physical,
                                  [](uint32_t line, const Marker& marker) { return line < marker.physical; });
    if (after == markers_.begin())
        return {0, physical + 1, false};
    const Marker& marker = *std::prev(after);
    Location location = marker.location;
    if (physical > marker.physical)
        location.line += physical - marker.physical - 1;
    return location;
}

std::vector<Location> Source::included_from(uint32_t physical) const
{
    std::vector<Location> chain;
    auto after = std::upper_bound(markers_.begin(), markers_.end(), physical,
                                  [](uint32_t line, const Marker& marker) { return line < marker.physical; });
    if (after == markers_.begin())
        return chain;
    for (uint32_t i = std::prev(after)->inclusion; i != 0; i = inclusions_[i].outer)
        chain.push_back(inclusions_[i].at);
    return chain;
}

void Source::set_file(std::string_view name, std::string_view text)
{
    std::istringstream stream{std::string(text)};
    for (size_t file = 0; file < files_.size(); file++) {
        if (files_[file] != name)
            continue;
        stream.clear();
        stream.seekg(0);
        file_lines_[file] = lines_of(stream);
        file_read_[file] = true;
    }
}

std::string_view Source::source_line(uint32_t file, uint32_t line) const
{
    if (!file_read_[file]) {
        file_lines_[file] = read_lines(files_[file]);
        file_read_[file] = true;
    }
    const std::vector<std::string>& lines = file_lines_[file];
    if (line == 0 || line > lines.size())
        return {};
    return lines[line - 1];
}

}  // namespace bn::source
