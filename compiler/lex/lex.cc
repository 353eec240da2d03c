// The lexer: one pass over the text.  The text of a Source ends with a NUL that is part of the string; it stops every
// inner loop without a separate test, and `end_` distinguishes it from a NUL within the text.
#include "lex/lex.h"

#include <cstring>
#include <optional>

#include "lex/chars.h"
#include "lex/directives.h"
#include "lex/names.h"
#include "lex/old_words.h"
#include "lex/soft_keywords.h"

namespace bn::lex {

namespace {

class Lexer {
public:
    Lexer(const source::Source& source, const Options& options);
    TokenList run();

private:
    void skip_white_space();
    bool skip_newline();
    bool skip_continuation();
    bool skip_comment();
    void read_directive();

    void read_token();
    void read_identifier();
    void read_number();
    void read_quoted(const char* start);
    bool read_raw_string(const char* start);
    void read_unknown();
    Tok read_punctuator();
    bool take(char c);
    bool take(char c, char d);

    void add(Tok kind, const char* start, uint32_t name = 0);
    uint32_t offset(const char* p) const { return static_cast<uint32_t>(p - begin_); }

    const char* const begin_;
    const char* const end_;
    const char* p_;
    uint32_t line_ = 0;
    uint32_t token_line_ = 0;
    bool at_line_start_ = true;
    KeywordState state_;
    NameTable names_;
    TokenList list_;
};

Lexer::Lexer(const source::Source& source, const Options& options)
    : begin_(source.text().data()), end_(begin_ + source.text().size()), p_(begin_), names_(options)
{
    list_.source = &source;
    list_.is_c23 = options.is_c23;
    list_.tokens.reserve(source.text().size() / 6 + 16);
}

TokenList Lexer::run()
{
    add(Tok::Start, p_);
    for (;;) {
        skip_white_space();
        token_line_ = line_;
        if (p_ == end_)
            break;
        at_line_start_ = false;
        read_token();
    }
    add(Tok::End, p_);
    list_.names = names_.take_names();
    return std::move(list_);
}

void Lexer::add(Tok kind, const char* start, uint32_t name)
{
    list_.tokens.push_back(
        {offset(start), static_cast<uint32_t>(p_ - start), token_line_, name, kind, state_.in_system_header()});
}

void Lexer::skip_white_space()
{
    for (;;) {
        while (is_blank(*p_) && p_ != end_)
            p_++;
        if (*p_ == '#' && at_line_start_)
            read_directive();
        else if (!skip_newline() && !skip_continuation() && !skip_comment())
            return;
    }
}

bool Lexer::skip_newline()
{
    if (*p_ != '\n')
        return false;
    p_++;
    line_++;
    at_line_start_ = true;
    return true;
}

// A backslash, blanks and a newline
bool Lexer::skip_continuation()
{
    if (*p_ != '\\')
        return false;
    const char* q = p_ + 1;
    while (is_blank(*q) && q != end_)
        q++;
    if (*q != '\n')
        return false;
    p_ = q + 1;
    line_++;
    return true;
}

// Comments survive under cc -E -C.
bool Lexer::skip_comment()
{
    if (*p_ != '/' || (p_[1] != '/' && p_[1] != '*'))
        return false;
    if (p_[1] == '/') {
        const void* newline = std::memchr(p_, '\n', static_cast<size_t>(end_ - p_));
        p_ = newline != nullptr ? static_cast<const char*>(newline) : end_;
        return true;
    }
    for (p_ += 2; p_ != end_; p_++) {
        if (*p_ == '\n')
            line_++;
        if (*p_ == '*' && p_[1] == '/') {
            p_ += 2;
            return true;
        }
    }
    return true;
}

// Reads from '#' to the end of the line, without the newline.
void Lexer::read_directive()
{
    const char* start = p_;
    const uint32_t first_line = line_;
    for (;;) {
        const void* newline = std::memchr(p_, '\n', static_cast<size_t>(end_ - p_));
        p_ = newline != nullptr ? static_cast<const char*>(newline) : end_;
        if (p_ == end_ || p_[-1] != '\\')
            break;
        p_++;
        line_++;
    }
    std::string_view line(start, static_cast<size_t>(p_ - start));
    PragmaKind kind;
    Pack pack;
    if (std::optional<source::LineMarker> marker = source::parse_line_marker(line)) {
        state_.apply(*marker);
    } else if (parse_upc_pragma(line, &kind)) {
        state_.apply(kind);
        list_.pragmas.push_back({kind, static_cast<TokenIndex>(list_.tokens.size()), offset(start),
                                 static_cast<uint32_t>(line.size()), first_line});
    } else if (parse_pack_pragma(line, &pack)) {
        pack.before = static_cast<TokenIndex>(list_.tokens.size());
        list_.packs.push_back(pack);
    } else if (is_pragma(line)) {
        list_.other_pragmas.push_back({static_cast<TokenIndex>(list_.tokens.size()), line});
    }
}

void Lexer::read_token()
{
    const char* start = p_;
    char c = *p_;
    if (is_ident_start(c) || (c == '\\' && (p_[1] == 'u' || p_[1] == 'U'))) {
        read_identifier();
    } else if (is_digit(c) || (c == '.' && is_digit(p_[1]))) {
        read_number();
    } else if (c == '"' || c == '\'') {
        read_quoted(start);
    } else {
        Tok tok = read_punctuator();
        if (tok == Tok::Unknown)
            read_unknown();
        else
            add(tok, start);
    }
}

// identifier, keyword, or the prefix of a string
void Lexer::read_identifier()
{
    const char* start = p_;
    uint32_t hash = NameTable::kHashStart;
    for (;;) {
        while (is_ident_char(*p_)) {
            hash = NameTable::hash_step(hash, *p_);
            p_++;
        }
        if (*p_ != '\\' || (p_[1] != 'u' && p_[1] != 'U'))
            break;
        hash = NameTable::hash_step(hash, *p_);
        p_++;
    }
    std::string_view text(start, static_cast<size_t>(p_ - start));
    if ((*p_ == '"' || *p_ == '\'') && text.size() <= 3) {
        bool is_raw = text.back() == 'R' && *p_ == '"';
        std::string_view prefix = is_raw ? text.substr(0, text.size() - 1) : text;
        bool is_prefix = prefix == "L" || prefix == "u" || prefix == "U" || prefix == "u8";
        if (is_raw && (prefix.empty() || is_prefix) && read_raw_string(start))
            return;
        if (!is_raw && is_prefix) {
            read_quoted(start);
            return;
        }
    }
    uint32_t name = names_.intern(text, hash);
    Tok tok = names_.keyword(name);
    if (is_upc_keyword(tok)) {
        if (state_.upc_keywords()) {
            list_.upc_keywords.push_back(static_cast<TokenIndex>(list_.tokens.size()));
            list_.has_upc_keyword |= !state_.in_system_header();
        } else {
            const Undecided word{static_cast<TokenIndex>(list_.tokens.size()), tok};
            if (state_.is_undecided())
                list_.undecided.push_back(word);
            else if (tok == Tok::KwThreads || tok == Tok::KwMyThread)
                list_.c_words.push_back(word);
            tok = Tok::Identifier;
        }
    } else if (names_.old_word(name) != Tok::Identifier) {
        list_.old_words.push_back({static_cast<TokenIndex>(list_.tokens.size()), names_.old_word(name)});
    }
    add(tok, start, name);
}

// preprocessing number: digits, letters, '.', and signs after an exponent's letter; C23: ' between digits or letters
void Lexer::read_number()
{
    const char* start = p_;
    for (p_++;; p_++) {
        if (*p_ == '\'' && list_.is_c23 && is_ident_char(p_[1]))
            p_++;
        bool is_sign = *p_ == '+' || *p_ == '-';
        char before = static_cast<char>(p_[-1] | 0x20);
        if (is_sign ? before != 'e' && before != 'p' : !is_ident_char(*p_) && *p_ != '.')
            break;
    }
    add(Tok::Number, start);
}

// string or character constant; p_ is at the quote, start at its prefix
void Lexer::read_quoted(const char* start)
{
    const char quote = *p_++;
    for (;;) {
        while (*p_ != quote && *p_ != '\\' && *p_ != '\n' && *p_ != '\0')
            p_++;
        if (*p_ == quote) {
            p_++;
            add(quote == '"' ? Tok::String : Tok::Char, start);
            return;
        }
        if (*p_ == '\n' || p_ == end_)
            break;
        if (*p_ == '\\' && p_ + 1 != end_) {
            p_++;
            if (*p_ == '\n')
                line_++;
        }
        p_++;
    }
    add(Tok::Unknown, start);
}

// R"delimiter(...)delimiter"
bool Lexer::read_raw_string(const char* start)
{
    constexpr size_t kMaxDelimiter = 16;
    std::string_view rest(p_ + 1, static_cast<size_t>(end_ - p_ - 1));
    size_t open = rest.find_first_of("(\n\" \\)");
    if (open == std::string_view::npos || rest[open] != '(' || open > kMaxDelimiter)
        return false;
    std::string closing = ")";
    closing += rest.substr(0, open);
    closing += '"';
    size_t close = rest.find(closing, open);
    if (close == std::string_view::npos)
        return false;
    const char* last = p_ + 1 + close + closing.size();
    for (; p_ != last; p_++)
        line_ += *p_ == '\n';
    add(Tok::String, start);
    return true;
}

// Makes one token of a run of the same stray character, so that binary input does not produce a token per byte.
void Lexer::read_unknown()
{
    const char* start = p_;
    while (p_ != end_ && *p_ == *start)
        p_++;
    add(Tok::Unknown, start);
}

bool Lexer::take(char c)
{
    if (*p_ != c)
        return false;
    p_++;
    return true;
}

bool Lexer::take(char c, char d)
{
    if (*p_ != c || p_[1] != d)
        return false;
    p_ += 2;
    return true;
}

// Returns Unknown, and reads nothing, if there is no punctuator here.
Tok Lexer::read_punctuator()
{
    switch (*p_++) {
    case '(': return Tok::LParen;
    case ')': return Tok::RParen;
    case '[': return Tok::LBracket;
    case ']': return Tok::RBracket;
    case '{': return Tok::LBrace;
    case '}': return Tok::RBrace;
    case ';': return Tok::Semicolon;
    case ',': return Tok::Comma;
    case '?': return Tok::Question;
    case '~': return Tok::Tilde;
    case ':': return take('>') ? Tok::RBracket : Tok::Colon;
    case '.': return take('.', '.') ? Tok::Ellipsis : Tok::Dot;
    case '+': return take('+') ? Tok::PlusPlus : take('=') ? Tok::PlusEqual : Tok::Plus;
    case '-': return take('-') ? Tok::MinusMinus : take('=') ? Tok::MinusEqual : take('>') ? Tok::Arrow : Tok::Minus;
    case '*': return take('=') ? Tok::StarEqual : Tok::Star;
    case '/': return take('=') ? Tok::SlashEqual : Tok::Slash;
    case '%': return take('=') ? Tok::PercentEqual : take('>') ? Tok::RBrace : Tok::Percent;
    case '&': return take('&') ? Tok::AmpAmp : take('=') ? Tok::AmpEqual : Tok::Amp;
    case '|': return take('|') ? Tok::PipePipe : take('=') ? Tok::PipeEqual : Tok::Pipe;
    case '^': return take('=') ? Tok::CaretEqual : Tok::Caret;
    case '!': return take('=') ? Tok::ExclaimEqual : Tok::Exclaim;
    case '=': return take('=') ? Tok::EqualEqual : Tok::Equal;
    case '<':
        if (take('<'))
            return take('=') ? Tok::LessLessEqual : Tok::LessLess;
        return take('=') ? Tok::LessEqual : take(':') ? Tok::LBracket : take('%') ? Tok::LBrace : Tok::Less;
    case '>':
        if (take('>'))
            return take('=') ? Tok::GreaterGreaterEqual : Tok::GreaterGreater;
        return take('=') ? Tok::GreaterEqual : Tok::Greater;
    default: p_--; return Tok::Unknown;
    }
}

}  // namespace

TokenList lex(const source::Source& source, const Options& options)
{
    TokenList list = Lexer(source, options).run();
    settle_system_headers(list);
    settle_old_words(list, options.old_words);
    settle_soft_keywords(list);
    return list;
}

}  // namespace bn::lex
