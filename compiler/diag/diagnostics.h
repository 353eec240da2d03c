// diagnostics.h: messages about the program, in gcc's format.
//
// Every message is a row of diagnostics.def; a test fails if a row is never produced by a test.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lex/token.h"

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
    bool warnings = true;      // false after -w
    bool warnings_are_errors = false;
    Remarks remarks = Remarks::None;
    uint32_t max_errors = 0;                      // -fmax-errors=N; 0 is no limit
    std::vector<std::string> warning_flags = {};  // -WNAME, -Wno-NAME, -Werror=NAME, ...: the last that fits counts
};

// Tokens first..last are underlined; the caret stands at `at`.
struct Range {
    lex::TokenIndex first;
    lex::TokenIndex last;
    lex::TokenIndex at;
};

class Diagnostics {
public:
    Diagnostics(const lex::TokenList& tokens, const Options& options);

    // Reports a message: %0, %1, ... in its text are replaced by args.  Messages appear in `output()` in the order in
    // which they were reported, except that remarks come last, in the order of the source.  Errors in system headers
    // are reported, warnings there are not.  A second message with the same id at the same token is dropped.
    void report(Id id, Range range, std::initializer_list<std::string_view> args = {});
    void report(Id id, lex::TokenIndex at, std::initializer_list<std::string_view> args = {})
    {
        report(id, {at, at, at}, args);
    }

    bool has_remarks() const { return options_.remarks != Remarks::None; }

    // The same for a pragma, which has no tokens: the message shows its line.
    void report(Id id, const lex::Pragma& pragma, std::initializer_list<std::string_view> args = {});

    // Prints a message of the C compiler about what became of tokens; `label` is its word for "error" or "warning".
    void retell(std::string_view label, Range range, std::string_view text);
    // file:line:column of a token, as messages have it
    std::string where(lex::TokenIndex at);

    bool has_errors() const { return error_count_ > 0; }
    // True once max_errors is reached; stages then stop early.
    bool gave_up() const { return options_.max_errors != 0 && error_count_ >= options_.max_errors; }
    uint32_t error_count() const { return error_count_; }
    uint32_t warning_count() const { return warning_count_; }
    // What is to be shown; remarks that were reported until now are in it.
    const std::string& output();

private:
    struct Line;
    struct Spot;

    struct Remark {
        Id id;
        Range range;
        std::vector<std::string> args;
    };
    using Arguments = std::span<const std::string_view>;

    bool is_first(Id id, lex::TokenIndex at);
    Severity effective_severity(Id id) const;
    bool is_enabled(Id id, bool in_system_header) const;
    void count_and_print(Id id, const Spot& spot, std::initializer_list<std::string_view> args);
    Spot spot_of(Range range);
    Spot spot_of(const lex::Pragma& pragma);
    uint32_t column_of(const Spot& spot);
    std::string where(const Spot& spot);
    void print(Id id, Severity severity, const Spot& spot, Arguments args);
    void print(const Spot& spot, std::string_view label, std::string_view colour, std::string_view text,
               std::string_view option);
    void print_inclusions(const Spot& spot);
    void print_json(Id id, Severity severity, const Spot& spot, Arguments args);
    void print_snippet(const Spot& spot, std::string_view colour);

    const lex::TokenList& tokens_;
    Options options_;
    std::string output_;
    std::vector<Remark> remarks_;  // not in output_ yet
    uint32_t error_count_ = 0;
    uint32_t warning_count_ = 0;
    std::vector<uint64_t> seen_;  // sorted
    std::string inclusions_;      // the "In file included from" of the last message
    bool notes_follow_ = false;   // the message that a note would belong to was printed
    std::shared_ptr<Line> line_;  // the line of the last message: many messages may point at one line
};

}  // namespace bn::diag
