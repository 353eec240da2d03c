// document.h: the text of an editor, and positions in it as the protocol counts them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lsp/json.h"

namespace bn::lsp {

// Line from 0; column from 0 in what the client counts: units of UTF-16, or bytes
struct Position {
    uint32_t line = 0;
    uint32_t column = 0;
};

enum class Encoding { Utf16, Utf8 };

// Columns of the bytes of a line, and back; what lies behind its end is its end.
uint32_t column_of(std::string_view line, size_t byte, Encoding encoding);

// Columns of one line, which cost what lies between one and the next if they ascend
class Columns {
public:
    Columns(std::string_view line, Encoding encoding) : line_(line), encoding_(encoding) {}

    uint32_t of(size_t byte);
    std::string_view line() const { return line_; }

private:
    std::string_view line_;
    Encoding encoding_;
    size_t at_ = 0;  // the last byte, and its column
    uint32_t column_ = 0;
};

size_t byte_of(std::string_view line, uint32_t column, Encoding encoding);

// Without blanks at both ends
std::string_view trimmed(std::string_view text);

// Blanks comments and strings, since both hide brackets and names; lines stay.  False if the text ends in one of them.
bool blank_comments(std::string& text);

// A position that a client sent; nothing if it is none
std::optional<Position> position_of(const Json* value);

class Document {
public:
    // Its path is empty if the URI names no file.
    Document(std::string uri, std::string text, int64_t version);

    // As the client writes it: others may be the same and differ in what they escape.
    const std::string& uri() const { return uri_; }
    const std::string& path() const { return path_; }
    const std::string& text() const { return text_; }
    int64_t version() const { return version_; }

    // One entry of contentChanges; false if it is none.
    bool change(const Json& entry, Encoding encoding);
    void set_version(int64_t version) { version_ = version; }

    uint32_t line_count() const { return static_cast<uint32_t>(starts_.size()); }
    // Without its end; empty behind the last one
    std::string_view line(uint32_t line) const;
    size_t offset(Position position, Encoding encoding) const;

private:
    void find_lines();

    std::string uri_;
    std::string path_;
    std::string text_;
    int64_t version_;
    std::vector<size_t> starts_;  // of lines
};

// file:///a%20b is "/a b"; empty if the URI names no file.
std::string path_of(std::string_view uri);
std::string uri_of(std::string_view path);

}  // namespace bn::lsp
