// directives.h: lines that start with '#' in preprocessed text: line markers and pragmas.
#pragma once

#include <string_view>
#include <vector>

#include "lex/token.h"

namespace bn::lex {

// Whether UPC keywords are keywords at this point, as far as line markers and pragmas determine it
class KeywordState {
public:
    bool upc_keywords() const { return mode_ == Mode::Upc || (mode_ == Mode::Default && !in_system_header_); }
    bool in_system_header() const { return in_system_header_; }

    // Whether that depends on the rest of the file
    bool is_undecided() const { return mode_ == Mode::OfC || (in_system_header_ && mode_ == Mode::Default); }

    void apply(const source::LineMarker& marker);
    void apply(PragmaKind kind);

private:
    enum class Mode : uint8_t { Default, Upc, C, OfC };  // OfC: included by C

    bool in_system_header_ = false;
    Mode mode_ = Mode::Default;
    std::vector<Mode> includers_;
};

// Whether the line, given from '#' to its end, is a pragma
bool is_pragma(std::string_view line);

// Whether it is a "#pragma upc", and which one
bool parse_upc_pragma(std::string_view line, PragmaKind* kind_p);

// Whether it is a "#pragma pack"; fills in everything but its place
bool parse_pack_pragma(std::string_view line, Pack* pack_p);

}  // namespace bn::lex
