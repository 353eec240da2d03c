// message.h: a message about the program as values; text.h makes of it what a terminal shows.
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
    Missed,  // remarks: what was done for speed, and what was not
    Warning,
    Error,
};

// Whether remarks are printed: -Rupc, -Rupc=json
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
    std::vector<std::string> warning_flags = {};  // -WNAME, -Wno-NAME, -Werror=NAME, ...: the last that fits counts
};

// Where a message points: bytes [first, end) of a source line, and the caret among them, from 0.  line 0: nowhere; no
// bytes, and the column of a terminal as the caret, if there is no such text.
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
    std::optional<Id> id;  // none of what the C compiler says
    Severity severity = Severity::Error;
    std::string label;   // "error", or the C compiler's word for it
    std::string text;    // in full
    std::string option;  // what turns it off, or made an error of it: "-Wupc-forall", "-Werror=..."; empty for none
    Spot spot;
    std::string file;  // of the spot, by name
};

// Whether messages of this kind are those of -Rupc
bool is_remark(Severity severity);

// The name of an id as diagnostics.def has it
std::string_view name_of(Id id);

}  // namespace bn::diag
