// message.h: a message about the program as values; text.h formats it for a terminal.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bn::diag {

enum class Id : uint16_t {
#define BN_DIAG(id, severity, option, text) id,
#include "diag/diagnostics.def"
};

enum class Severity : uint8_t {
    Note,
    Optimized,
    Missed,  // remarks: optimisations that were applied, and those that were not
    Warning,
    Error,
};

// Whether and how remarks are printed: -Rupc, -Rupc=json
enum class Remarks : uint8_t { None, Text, Json };

struct Options {
    bool colour = false;       // decided by the driver: terminal and -fdiagnostics-color
    bool source_lines = true;  // false after -fno-diagnostics-show-caret
    bool line_numbers = true;  // in front of these; false after -fno-diagnostics-show-line-numbers
    bool option_names = true;  // false after -fno-diagnostics-show-option
    bool warnings = true;      // false after -w
    bool warnings_are_errors = false;
    Remarks remarks = Remarks::None;
    uint32_t max_errors = 0;                      // -fmax-errors=N; 0 is no limit
    std::vector<std::string> warning_flags = {};  // -WNAME, -Wno-NAME, -Werror=NAME, ...: the last match counts
};

// Where a message points: bytes [first, end) of a source line, counted from 0, and the caret among them.  line 0 means
// nowhere; if the source text is unavailable, there are no bytes and the caret is a terminal column.
struct Spot {
    uint32_t file = 0;
    uint32_t line = 0;
    uint32_t physical = 0;  // line of the preprocessed text
    bool has_text = false;
    uint32_t first = 0;
    uint32_t end = 0;
    uint32_t caret = 0;
};

struct Message {
    std::optional<Id> id;  // none for messages of the C compiler
    Severity severity = Severity::Error;
    std::string label;  // "error", or the C compiler's equivalent
    std::string text;   // the complete text
    // the option that disables it or made it an error: "-Wupc-forall", "-Werror=..."; empty for none
    std::string option;
    Spot spot;
    std::string file;  // file name of the spot
};

// Whether messages of this severity are remarks of -Rupc
bool is_remark(Severity severity);

// The name of an id in diagnostics.def
std::string_view name_of(Id id);

}  // namespace bn::diag
