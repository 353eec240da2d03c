// source.h: the preprocessed text of a translation unit, and the origin of each of its lines.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace bn::source {

// Line `line` of `file`, according to the preprocessor's line markers; lines are counted from 1.
struct Location {
    uint32_t file = 0;  // index for Source::file_name
    uint32_t line = 0;
    bool in_system_header = false;
};

// A line marker: # 33 "file" 1 3, or #line 33 "file".  The line after it is `line` of the file.
struct LineMarker {
    uint32_t line = 0;
    std::string_view quoted_file;   // text between the quotes, escapes included; data() is null if no file is named
    bool enters_file = false;       // flag 1
    bool returns_to_file = false;   // flag 2
    bool in_system_header = false;  // flag 3
};

// Parses a line that starts with '#'; nullopt if it is another directive.
std::optional<LineMarker> parse_line_marker(std::string_view line);

// The file name that a quoted name denotes: preprocessors write \" and \\, \n and \t, and octal escapes for other
// unprintable characters.
std::string unescape(std::string_view quoted);

// The inverse, including the quotes; also a valid C string literal
std::string quoted_name(std::string_view name);

class Source {
public:
    // `text` is the output of `cc -E`, at most 4 GiB - 1; `name` is its name in messages where there is no line marker.
    // \uXXXX and \UXXXXXXXX in identifiers are replaced by the characters themselves.
    Source(std::string text, std::string name);

    std::string_view text() const { return text_; }
    std::string_view file_name(uint32_t file) const { return files_[file]; }

    // Where physical line `physical` (from 0) of the preprocessed text came from.  Cost: a binary search.
    Location location(uint32_t physical) const;

    // Where the file of a physical line was included, where that including file was included, and so on
    std::vector<Location> included_from(uint32_t physical) const;

    // Text of a line of a source file, without its newline; empty if the file cannot be read.  Each file is read once.
    std::string_view source_line(uint32_t file, uint32_t line) const;

    // Makes `text` the contents of the file of this name, if the unit includes it, instead of what is on disk.
    void set_file(std::string_view name, std::string_view text);

    uint32_t file_count() const { return static_cast<uint32_t>(files_.size()); }

    // Offset of the first byte of a physical line
    uint32_t line_offset(uint32_t physical) const { return line_offsets_[physical]; }
    uint32_t line_count() const { return static_cast<uint32_t>(line_offsets_.size()); }

private:
    struct Marker {
        uint32_t physical;  // of the marker; the next line is `line` of `file`
        Location location;
        uint32_t inclusion;  // index in inclusions_
    };
    struct Inclusion {
        Location at;     // of the #include
        uint32_t outer;  // index in inclusions_; 0 if `at` is in the main file
    };

    void add_marker(uint32_t physical, const LineMarker& marker, std::unordered_map<std::string_view, uint32_t>& known);

    std::string text_;
    std::vector<std::string> files_;
    std::vector<Marker> markers_;
    std::vector<Inclusion> inclusions_{{}};  // [0] is the main file
    std::vector<uint32_t> line_offsets_;
    mutable std::vector<std::vector<std::string>> file_lines_;
    mutable std::vector<bool> file_read_;
};

}  // namespace bn::source
