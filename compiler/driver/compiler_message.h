// compiler_message.h: parses the message lines of gcc and clang.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace bn::driver {

struct CompilerLocation {
    std::string_view file;
    uint32_t line = 0;
    uint32_t column = 0;  // in bytes from 1; 0 if absent
};

// Parses FILE:LINE:COLUMN or FILE:LINE at the start of `text`; FILE ends before the first number between colons.
// `end_p` receives the end of the location.
std::optional<CompilerLocation> compiler_location(std::string_view text, size_t& end_p);

// FILE:LINE:COLUMN: LABEL: TEXT
struct CompilerMessage {
    CompilerLocation location;
    std::string_view where;  // the location as written
    std::string_view label;
    std::string_view text;
};

std::optional<CompilerMessage> compiler_message(std::string_view line);

}  // namespace bn::driver
