// columns.h: maps the tokens of a preprocessed line to columns of the original source line.
//
// `cc -E` keeps lines but not columns.  They are recovered by tokenising the source line again and aligning both lists:
// a source token either appears unchanged, or is the name of a macro (followed by its arguments, if any) that was
// replaced by its expansion.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lex/token.h"

namespace bn::diag {

// Bytes [first, end) of line `line`.  Tokens that come from a macro are placed at the macro's name.
struct Place {
    uint32_t line = 0;
    uint32_t first = 0;
    uint32_t end = 0;
};

// The places of all tokens that the preprocessor attributes to the same source line as a given token. Cost: linear in
// the length of that line where no macro is used, quadratic in the part with macros, bounded for long lines.
class LinePlaces {
public:
    LinePlaces(const lex::TokenList& tokens, lex::TokenIndex token);

    // False if the source cannot be read; no places are known then.
    bool known() const { return !places_.empty(); }
    bool contains(lex::TokenIndex token) const { return token >= begin_ && token - begin_ < places_.size(); }
    Place place(lex::TokenIndex token) const { return places_[token - begin_]; }

private:
    lex::TokenIndex begin_ = 0;
    std::vector<Place> places_;
};

// A line as a terminal shows it: tabs expanded to multiples of 8, control characters blanked.
struct DisplayLine {
    std::string text;
    std::vector<uint32_t> columns;  // display column, from 0, of each byte of the original line, and of its end
    std::vector<uint32_t> offsets;  // offset in `text` of each byte of the original line, and of its end
};
DisplayLine display(std::string_view line);

}  // namespace bn::diag
