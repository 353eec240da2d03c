// file_text.h: the contents of a file that a user names, which need not be what its name says.
#pragma once

#include <fstream>
#include <optional>
#include <string>

namespace bn {

// None if the file cannot be read, for example because it is a folder, or is larger than any that people write for
// tools, as devices without end are.
inline std::optional<std::string> file_text(const std::string& file)
{
    constexpr size_t kMost = 64 << 20;  // as of machines in hwloc's format
    std::ifstream stream(file);
    std::string text;
    char part[1 << 16];
    do {
        stream.read(part, sizeof part);
        text.append(part, static_cast<size_t>(stream.gcount()));
    } while (stream && text.size() <= kMost);
    return stream.eof() ? std::optional(text) : std::nullopt;
}

}  // namespace bn
