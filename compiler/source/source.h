// source.h: the preprocessed text of a translation unit, and where each of its lines came from.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace bn::source {

// Line `line` of `file`, as the line markers of the preprocessor tell; line is counted from 1.
struct Location {
    uint32_t file = 0;       // index for Source::file_name
    uint32_t line = 0;
    bool in_system_header = false;
};

class Source {
public:
    // `text` is the output of `cc -E`; `name` is what messages call it where no line marker stands.
    Source(std::string text, std::string name);

    std::string_view text() const { return text_; }
    std::string_view file_name(uint32_t file) const { return files_[file]; }

    // Where physical line `physical` (from 0) of the preprocessed text came from
    Location location(uint32_t physical) const;

    // Text of a line of a source file, without its newline; empty if the file cannot be read.  Files are read once.
    std::string_view source_line(uint32_t file, uint32_t line) const;

    // Offset of the first byte of a physical line
    uint32_t line_offset(uint32_t physical) const { return line_offsets_[physical]; }
    uint32_t line_count() const { return static_cast<uint32_t>(line_offsets_.size()); }

private:
    struct Marker {
        uint32_t physical;   // of the marker; the next line is `line` of `file`
        Location location;
    };
    struct File;

    std::string text_;
    std::vector<std::string> files_;
    std::vector<Marker> markers_;
    std::vector<uint32_t> line_offsets_;
    mutable std::vector<std::vector<std::string>> file_lines_;
    mutable std::vector<bool> file_read_;
};

}  // namespace bn::source
