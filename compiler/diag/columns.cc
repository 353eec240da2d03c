#include "diag/columns.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <limits>
#include <optional>

namespace bn::diag {

namespace {

constexpr uint32_t kTabStop = 8;
constexpr uint32_t kMaxLinesOfInvocation = 64;
constexpr size_t kMaxAlignedTokens = 4096;  // longer parts with macros are not aligned
constexpr size_t kMaxAlignmentCells = 1u << 20;

struct SourceToken {
    std::string_view text;
    Place place;
    bool is_identifier;
};

bool is_identifier_start(char c)
{
    return std::isalpha(static_cast<unsigned char>(c)) || c == '_' || c == '$' || static_cast<unsigned char>(c) >= 0x80;
}

bool is_identifier_part(char c)
{
    return is_identifier_start(c) || std::isdigit(static_cast<unsigned char>(c));
}

size_t punctuator_length(std::string_view rest)
{
    static constexpr std::array<std::string_view, 28> kLong = {
        "%:%:", "...", "<<=", ">>=", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&",
        "||",   "*=",  "/=",  "%=",  "+=", "-=", "&=", "^=", "|=", "##", "<:", ":>", "<%", "%>",
    };
    for (std::string_view punctuator : kLong) {
        if (rest.substr(0, punctuator.size()) == punctuator)
            return punctuator.size();
    }
    return 1;
}

size_t quoted_length(std::string_view rest)
{
    size_t i = 1;
    while (i < rest.size() && rest[i] != rest[0])
        i += rest[i] == '\\' ? 2 : 1;
    return std::min(i + 1, rest.size());
}

size_t number_length(std::string_view rest)
{
    size_t i = 1;
    while (i < rest.size()) {
        bool is_exponent_sign =
            (rest[i] == '+' || rest[i] == '-') && std::string_view("eEpP").find(rest[i - 1]) != rest.npos;
        if (!is_identifier_part(rest[i]) && rest[i] != '.' && !is_exponent_sign)
            break;
        ++i;
    }
    return i;
}

size_t identifier_length(std::string_view rest)
{
    size_t i = 1;
    while (i < rest.size() && is_identifier_part(rest[i]))
        ++i;
    return i;
}

// Splits source lines into tokens; remembers a comment that is open at the end of a line.
class Scanner {
public:
    void add_line(std::string_view text, uint32_t line)
    {
        size_t i = 0;
        if (tokens_.empty() && !in_comment_)
            i = end_of_outer_comment(text);
        while (i < text.size())
            i = step(text, i, line);
    }

    bool needs_more() const { return in_comment_ || depth_ > 0; }
    std::vector<SourceToken>& tokens() { return tokens_; }

private:
    // The first line may start inside a comment.
    static size_t end_of_outer_comment(std::string_view text)
    {
        size_t close = text.find("*/");
        size_t open = text.find("/*");
        return close != text.npos && open > close ? close + 2 : 0;
    }

    size_t step(std::string_view text, size_t i, uint32_t line)
    {
        std::string_view rest = text.substr(i);
        if (in_comment_) {
            size_t close = rest.find("*/");
            in_comment_ = close == rest.npos;
            return in_comment_ ? text.size() : i + close + 2;
        }
        if (rest.substr(0, 2) == "//")
            return text.size();
        if (rest.substr(0, 2) == "/*") {
            in_comment_ = true;
            return i + 2;
        }
        if (std::isspace(static_cast<unsigned char>(rest[0])) || rest[0] == '\\')
            return i + 1;
        return i + add_token(rest, static_cast<uint32_t>(i), line);
    }

    size_t add_token(std::string_view rest, uint32_t first, uint32_t line)
    {
        size_t length = 0;
        bool is_identifier = false;
        if (is_identifier_start(rest[0])) {
            length = identifier_length(rest);
            bool is_prefix = length <= 2 && length < rest.size() && (rest[length] == '"' || rest[length] == '\'');
            is_identifier = !is_prefix;
            if (is_prefix)
                length += quoted_length(rest.substr(length));
        } else if (rest[0] == '"' || rest[0] == '\'') {
            length = quoted_length(rest);
        } else if (std::isdigit(static_cast<unsigned char>(rest[0])) ||
                   (rest[0] == '.' && rest.size() > 1 && std::isdigit(static_cast<unsigned char>(rest[1])))) {
            length = number_length(rest);
        } else {
            length = punctuator_length(rest);
            depth_ += rest[0] == '(' ? 1 : 0;
            depth_ -= rest[0] == ')' && depth_ > 0 ? 1 : 0;
        }
        tokens_.push_back(
            {rest.substr(0, length), {line, first, first + static_cast<uint32_t>(length)}, is_identifier});
        return length;
    }

    std::vector<SourceToken> tokens_;
    uint32_t depth_ = 0;
    bool in_comment_ = false;
};

// The source tokens of a line, and of further lines joined to it by a continuation or an open parenthesis
std::vector<SourceToken> scan(const source::Source& source, uint32_t file, uint32_t line)
{
    Scanner scanner;
    for (uint32_t i = 0; i < kMaxLinesOfInvocation; ++i) {
        std::string_view text = source.source_line(file, line + i);
        scanner.add_line(text, line + i);
        bool is_continued = !text.empty() && text.back() == '\\';
        if (!is_continued && !scanner.needs_more())
            break;
    }
    return std::move(scanner.tokens());
}

// Aligns the preprocessed tokens with the source tokens: the cheapest explanation of every token, by dynamic
// programming.  cost(i, j) is the cost of explaining tokens from i on by source tokens from j on; reach(i, j) is the
// least cost if any number of tokens from i on may first belong to an expansion that ends before source token j.
class Aligner {
public:
    Aligner(const std::vector<std::string_view>& expanded, const std::vector<SourceToken>& source)
        : expanded_(expanded), source_(source), of_(expanded.size(), kNone)
    {
    }

    static constexpr uint32_t kNone = std::numeric_limits<uint32_t>::max();

    // For each preprocessed token, the index of its source token, or kNone
    std::vector<uint32_t> run()
    {
        size_t common = std::min(expanded_.size(), source_.size());
        while (begin_ < common && expanded_[begin_] == source_[begin_].text) {
            of_[begin_] = static_cast<uint32_t>(begin_);
            ++begin_;
        }
        expanded_end_ = expanded_.size();
        source_end_ = source_.size();
        while (expanded_end_ > begin_ && source_end_ > begin_ &&
               expanded_[expanded_end_ - 1] == source_[source_end_ - 1].text)
            of_[--expanded_end_] = static_cast<uint32_t>(--source_end_);
        close_parentheses();
        height_ = expanded_end_ - begin_;
        width_ = source_end_ - begin_;
        if (height_ > 0 && width_ > 0 && height_ <= kMaxAlignedTokens &&
            (height_ + 1) * (width_ + 1) <= kMaxAlignmentCells)
            align();
        return std::move(of_);
    }

private:
    enum : uint32_t { kUseMacro = 8, kSkipSource = 16, kSkipExpanded = 32 };

    uint32_t& cost(size_t i, size_t j) { return cost_[j * (height_ + 1) + i]; }
    uint32_t& reach(size_t i, size_t j) { return reach_[j * (height_ + 1) + i]; }
    std::string_view expanded(size_t i) const { return expanded_[begin_ + i]; }
    const SourceToken& source(size_t j) const { return source_[begin_ + j]; }

    // The equal tokens at the end may start with parentheses that close a macro's arguments: those belong to the rest.
    void close_parentheses()
    {
        uint32_t depth = 0;
        for (size_t j = begin_; j < source_.size() && (j < source_end_ || depth > 0); ++j) {
            depth += source_[j].text == "(" ? 1 : 0;
            depth -= source_[j].text == ")" && depth > 0 ? 1 : 0;
            if (j >= source_end_) {
                ++source_end_;
                ++expanded_end_;
            }
        }
    }

    // Source token after the parenthesis that closes the argument list beginning at j, or 0
    std::vector<size_t> argument_list_ends() const
    {
        std::vector<size_t> ends(width_ + 1, 0);
        std::vector<size_t> open;
        for (size_t j = 0; j < width_; ++j) {
            if (source(j).text == "(") {
                open.push_back(j);
            } else if (source(j).text == ")" && !open.empty()) {
                ends[open.back()] = j + 1;
                open.pop_back();
            }
        }
        return ends;
    }

    void align()
    {
        cost_.assign((height_ + 1) * (width_ + 1), 0);
        reach_ = cost_;
        arguments_end_ = argument_list_ends();
        for (size_t j = width_ + 1; j-- > 0;) {
            for (size_t i = height_ + 1; i-- > 0;) {
                cost(i, j) = cheapest(i, j);
                reach(i, j) = i < height_ ? std::min(cost(i, j), reach(i + 1, j) + 1) : cost(i, j);
            }
        }
        trace();
    }

    uint32_t cheapest(size_t i, size_t j)
    {
        if (i == height_ && j == width_)
            return 0;
        uint32_t best = kNone;
        if (i < height_)
            best = cost(i + 1, j) + kSkipExpanded;
        if (j == width_)
            return best;
        best = std::min(best, cost(i, j + 1) + kSkipSource);
        if (i < height_ && expanded(i) == source(j).text)
            best = std::min(best, cost(i + 1, j + 1));
        if (source(j).is_identifier) {
            best = std::min(best, reach(i, j + 1) + kUseMacro);
            if (arguments_end_[j + 1] != 0)
                best = std::min(best, reach(i, arguments_end_[j + 1]) + kUseMacro);
        }
        return best;
    }

    // Retraces the cheapest path and records the source token of each preprocessed token.
    void trace()
    {
        size_t i = 0;
        size_t j = 0;
        while (i < height_) {
            uint32_t here = cost(i, j);
            if (j < width_ && expanded(i) == source(j).text && here == cost(i + 1, j + 1)) {
                of_[begin_ + i++] = static_cast<uint32_t>(begin_ + j++);
            } else if (j < width_ && source(j).is_identifier && arguments_end_[j + 1] != 0 &&
                       here == reach(i, arguments_end_[j + 1]) + kUseMacro) {
                i = note_expansion(i, j, arguments_end_[j + 1]);
                j = arguments_end_[j + 1];
            } else if (j < width_ && source(j).is_identifier && here == reach(i, j + 1) + kUseMacro) {
                i = note_expansion(i, j, j + 1);
                ++j;
            } else if (j < width_ && here == cost(i, j + 1) + kSkipSource) {
                ++j;
            } else {
                ++i;
            }
        }
    }

    // Tokens from i on are the expansion of the macro at `name`, which ends before source token `next`.  Tokens that
    // occur in the arguments are mapped there, the others to the name.
    size_t note_expansion(size_t i, size_t name, size_t next)
    {
        size_t from = name + 1;
        for (; reach(i, next) != cost(i, next); ++i) {
            size_t match = next;
            char c = expanded(i)[0];
            if (is_identifier_part(c) || c == '"' || c == '\'')
                match = find_argument(expanded(i), from, name + 1, next);
            of_[begin_ + i] = static_cast<uint32_t>(begin_ + (match < next ? match : name));
            from = match < next ? match + 1 : from;
        }
        return i;
    }

    // The first source token with this text in [from, end), or else in [begin, end), or else end
    size_t find_argument(std::string_view text, size_t from, size_t begin, size_t end) const
    {
        for (size_t start : {from, begin}) {
            for (size_t j = start; j < end; ++j) {
                if (source(j).text == text)
                    return j;
            }
        }
        return end;
    }

    const std::vector<std::string_view>& expanded_;
    const std::vector<SourceToken>& source_;
    std::vector<uint32_t> of_;
    size_t begin_ = 0;
    size_t expanded_end_ = 0;
    size_t source_end_ = 0;
    size_t height_ = 0;
    size_t width_ = 0;
    std::vector<uint32_t> cost_;
    std::vector<uint32_t> reach_;
    std::vector<size_t> arguments_end_;
};

// Code points that occupy zero or two columns of a terminal
bool in_ranges(uint32_t c, const std::pair<uint32_t, uint32_t>* begin, const std::pair<uint32_t, uint32_t>* end)
{
    return std::any_of(begin, end, [c](const auto& range) { return c >= range.first && c <= range.second; });
}

uint32_t width_of(uint32_t c)
{
    static constexpr std::pair<uint32_t, uint32_t> kCombining[] = {
        {0x300, 0x36f},   {0x483, 0x489},   {0x591, 0x5bd},   {0x610, 0x61a},   {0x64b, 0x65f},   {0x1ab0, 0x1aff},
        {0x1dc0, 0x1dff}, {0x200b, 0x200f}, {0x20d0, 0x20ff}, {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f},
    };
    static constexpr std::pair<uint32_t, uint32_t> kWide[] = {
        {0x1100, 0x115f}, {0x2e80, 0x303e},   {0x3041, 0x33ff},   {0x3400, 0x4dbf},   {0x4e00, 0x9fff},
        {0xa000, 0xa4cf}, {0xac00, 0xd7a3},   {0xf900, 0xfaff},   {0xfe30, 0xfe6f},   {0xff00, 0xff60},
        {0xffe0, 0xffe6}, {0x1f300, 0x1f64f}, {0x1f900, 0x1f9ff}, {0x20000, 0x3fffd},
    };
    if (c < 0x300)
        return 1;
    if (in_ranges(c, std::begin(kCombining), std::end(kCombining)))
        return 0;
    return in_ranges(c, std::begin(kWide), std::end(kWide)) ? 2 : 1;
}

// Decodes the UTF-8 character at the start of `rest`; malformed bytes count as single characters.
uint32_t decode(std::string_view rest, size_t& length)
{
    auto byte = [&](size_t i) { return static_cast<uint32_t>(static_cast<unsigned char>(rest[i])); };
    uint32_t lead = byte(0);
    length = lead >= 0xf0 && lead < 0xf8 ? 4 : lead >= 0xe0 && lead < 0xf0 ? 3 : lead >= 0xc2 && lead < 0xe0 ? 2 : 1;
    if (length == 1 || length > rest.size()) {
        length = 1;
        return lead < 0x80 ? lead : 0xfffd;
    }
    uint32_t c = lead & (0x7fu >> length);
    for (size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xc0) != 0x80) {
            length = 1;
            return 0xfffd;
        }
        c = c << 6 | (byte(i) & 0x3f);
    }
    return c;
}

}  // namespace

LinePlaces::LinePlaces(const lex::TokenList& tokens, lex::TokenIndex token)
{
    const source::Source& source = *tokens.source;
    source::Location here = source.location(tokens[token].line);
    uint32_t known_line = tokens[token].line;
    auto is_on_line = [&](lex::TokenIndex index) {
        if (tokens[index].line == known_line)
            return true;
        source::Location location = source.location(tokens[index].line);
        if (location.file != here.file || location.line != here.line)
            return false;
        known_line = tokens[index].line;
        return true;
    };
    std::vector<SourceToken> scanned = scan(source, here.file, here.line);
    if (scanned.empty())
        return;

    lex::TokenIndex end = token + 1;
    begin_ = token;
    while (begin_ > 1 && is_on_line(begin_ - 1))
        --begin_;
    while (end < tokens.tokens.size() && tokens[end].kind != lex::Tok::End && is_on_line(end))
        ++end;
    std::vector<std::string_view> expanded;
    for (lex::TokenIndex index = begin_; index < end; ++index)
        expanded.push_back(tokens.text(index));

    Place place = scanned[0].place;
    for (uint32_t index : Aligner(expanded, scanned).run()) {
        if (index != Aligner::kNone)
            place = scanned[index].place;
        places_.push_back(place);
    }
}

DisplayLine display(std::string_view line)
{
    DisplayLine result;
    uint32_t column = 0;
    size_t length = 0;
    for (size_t i = 0; i < line.size(); i += length) {
        uint32_t c = decode(line.substr(i), length);
        result.columns.insert(result.columns.end(), length, column);
        result.offsets.insert(result.offsets.end(), length, static_cast<uint32_t>(result.text.size()));
        if (c == '\t') {
            uint32_t width = kTabStop - column % kTabStop;
            result.text.append(width, ' ');
            column += width;
        } else if (c < 0x20 || c == 0x7f) {
            result.text += ' ';
            ++column;
        } else {
            result.text.append(line.substr(i, length));
            column += width_of(c);
        }
    }
    result.columns.push_back(column);
    result.offsets.push_back(static_cast<uint32_t>(result.text.size()));
    return result;
}

}  // namespace bn::diag
