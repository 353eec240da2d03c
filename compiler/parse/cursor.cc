// cursor.cc: expectations, errors and recovery.
#include <algorithm>

#include "parse/parser.h"

namespace bn::parse {

using diag::Id;

bool Parser::accept(Tok tok)
{
    if (!at(tok))
        return false;
    advance();
    return true;
}

bool Parser::expect(Tok tok)
{
    if (accept(tok))
        return true;
    fail_expected("'" + std::string(lex::spelling(tok)) + "'");
    return false;
}

// A ';' missing at the end of a line or block is reported and assumed: the following text is sound.
void Parser::expect_semicolon()
{
    if (accept(Tok::Semicolon) || panic_)
        return;
    bool ends_here = at(Tok::RBrace) || list_[pos_].line > list_[pos_ - 1].line;
    bool is_sound = ends_here && !at(Tok::Unknown) && !at(Tok::End);
    if (is_sound && is_reporting())
        report_expected("';'");
    else if (!is_sound || !options_.keeps_broken)
        fail_expected("';'");
}

TokenIndex Parser::expect_identifier()
{
    if (at(Tok::Identifier))
        return advance();
    fail_expected("an identifier");
    return pos_;
}

void Parser::fail(Id id, std::initializer_list<std::string_view> args)
{
    if (panic_)
        return;
    if (!is_reporting())
        abandoned_ = !options_.keeps_broken;
    else if (!report_bad_token())
        diagnostics_.report(id, pos_, args);
    error_pos_ = pos_;
    panic_ = true;
    pos_ = end_;
}

void Parser::fail_expected(std::string_view what)
{
    if (panic_)
        return;
    if (is_reporting())
        report_expected(what);
    else
        abandoned_ = !options_.keeps_broken;
    error_pos_ = pos_;
    panic_ = true;
    pos_ = end_;
}

void Parser::fail_nesting(uint32_t limit)
{
    fail(Id::NestingTooDeep, {std::to_string(limit)});
}

void Parser::report_expected(std::string_view what)
{
    if (!report_bad_token())
        diagnostics_.report(Id::Expected, place_of_missing(), {what, describe(pos_)});
}

// The lexer leaves it to the parser to report bad tokens; such a message says more than one about what was expected
// instead.
bool Parser::report_bad_token()
{
    if (!at(Tok::Unknown))
        return false;
    std::string_view text = list_.text(pos_);
    size_t quote = text.find_first_of("\"'");
    if (quote != std::string_view::npos) {
        diagnostics_.report(Id::UnterminatedString, pos_, {text.substr(quote, 1)});
        return true;
    }
    unsigned char c = static_cast<unsigned char>(text[0]);
    constexpr char kHex[] = "0123456789abcdef";
    std::string shown(1, text[0]);
    if (c <= ' ' || c >= 0x7f)
        shown = {'\\', 'x', kHex[c >> 4], kHex[c & 15]};
    diagnostics_.report(Id::StrayCharacter, pos_, {"'" + shown + "'"});
    return true;
}

// Errors in text that uses no UPC are left to cc.
bool Parser::is_reporting()
{
    if (reporting_ == Reporting::Unknown) {
        TokenIndex end = declaration_first_;
        do
            end = end_of_declaration(end);
        while (end <= pos_ && end < end_);
        reporting_ = taint_.touches(declaration_first_, end) ? Reporting::Yes : Reporting::No;
    }
    return reporting_ == Reporting::Yes;
}

std::string Parser::describe(TokenIndex index) const
{
    constexpr size_t kMaxShown = 40;
    switch (kind_at(index)) {
    case Tok::End: return "the end of the file";
    case Tok::String: return "a string literal";
    case Tok::Char: return "a character constant";
    default: break;
    }
    std::string_view text = list_.text(index);
    return "'" + std::string(text.substr(0, kMaxShown)) + (text.size() > kMaxShown ? "..." : "") + "'";
}

// For something missing before pos_, the message belongs to the line where it should have been.
TokenIndex Parser::place_of_missing() const
{
    bool is_on_earlier_line = pos_ > 1 && list_[pos_ - 1].line < list_[pos_].line;
    return is_on_earlier_line ? pos_ - 1 : pos_;
}

// Resumes after the next ';' or '}' that belongs to the block in which `item` starts, or before the '}' that ends the
// block.
void Parser::recover_in_block(TokenIndex item)
{
    panic_ = false;
    uint32_t braces = 0;
    TokenIndex head_end = 0;  // end of the head of the for statement, which contains semicolons
    for (pos_ = item; pos_ < end_; pos_++) {
        bool is_past_error = pos_ >= error_pos_;
        switch (kind()) {
        case Tok::LBrace: braces++; break;
        case Tok::RBrace:
            if (braces == 0)
                return;
            if (--braces > 0 || !is_past_error)
                break;
            pos_++;
            accept(Tok::KwElse);
            return;
        case Tok::Semicolon:
            if (braces > 0 || !is_past_error || pos_ < head_end)
                break;
            pos_++;
            accept(Tok::KwElse);
            return;
        case Tok::KwFor:
        case Tok::KwForall:
            if (peek() == Tok::LParen)
                head_end = std::max(head_end, skip_parens(pos_ + 1));
            break;
        default: break;
        }
    }
}

// One past the matching ')'; a brace ends the search, because it means that a ')' is missing.
TokenIndex Parser::skip_parens(TokenIndex open) const
{
    uint32_t depth = 0;
    for (TokenIndex index = open; index < end_; index++) {
        switch (kind_at(index)) {
        case Tok::LParen: depth++; break;
        case Tok::RParen:
            if (--depth == 0)
                return index + 1;
            break;
        case Tok::LBrace:
        case Tok::RBrace: return index;
        default: break;
        }
    }
    return end_;
}

// One past the matching ']'
TokenIndex Parser::skip_brackets(TokenIndex open) const
{
    uint32_t depth = 0;
    for (TokenIndex index = open; index < end_; index++) {
        depth += kind_at(index) == Tok::LBracket;
        depth -= kind_at(index) == Tok::RBracket;
        if (depth == 0)
            return index + 1;
    }
    return end_;
}

// One past the last token of the external declaration that starts at `first`, according to braces and semicolons only
TokenIndex Parser::end_of_declaration(TokenIndex first) const
{
    uint32_t braces = 0;
    bool is_body = false;
    for (TokenIndex index = first; index < end_; index++) {
        switch (kind_at(index)) {
        case Tok::LBrace:
            if (braces++ == 0)
                is_body = opens_function_body(index);
            break;
        case Tok::RBrace:
            if (braces == 0 || (--braces == 0 && is_body))
                return index + 1;
            break;
        case Tok::Semicolon:
            if (braces == 0)
                return index + 1;
            break;
        default: break;
        }
    }
    return end_;
}

// A '{' after a ')' that does not belong to an attribute as in "struct __attribute__((packed)) {"
bool Parser::opens_function_body(TokenIndex open) const
{
    TokenIndex before = open - 1;
    while (kind_at(before) == Tok::RParen && before > declaration_first_) {
        uint32_t depth = 0;
        TokenIndex paren = before;
        for (; paren > declaration_first_; paren--) {
            if (kind_at(paren) == Tok::RParen)
                depth++;
            else if (kind_at(paren) == Tok::LParen && --depth == 0)
                break;
        }
        if (paren <= declaration_first_ || kind_at(paren - 1) != Tok::KwAttribute)
            return true;
        before = paren - 2;
    }
    return false;
}

// Called where "#pragma upc" is legal: between external declarations and at the start of a block.
void Parser::note_pragmas_here()
{
    for (; next_pragma_ < list_.pragmas.size() && list_.pragmas[next_pragma_].before <= pos_; next_pragma_++) {
        const lex::Pragma& pragma = list_.pragmas[next_pragma_];
        if (pragma.kind == lex::PragmaKind::Malformed)
            diagnostics_.report(Id::BadPragma, pragma);
        else if (pragma.before < pos_ && pragma.kind <= lex::PragmaKind::Relaxed)
            diagnostics_.report(Id::MisplacedPragma, pragma);
        unit_->pragmas.push_back({pragma.before, pragma.kind, pragma.offset, pragma.length});
    }
}

void Parser::finish_node(ast::Node& node, Kind kind, TokenIndex first, size_t mark)
{
    uint32_t height = 0;
    for (size_t i = mark; i < children_.size(); i++)
        height = std::max<uint32_t>(height, children_[i]->height);
    node.kind = kind;
    node.first = first;
    node.last = pos_ - 1;
    node.children = take(children_, mark);
    node.height = height + 1;
    if (node.height > options_.max_height)
        fail_nesting(options_.max_height);
}

}  // namespace bn::parse
