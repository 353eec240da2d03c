// source.h: the preprocessed text of a translation unit, and where each of its lines came from.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace bn::source {

// Line `line` of `file`, as the line markers of the preprocessor tell; line is counted from 1.
struct Location {
    uint32_t file = 0;  // index for Source::file_name
    uint32_t line = 0;
    bool in_system_header = false;
};

// A line marker: # 33 "file" 1 3, or #line 33 "file".  The line after it is `line` of the file.
struct LineMarker {
    uint32_t line = 0;
    std::string_view quoted_file;   // between the quotes, escapes as they stand; data() is null if no file is named
    bool enters_file = false;       // flag 1
    bool returns_to_file = false;   // flag 2
    bool in_system_header = false;  // flag 3
};

// Reads a line that begins with '#'; nothing if it is another directive.
std::optional<LineMarker> parse_line_marker(std::string_view line);

// What a quoted file is called: preprocessors write \" and \\, \n and \t, and octal escapes for what else cannot be
// printed.
std::string unescape(std::string_view quoted);

// The opposite, with the quotes; a string of C, too
std::string quoted_name(std::string_view name);

class Source {
public:
    // `text` is the output of `cc -E`; `name` is what messages call it where no line marker stands.  At most 4 GiB - 1.
    // Names have their characters in place of \uXXXX and \UXXXXXXXX.
    Source(std::string text, std::string name);

    std::string_view text() const { return text_; }
    std::string_view file_name(uint32_t file) const { return files_[file]; }

    // Where physical line `physical` (from 0) of the preprocessed text came from.  Cost: a binary search.
    Location location(uint32_t physical) const;

    // Where the file that a physical line belongs to was included, where that file was included, and so on
    std::vector<Location> included_from(uint32_t physical) const;

    // Text of a line of a source file, without its newline; empty if the file cannot be read.  Files are read once.
    std::string_view source_line(uint32_t file, uint32_t line) const;

    // Makes `text` that of the file of this name, if it is one of the unit, in place of what is on the disk.
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
