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
size_t byte_of(std::string_view line, uint32_t column, Encoding encoding);

// A position that a client sent; nothing if it is none
std::optional<Position> position_of(const Json* value);

class Document {
public:
    Document(std::string path, std::string text, int64_t version);

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

    std::string path_;
    std::string text_;
    int64_t version_;
    std::vector<size_t> starts_;  // of lines
};

// file:///a%20b is "/a b"; empty if the URI names no file.
std::string path_of(std::string_view uri);
std::string uri_of(std::string_view path);

}  // namespace bn::lsp
