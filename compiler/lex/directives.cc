#include "lex/directives.h"

#include <charconv>

#include "lex/chars.h"

namespace bn::lex {

namespace {

// Splits a directive into words; all other characters are returned one by one.
class Words {
public:
    explicit Words(std::string_view line) : line_(line) {}

    // Returns an empty word at the end of the line
    std::string_view next()
    {
        while (at_ < line_.size() && (is_blank(line_[at_]) || line_[at_] == '\\' || line_[at_] == '\n'))
            at_++;
        size_t start = at_;
        while (at_ < line_.size() && is_ident_char(line_[at_]))
            at_++;
        if (at_ == start && at_ < line_.size())
            at_++;
        return line_.substr(start, at_ - start);
    }

private:
    std::string_view line_;
    size_t at_ = 0;
};

}  // namespace

void KeywordState::apply(const source::LineMarker& marker)
{
    if (marker.quoted_file.data() == nullptr)
        return;
    if (marker.enters_file) {
        includers_.push_back(mode_);
        mode_ = mode_ == Mode::C || mode_ == Mode::OfC ? Mode::OfC : Mode::Default;
    } else if (marker.returns_to_file && !includers_.empty()) {
        mode_ = includers_.back();
        includers_.pop_back();
    }
    in_system_header_ = marker.in_system_header;
}

void KeywordState::apply(PragmaKind kind)
{
    if (kind == PragmaKind::UpcCode)
        mode_ = Mode::Upc;
    else if (kind == PragmaKind::CCode)
        mode_ = Mode::C;
}

bool is_pragma(std::string_view line)
{
    Words words(line);
    return words.next() == "#" && words.next() == "pragma";
}

bool parse_upc_pragma(std::string_view line, PragmaKind* kind_p)
{
    Words words(line);
    if (words.next() != "#" || words.next() != "pragma" || words.next() != "upc")
        return false;
    std::string_view what = words.next();
    bool has_more = !words.next().empty();
    if (has_more)
        *kind_p = PragmaKind::Malformed;
    else if (what == "strict")
        *kind_p = PragmaKind::Strict;
    else if (what == "relaxed")
        *kind_p = PragmaKind::Relaxed;
    else if (what == "upc_code")
        *kind_p = PragmaKind::UpcCode;
    else if (what == "c_code")
        *kind_p = PragmaKind::CCode;
    else
        *kind_p = PragmaKind::Malformed;
    return true;
}

bool parse_pack_pragma(std::string_view line, Pack* pack_p)
{
    Words words(line);
    if (words.next() != "#" || words.next() != "pragma" || words.next() != "pack" || words.next() != "(")
        return false;
    Pack pack;
    bool is_empty = true;
    std::string_view word = words.next();
    for (; !word.empty() && word != ")"; word = words.next()) {
        is_empty = false;
        uint32_t number = 0;
        auto [rest, error] = std::from_chars(word.data(), word.data() + word.size(), number);
        if (error == std::errc() && rest == word.data() + word.size())
            pack.bytes = number;
        else if (word == "push")
            pack.pushes = true;
        else if (word == "pop")
            pack.pops = true;
        else if (is_ident_char(word[0]))
            pack.label = word;
    }
    if (is_empty)
        pack.bytes = 0;
    *pack_p = pack;
    return true;
}

}  // namespace bn::lex
