#include "lsp/document.h"

#include <algorithm>
#include <cctype>
#include <limits>
#include <utility>

namespace bn::lsp {

namespace {

// Size in bytes, and in UTF-16 units, of the character at the start of `rest`
struct Step {
    size_t bytes;
    uint32_t units;
};

Step step_of(std::string_view rest)
{
    auto lead = static_cast<unsigned char>(rest[0]);
    size_t bytes = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
    return {std::min(bytes, rest.size()), lead >= 0xf0 ? 2u : 1u};
}

int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    int letter = std::tolower(static_cast<unsigned char>(c));
    return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
}

}  // namespace

uint32_t Columns::of(size_t byte)
{
    byte = std::min(byte, line_.size());
    if (encoding_ == Encoding::Utf8)
        return static_cast<uint32_t>(byte);
    if (byte < at_)
        at_ = column_ = 0;
    while (at_ < byte) {
        Step step = step_of(line_.substr(at_));
        column_ += step.units;
        at_ += step.bytes;
    }
    return column_;
}

uint32_t column_of(std::string_view line, size_t byte, Encoding encoding)
{
    return Columns(line, encoding).of(byte);
}

size_t byte_of(std::string_view line, uint32_t column, Encoding encoding)
{
    if (encoding == Encoding::Utf8)
        return std::min<size_t>(column, line.size());
    size_t at = 0;
    for (uint32_t units = 0; at < line.size() && units < column;) {
        Step step = step_of(line.substr(at));
        units += step.units;
        at += step.bytes;
    }
    return at;
}

std::optional<Position> position_of(const Json* value)
{
    if (value == nullptr)
        return std::nullopt;
    auto line = number_at(*value, {"line"});
    auto column = number_at(*value, {"character"});
    constexpr int64_t kLargest = std::numeric_limits<int32_t>::max();
    if (!line || !column || *line < 0 || *column < 0)
        return std::nullopt;
    return Position{static_cast<uint32_t>(std::min(*line, kLargest)),
                    static_cast<uint32_t>(std::min(*column, kLargest))};
}

Document::Document(std::string uri, std::string text, int64_t version)
    : uri_(std::move(uri)), path_(path_of(uri_)), text_(std::move(text)), version_(version)
{
    find_lines();
}

void Document::find_lines()
{
    starts_.assign(1, 0);
    for (size_t at = text_.find_first_of("\r\n"); at != text_.npos; at = text_.find_first_of("\r\n", at + 1))
        if (text_.compare(at, 2, "\r\n") != 0)
            starts_.push_back(at + 1);
}

std::string Document::text_to_compile() const
{
    std::string text = text_;
    for (size_t line = 1; line < starts_.size(); ++line)
        text[starts_[line] - 1] = '\n';
    return text;
}

std::string_view Document::line(uint32_t line) const
{
    if (line >= starts_.size())
        return {};
    size_t end = line + 1 < starts_.size() ? starts_[line + 1] - 1 : text_.size();
    std::string_view text = std::string_view(text_).substr(starts_[line], end - starts_[line]);
    if (text.ends_with('\r'))
        text.remove_suffix(1);
    return text;
}

size_t Document::offset(Position position, Encoding encoding) const
{
    if (position.line >= starts_.size())
        return text_.size();
    return starts_[position.line] + byte_of(line(position.line), position.column, encoding);
}

bool Document::change(const Json& entry, Encoding encoding)
{
    const Json* text = find(entry, {"text"});
    if (text == nullptr || !text->is_string())
        return false;
    const Json* range = find(entry, {"range"});
    if (range == nullptr || range->is_null()) {
        text_ = text->get<std::string>();
    } else {
        auto start = position_of(find(*range, {"start"}));
        auto end = position_of(find(*range, {"end"}));
        if (!start || !end)
            return false;
        size_t first = offset(*start, encoding);
        size_t last = std::max(first, offset(*end, encoding));
        text_.replace(first, last - first, text->get<std::string>());
    }
    find_lines();
    return true;
}

std::string_view trimmed(std::string_view text)
{
    size_t first = text.find_first_not_of(" \t");
    if (first == text.npos)
        return {};
    return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

bool blank_comments(std::string& text)
{
    bool is_code = true;
    for (size_t i = 0; i < text.size(); ++i) {
        size_t close = i;
        if (text[i] == '"' || text[i] == '\'') {
            for (close = i + 1; close < text.size() && text[close] != text[i] && text[close] != '\n'; ++close)
                close += text[close] == '\\';
        } else if (text.compare(i, 2, "//") == 0) {
            close = text.find('\n', i);
        } else if (text.compare(i, 2, "/*") == 0) {
            close = text.find("*/", i + 2);
            close = close == text.npos ? close : close + 1;
        } else {
            continue;
        }
        is_code = close < text.size();
        close = std::min(close, text.size() - 1);
        auto begin = text.begin() + static_cast<ptrdiff_t>(i);
        std::replace_if(begin, begin + static_cast<ptrdiff_t>(close - i) + 1, [](char c) { return c != '\n'; }, ' ');
        i = close;
    }
    return is_code;
}

std::string path_of(std::string_view uri)
{
    constexpr std::string_view kScheme = "file://";
    if (!uri.starts_with(kScheme))
        return {};
    uri.remove_prefix(kScheme.size());
    uri.remove_prefix(std::min(uri.find('/'), uri.size()));  // skip the host
    std::string path;
    for (size_t i = 0; i < uri.size(); ++i) {
        int high = uri[i] == '%' && i + 2 < uri.size() ? hex_digit(uri[i + 1]) : -1;
        int low = high >= 0 ? hex_digit(uri[i + 2]) : -1;
        path += low >= 0 ? static_cast<char>(high * 16 + low) : uri[i];
        i += low >= 0 ? 2 : 0;
    }
    return path.find('\0') == path.npos ? path : std::string();
}

std::string uri_of(std::string_view path)
{
    constexpr std::string_view kDigits = "0123456789ABCDEF";
    std::string uri = "file://";
    for (char c : path) {
        auto byte = static_cast<unsigned char>(c);
        if ((byte < 0x80 && std::isalnum(byte)) || std::string_view("/-._~").find(c) != std::string_view::npos)
            uri += c;
        else
            uri.append("%").append(1, kDigits[byte >> 4]).append(1, kDigits[byte & 15]);
    }
    return uri;
}

}  // namespace bn::lsp
