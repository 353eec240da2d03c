// diagnostics.h: messages about the program, as values and in gcc's format.
//
// Every message is a row of diagnostics.def; a test fails if a row is never produced by a test.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diag/columns.h"
#include "diag/message.h"
#include "diag/text.h"
#include "lex/token.h"

namespace bn::diag {

// Tokens first..last are underlined; the caret stands at `at`.
struct Range {
    lex::TokenIndex first;
    lex::TokenIndex last;
    lex::TokenIndex at;
};

class Diagnostics {
public:
    Diagnostics(const lex::TokenList& tokens, const Options& options);
    Diagnostics(const Diagnostics&) = delete;
    Diagnostics& operator=(const Diagnostics&) = delete;

    // Reports a message: %0, %1, ... in its text are replaced by args.  Messages are kept in the order in which they
    // are reported, except that remarks come last, in source order.  Errors in system headers are reported, warnings
    // there are not.  A second message with the same id at the same token is dropped.
    void report(Id id, Range range, std::initializer_list<std::string_view> args = {});
    void report(Id id, lex::TokenIndex at, std::initializer_list<std::string_view> args = {})
    {
        report(id, {at, at, at}, args);
    }

    bool has_remarks() const { return options_.remarks != Remarks::None; }

    // The same for a pragma, which has no tokens: the message shows the line of the pragma.
    void report(Id id, const lex::Pragma& pragma, std::initializer_list<std::string_view> args = {});

    // Reports a message of the C compiler about the translation of these tokens; `label` is its word for "error" or
    // "warning".
    void retell(std::string_view label, Range range, std::string_view text);
    // file:line:column of a token, as in messages
    std::string where(lex::TokenIndex at);

    bool has_errors() const { return error_count_ > 0; }
    // True once max_errors is reached; stages then stop early.
    bool gave_up() const { return options_.max_errors != 0 && error_count_ >= options_.max_errors; }
    uint32_t error_count() const { return error_count_; }
    uint32_t warning_count() const { return warning_count_; }
    // All messages reported so far
    const std::vector<Message>& messages();
    // The same as text for the terminal
    const std::string& output();

private:
    struct Remark {
        Range range;
        Message message;
    };

    bool is_first(Id id, lex::TokenIndex at);
    Severity effective_severity(Id id) const;
    bool is_enabled(Id id, bool in_system_header) const;
    void count_and_keep(Id id, const Spot& spot, std::initializer_list<std::string_view> args);
    void keep(Message message, const Spot& spot);
    Spot spot_of(Range range);
    Spot spot_of(const lex::Pragma& pragma);

    const lex::TokenList& tokens_;
    Options options_;
    std::vector<Message> messages_;
    std::vector<Remark> remarks_;  // not in messages_ yet
    Text text_;
    size_t shown_ = 0;    // number of messages already in text_
    std::string output_;  // the contents of text_, once there were too many errors
    uint32_t error_count_ = 0;
    uint32_t warning_count_ = 0;
    std::vector<uint64_t> seen_;      // sorted
    bool notes_follow_ = false;       // the last message was reported, so a note that belongs to it is, too
    std::optional<LinePlaces> line_;  // line of the last message, kept because many messages may point at one line
};

}  // namespace bn::diag
