// directives.h: the lines that begin with '#' in preprocessed text: which file we are in, and "#pragma upc".
#pragma once

#include <string_view>
#include <vector>

#include "lex/token.h"

namespace bn::lex {

// Whether UPC's keywords are keywords here, as far as line markers and pragmas determine that.
class KeywordState {
public:
    bool upc_keywords() const { return mode_ == Mode::Upc || (mode_ == Mode::Default && !in_system_header_); }
    bool in_system_header() const { return in_system_header_; }

    // Whether only what else the file has tells that
    bool is_undecided() const { return mode_ == Mode::OfC || (in_system_header_ && mode_ == Mode::Default); }

    void apply(const source::LineMarker& marker);
    void apply(PragmaKind kind);

private:
    enum class Mode : uint8_t { Default, Upc, C, OfC };  // OfC: included by C

    bool in_system_header_ = false;
    Mode mode_ = Mode::Default;
    std::vector<Mode> includers_;
};

// Whether the line, from '#' to its end, is a "#pragma upc", and which one.
bool parse_upc_pragma(std::string_view line, PragmaKind* kind_p);

// Whether the line is a "#pragma pack", and all of it but its place
bool parse_pack_pragma(std::string_view line, Pack* pack_p);

}  // namespace bn::lex
