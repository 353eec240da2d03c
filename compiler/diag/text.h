// text.h: formats messages for a terminal, as gcc does.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "diag/columns.h"
#include "diag/message.h"
#include "source/source.h"

namespace bn::diag {

// A control character; whether char is signed depends on the machine.
bool is_control(char c);

class Text {
public:
    // Both must outlive it.
    Text(const source::Source& source, const Options& options) : source_(source), options_(options) {}

    void add(const Message& message);
    // All text added so far
    const std::string& text() const { return text_; }

    // file:line:column
    std::string where(const Spot& spot);

private:
    uint32_t column_of(const Spot& spot);
    void add_inclusions(const Spot& spot);
    void add_json(const Message& message);
    void add_snippet(const Spot& spot, std::string_view colour);

    const source::Source& source_;
    const Options& options_;
    std::string text_;
    std::string inclusions_;  // the "In file included from" of the last message
    uint32_t shown_file_ = 0;
    uint32_t shown_line_ = 0;  // the line in `display_`; 0 for none
    DisplayLine display_;
};

}  // namespace bn::diag
