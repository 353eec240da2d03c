// document.h: the text in an editor, and positions in it as counted by the protocol.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lsp/json.h"

namespace bn::lsp {

// Line from 0; column from 0 in the client's encoding: UTF-16 units or bytes
struct Position {
    uint32_t line = 0;
    uint32_t column = 0;
};

enum class Encoding { Utf16, Utf8 };

// Converts between bytes and columns of a line; positions past its end count as its end.
uint32_t column_of(std::string_view line, size_t byte, Encoding encoding);

// Columns of one line; for ascending positions, each call only scans from the previous position
class Columns {
public:
    Columns(std::string_view line, Encoding encoding) : line_(line), encoding_(encoding) {}

    uint32_t of(size_t byte);
    std::string_view line() const { return line_; }

private:
    std::string_view line_;
    Encoding encoding_;
    size_t at_ = 0;  // the last byte position, and its column
    uint32_t column_ = 0;
};

size_t byte_of(std::string_view line, uint32_t column, Encoding encoding);

// Without blanks at either end
std::string_view trimmed(std::string_view text);

// Replaces comments and strings by blanks, because they may contain brackets and names; lines are kept.  Returns false
// if the text ends inside one.
bool blank_comments(std::string& text);

// A position sent by the client; nullopt if it is invalid
std::optional<Position> position_of(const Json* value);

class Document {
public:
    // The path is empty if the URI does not name a file.
    Document(std::string uri, std::string text, int64_t version);

    // The URI as the client writes it: equal URIs may differ in their escapes.
    const std::string& uri() const { return uri_; }
    const std::string& path() const { return path_; }
    const std::string& text() const { return text_; }
    // With the same lines for a C compiler, to which \r alone is no line end as it is to editors
    std::string text_to_compile() const;
    int64_t version() const { return version_; }

    // Applies one entry of contentChanges; false if it is invalid.
    bool change(const Json& entry, Encoding encoding);
    void set_version(int64_t version) { version_ = version; }

    uint32_t line_count() const { return static_cast<uint32_t>(starts_.size()); }
    // Without its line end; empty after the last line
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

// Turns file:///a%20b into "/a b"; empty if the URI does not name a file.
std::string path_of(std::string_view uri);
std::string uri_of(std::string_view path);

}  // namespace bn::lsp
