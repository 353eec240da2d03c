#include "emit/macro_marks.h"

#include <algorithm>
#include <span>
#include <string_view>

namespace bn::emit {

namespace {

using lex::Tok;
using Tokens = std::span<const lex::Token>;

// An integer of a type that every C has: floating-point numbers and long long draw warnings that are of macros only.
bool is_plain_number(std::string_view number)
{
    size_t digits = number.starts_with("0x") || number.starts_with("0X") ? 2 : 0;
    auto is_digit = [&](char c) {
        return (c >= '0' && c <= '9') || (digits != 0 && c >= 'a' && c <= 'f') || (digits != 0 && c >= 'A' && c <= 'F');
    };
    std::string_view suffix = number.substr(digits);
    while (!suffix.empty() && is_digit(suffix[0]))
        suffix.remove_prefix(1);
    constexpr std::string_view kSuffixes[] = {"", "u", "U", "l", "L", "ul", "uL", "Ul", "UL"};
    return std::ranges::find(kSuffixes, suffix) != std::end(kSuffixes);
}

// 1, -1
bool is_plain_constant(std::string_view text, Tokens run)
{
    if (run.size() > 1 && run[0].kind == Tok::Minus)
        run = run.subspan(1);
    return run.size() == 1 && run[0].kind == Tok::Number && is_plain_number(text.substr(run[0].offset, run[0].length));
}

// (void *) 0, (__sighandler_t) -1
bool is_pointer(std::string_view text, Tokens run)
{
    auto close = std::ranges::find(run, Tok::RParen, &lex::Token::kind);
    if (run[0].kind != Tok::LParen || close == run.end())
        return false;
    Tokens type(run.begin() + 1, close);
    auto is_word = [](const lex::Token& token) {
        return token.kind == Tok::Identifier || token.kind == Tok::Star || lex::is_keyword(token.kind);
    };
    bool is_named = type.size() == 1 && type[0].kind == Tok::Identifier;
    bool is_written = !type.empty() && type.back().kind == Tok::Star && std::ranges::all_of(type, is_word);
    return (is_named || is_written) && is_plain_constant(text, {close + 1, run.end()});
}

bool stands_for_itself(std::string_view text, Tokens run)
{
    bool is_in_parens = run.size() > 2 && run.front().kind == Tok::LParen && run.back().kind == Tok::RParen;
    Tokens inside = is_in_parens ? run.subspan(1, run.size() - 2) : run;
    bool is_name = inside.size() == 1 && inside[0].kind == Tok::Identifier;
    return is_name || is_plain_constant(text, inside) || (is_in_parens && is_pointer(text, inside));
}

}  // namespace

std::vector<MacroMark> hiding_marks(const lex::TokenList& list)
{
    constexpr std::string_view kEnd = "\" 3 4\n";
    std::vector<MacroMark> marks;
    std::string_view text = list.source->text();
    for (size_t at = text.find(kEnd); at != text.npos; at = text.find(kEnd, at + 1)) {
        size_t run = at + kEnd.size();
        auto first = std::ranges::lower_bound(list.tokens.begin() + 1, list.tokens.end(), run, {}, &lex::Token::offset);
        auto last = first;
        while (last->kind != Tok::End && last->line == first->line)
            ++last;
        source::Location here = list.source->location(first->line);
        source::Location next = list.source->location(last->line);
        size_t begin = text.rfind('\n', at) + 1;
        bool is_marker =
            text[begin] == '#' && source::parse_line_marker(text.substr(begin, run - 1 - begin)).has_value();
        bool is_next_line = first != last && list.source->line_offset(first->line) == run;
        bool is_called = last->kind == Tok::LParen;
        if (is_marker && is_next_line && !is_called && here.file == next.file && !next.in_system_header &&
            stands_for_itself(text, {first, last}))
            marks.push_back({static_cast<uint32_t>(at + 1), first->line});
    }
    return marks;
}

}  // namespace bn::emit
