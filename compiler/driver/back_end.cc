#include "driver/back_end.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

#include "driver/back_end_words.h"
#include "driver/compiler_message.h"
#include "lex/chars.h"

namespace bn::driver {

namespace {

// clang's last line, "3 warnings and 1 error generated.", counts messages as often as they were emitted, including
// duplicates that are printed once.
bool is_count(std::string_view line)
{
    return !line.empty() && lex::is_digit(line[0]) && line.ends_with(" generated.");
}

// A line above a message that gives its context: "In function 'f':", "inlined from 'f' at FILE:LINE:COLUMN:" or "In
// file included from FILE:LINE:"
struct Context {
    std::string_view text;
    std::string_view function;  // the name, if there is one
    std::string_view quoted;    // the name in its quotes
    std::optional<CompilerLocation> location;
};

std::optional<Context> context(std::string_view line)
{
    if (!line.ends_with(':') && !line.ends_with(','))
        return std::nullopt;
    Context result{line, {}, {}, {}};
    if (std::optional<Quoted> quoted = find_quoted(line, 0)) {
        result.function = line.substr(quoted->begin, quoted->end - quoted->begin);
        result.quoted =
            line.substr(quoted->begin - quoted->quote_bytes, result.function.size() + 2 * quoted->quote_bytes);
    }
    size_t start = line.rfind(' ');
    std::string_view last = start == line.npos ? line : line.substr(start + 1);
    size_t end = 0;
    result.location = compiler_location(last, end);
    return result;
}

// Whether a warning is about the form of code rather than its effect: emitted C has casts and declarations that nobody
// wrote.
bool is_of_form(std::string_view text)
{
    constexpr std::string_view kOptions[] = {
        "-Wbad-function-cast", "-Wcast-align",       "-Wcast-qual",   "-Wdeclaration-after-statement",
        "-Wpre-c11-compat",    "-Wredundant-parens", "-Wtraditional", "-Wunsafe-buffer-usage",
    };
    return std::ranges::any_of(
        kOptions, [&](std::string_view option) { return text.ends_with(" [" + std::string(option) + "]"); });
}

// Whether gcc's analyzer takes the address of a shared object for null, because nothing in emitted C writes it: the
// runtime does.  A null pointer-to-shared looks the same; a private pointer is named.
bool is_of_address(std::string_view text)
{
    std::optional<Quoted> quoted = find_quoted(text, 0);
    return quoted && text.starts_with("dereference of NULL") && text.ends_with("[-Wanalyzer-null-dereference]") &&
           text.substr(quoted->begin, quoted->end - quoted->begin) == "0";
}

// Whether the subject is a struct that may be a pointer-to-shared: gcc does not say exactly where it is.
bool is_of_struct(std::string_view text)
{
    return text.starts_with("function call has aggregate value") ||
           text.starts_with("traditional C rejects automatic aggregate initialization");
}

// Whether the preprocessor has already warned of the same
bool is_told_by_preprocessor(std::string_view text)
{
    return text.ends_with("[-Wbidi-chars=]");
}

// Whether a word stands in the program outside of system headers
bool says(const lex::TokenList& tokens, std::string_view word)
{
    for (lex::TokenIndex i = 1; i < tokens.tokens.size(); ++i)
        if (!tokens[i].in_system_header && tokens.text(i) == word)
            return true;
    return false;
}

// Whether a warning is about a word that lower/declare.cc adds and the program does not say: that "__thread", which
// follows the storage class with -pthreads, comes late in a declaration such as "const static int x"; or that something
// marked "unused" is used
bool is_of_own_word(std::string_view text, const lex::TokenList& tokens)
{
    constexpr std::string_view kThread = "__thread";
    if (text.ends_with("[-Wold-style-declaration]") && text.find(kThread) != text.npos)
        return !says(tokens, kThread);
    return text.ends_with("[-Wused-but-marked-unused]") && !says(tokens, "unused") && !says(tokens, "__unused__");
}

// The text without " [-Wunused]" at its end
std::string_view without_option(std::string_view text)
{
    size_t option = text.ends_with(']') ? text.rfind(" [-W") : text.npos;
    return text.substr(0, option);
}

// Where the last part of emitted C ends that came from the program; only upcc's own declarations follow.
uint32_t end_of_program(const std::vector<emit::Part>& parts, size_t size_bytes)
{
    auto last = std::find_if(parts.rbegin(), parts.rend(),
                             [](const emit::Part& part) { return part.is_copied() || part.first != 0; });
    return last == parts.rbegin() ? static_cast<uint32_t>(size_bytes) : std::prev(last)->begin;
}

// The name of a warning that -Werror has made an error: "shadow" for "... [-Werror=shadow]", or from clang "...
// [-Werror,-Wshadow]"; empty for a genuine error
std::string_view name_of_promoted(std::string_view text)
{
    constexpr std::string_view kMarks[] = {" [-Werror=", " [-Werror,-W"};
    for (std::string_view mark : kMarks)
        if (size_t at = text.rfind(mark); at != text.npos && text.ends_with(']'))
            return text.substr(at + mark.size(), text.size() - at - mark.size() - 1);
    return {};
}

class Retelling {
public:
    Retelling(std::string c, const Origin& origin, const diag::Options& options)
        : origin_(origin), emitted_(std::move(c), ""),
          program_end_(end_of_program(origin.parts, emitted_.text().size())), diags_(origin.tokens, options),
          words_(origin.tokens), names_options_(options.option_names)
    {
        for (uint32_t physical = 0; physical < emitted_.line_count(); ++physical)
            lines_[emitted_.location(physical).line].push_back(physical);
    }

    Retold run(std::string_view messages)
    {
        while (!messages.empty()) {
            size_t end = std::min(messages.find('\n'), messages.size());
            line(messages.substr(0, end));
            messages.remove_prefix(std::min(end + 1, messages.size()));
        }
        if (!has_told_error_)
            out_ += held_back_;
        if (has_told_error_ || !held_back_.empty())
            dropped_errors_.clear();
        return {std::move(out_), diags_.messages(), std::move(dropped_errors_)};
    }

private:
    // The source tokens from which a place in emitted C came
    struct Place {
        diag::Range range;
        bool is_copied;
        uint32_t offset = 0;  // in emitted C
    };

    void line(std::string_view text)
    {
        if (std::optional<CompilerMessage> found = compiler_message(text)) {
            tell(*found);
            contexts_.clear();
        } else if (std::optional<Context> above = context(text)) {
            if (!text.starts_with(' '))
                contexts_.clear();
            if (!above->location || !above->function.empty())  // diag prints the inclusions again
                contexts_.push_back(*above);
        } else if (!is_count(text) && !(text.starts_with(' ') && is_left_out_)) {
            out_.append(text) += '\n';
        }
    }

    void tell(const CompilerMessage& m)
    {
        is_left_out_ = true;
        std::optional<Place> place = find(m.location);
        size_t outer = 0;  // contexts_ from this index on belong to the program
        while (is_ours(place, outer) && outer + 1 < contexts_.size()) {
            ++outer;
            if (contexts_[outer].location)
                place = find(*contexts_[outer].location);
        }
        std::string_view promoted = name_of_promoted(m.text);
        bool has_error_label = m.label.find("error") != m.label.npos;
        bool is_error = has_error_label && promoted.empty();
        std::string warning(m.text);  // with the mark that it has without -Werror
        if (!promoted.empty())
            warning = std::string(without_option(m.text)).append(" [-W").append(promoted) += ']';
        bool is_behind = !place && follows_program(m.location);
        if (is_behind && m.location.column == 0)  // at the end of the file
            place = last_place();
        else if (is_behind && is_error)
            return hold_back(m);
        bool is_inside = place && is_header_of_ours(place->range.at);
        if (m.label == "note" && (left_out_warning_ || is_inside))
            return;
        std::optional<std::string> text = words_.translate(m.text, place ? std::optional(place->range) : std::nullopt);
        left_out_warning_ = !is_error && (!text || is_inside || is_of_own_code(warning, place));
        if (left_out_warning_) {
            if (!promoted.empty())
                dropped_errors_.emplace(promoted);
            return;
        }
        std::string words = text.value_or(std::string(m.text));
        if (!names_options_)
            words.resize(without_option(words).size());
        std::string where = place ? diags_.where(place->range.at) : std::string(m.where);
        if (!told_.insert(where + ": " + words).second)
            return;
        is_left_out_ = false;
        has_told_error_ |= has_error_label;
        tell_contexts(outer, place);
        if (!place) {
            out_ += where + ": " + std::string(m.label) + ": " + words + "\n";
            return;
        }
        size_t before = diags_.output().size();
        diags_.retell(m.label, place->range, words);
        out_ += diags_.output().substr(before);
    }

    bool is_of_own_code(std::string_view warning, const std::optional<Place>& place) const
    {
        return is_told_by_preprocessor(warning) || is_of_own_word(warning, origin_.tokens) || is_of_address(warning) ||
               is_of_struct(warning) || (place && is_of_form(warning) && !is_written(*place, warning));
    }

    // An error in upcc's own declarations follows from one in the program: a brace is missing, for instance.
    void hold_back(const CompilerMessage& m)
    {
        left_out_warning_ = true;
        held_back_ += std::string(m.where) + ": " + std::string(m.label) + ": " + std::string(m.text) + "\n";
    }

    // Whether the subject of a message, or the function named above it, belongs to upcc's headers
    bool is_ours(const std::optional<Place>& place, size_t outer) const
    {
        bool is_named = outer < contexts_.size() && contexts_[outer].function.starts_with("bn_");
        return is_named || (place && is_header_of_ours(place->range.at));
    }

    // Whether the program contains the form that a warning is about
    bool is_written(const Place& place, std::string_view warning) const
    {
        if (!place.is_copied)
            return false;
        return !warning.ends_with("[-Wbad-function-cast]") || casts_written(place.offset);
    }

    // Whether what is cast at an offset, by "(T)", was copied
    bool casts_written(size_t offset) const
    {
        std::string_view text = emitted_.text();
        int depth = 0;
        do
            depth += text[offset] == '(' ? 1 : text[offset] == ')' ? -1 : 0;
        while (++offset < text.size() && depth > 0);
        size_t operand = std::min(text.find_first_not_of(" (", offset), text.size());
        std::optional<Place> cast = place_of(static_cast<uint32_t>(operand));
        return cast && cast->is_copied;
    }

    bool is_header_of_ours(lex::TokenIndex token) const
    {
        source::Location where = origin_.source.location(origin_.tokens[token].line);
        return where.in_system_header &&
               origin_.source.file_name(where.file).find("/banyan/") != std::string_view::npos;
    }

    // Once per function, as the C compiler does
    void tell_contexts(size_t outer, const std::optional<Place>& place)
    {
        for (size_t i = outer; i < contexts_.size(); ++i) {
            const Context& c = contexts_[i];
            if (c.function.starts_with("bn_"))
                continue;
            if (!c.location) {
                out_.append(c.text) += '\n';
            } else if (i == outer && place) {  // replaces the helpers that stood above it
                source::Location at = origin_.source.location(origin_.tokens[place->range.at].line);
                out_ +=
                    std::string(origin_.source.file_name(at.file)) + ": In function " + std::string(c.quoted) + ":\n";
            } else if (std::optional<Place> from = find(*c.location)) {
                out_ += std::string(c.text.substr(0, c.text.rfind(' ') + 1)) + diags_.where(from->range.at) +
                        c.text.back() + "\n";
            } else {
                out_.append(c.text) += '\n';
            }
        }
    }

    // One source line may have become several lines of emitted C: prefers the one that has this column, and among these
    // one where the programmer's own text was copied, and starts in this column.  There is no token in a pragma, before
    // which gcc's preprocessor puts a line of blanks.
    std::optional<Place> find(const CompilerLocation& l) const
    {
        std::optional<Place> best;
        std::pair<bool, bool> best_rank;
        auto known = lines_.find(l.line);
        if (known == lines_.end())
            return best;
        for (uint32_t physical : known->second) {
            uint32_t begin = emitted_.line_offset(physical);
            size_t end = std::min(emitted_.text().find('\n', begin), emitted_.text().size());
            uint32_t offset = begin + (l.column != 0 ? l.column - 1 : 0);
            bool is_blank = emitted_.text().find_first_not_of(" \t", begin) >= end;
            if (offset > end || is_blank || emitted_.text().substr(begin, 1) == "#" ||
                emitted_.file_name(emitted_.location(physical).file) != l.file)
                continue;
            std::optional<Place> place = place_of(offset);
            if (!place)
                continue;
            std::pair<bool, bool> rank(place->is_copied, emitted_.text().find_first_not_of(" \t", begin) == offset);
            if (!best || rank > best_rank) {
                best = place;
                best_rank = rank;
            }
        }
        return best;
    }

    bool follows_program(const CompilerLocation& l) const
    {
        auto known = lines_.find(l.line);
        return known != lines_.end() && std::any_of(known->second.begin(), known->second.end(), [&](uint32_t physical) {
                   return emitted_.line_offset(physical) >= program_end_ &&
                          emitted_.file_name(emitted_.location(physical).file) == l.file;
               });
    }

    std::optional<Place> last_place() const
    {
        constexpr size_t kAround = 2;  // of the first token and the last, which stand for no text
        size_t count = origin_.tokens.tokens.size();
        if (count <= kAround)
            return std::nullopt;
        lex::TokenIndex last = static_cast<lex::TokenIndex>(count - kAround);
        return Place{{last, last, last}, true};
    }

    std::optional<Place> place_of(uint32_t offset) const
    {
        const std::vector<emit::Part>& parts = origin_.parts;
        auto after = std::upper_bound(parts.begin(), parts.end(), offset,
                                      [](uint32_t at, const emit::Part& part) { return at < part.begin; });
        if (after == parts.begin())
            return std::nullopt;
        const emit::Part& part = *std::prev(after);
        if (part.is_copied()) {
            lex::TokenIndex token = token_at(part.source + (offset - part.begin));
            return Place{{token, token, token}, true, offset};
        }
        if (part.first == 0)
            return std::nullopt;
        return Place{{part.first, part.last, part.at}, false, offset};
    }

    // The token at an offset of the preprocessed text; between tokens, the one that ends there (something is missing
    // after it), or the next one
    lex::TokenIndex token_at(uint32_t offset) const
    {
        const std::vector<lex::Token>& tokens = origin_.tokens.tokens;
        auto next = std::partition_point(tokens.begin() + 1, tokens.end() - 1, [&](const lex::Token& token) {
            return token.offset + token.length <= offset;
        });
        lex::TokenIndex index = static_cast<lex::TokenIndex>(next - tokens.begin());
        bool ends_here =
            index > 1 && next->offset > offset && tokens[index - 1].offset + tokens[index - 1].length == offset;
        return ends_here ? index - 1 : index;
    }

    const Origin& origin_;
    source::Source emitted_;
    uint32_t program_end_;
    std::unordered_map<uint32_t, std::vector<uint32_t>>
        lines_;  // physical lines of emitted C, by their line number in some file
    diag::Diagnostics diags_;
    Words words_;
    bool names_options_;
    std::vector<Context> contexts_;  // context lines for the next message
    std::set<std::string> told_;
    bool is_left_out_ = false;       // whether the last message was dropped
    bool left_out_warning_ = false;  // and its notes are dropped, too
    bool has_told_error_ = false;
    std::set<std::string> dropped_errors_;  // names of warnings
    std::string held_back_;                 // errors that are told if there are no others
    std::string out_;
};

}  // namespace

bool can_retell(const std::vector<std::string>& options)
{
    return std::none_of(options.begin(), options.end(), [](const std::string& option) {
        return option.starts_with("-fdiagnostics-format=") || option.starts_with("-fdiagnostics-add-output=") ||
               option.starts_with("-fopt-info") || option.starts_with("-Rpass");
    });
}

std::vector<std::string> plain_messages(bool is_gcc)
{
    if (!is_gcc)
        return {"-fno-caret-diagnostics", "-fno-color-diagnostics", "-fno-diagnostics-fixit-info", "-fmessage-length=0",
                "-fdiagnostics-show-option"};
    return {"-fno-diagnostics-show-caret",   "-fdiagnostics-color=never", "-fdiagnostics-column-unit=byte",
            "-fdiagnostics-column-origin=1", "-fmessage-length=0",        "-fdiagnostics-path-format=separate-events",
            "-fdiagnostics-show-option"};
}

Retold retell(std::string_view messages, std::string c, const Origin& origin, const diag::Options& options)
{
    return messages.empty() ? Retold{} : Retelling(std::move(c), origin, options).run(messages);
}

}  // namespace bn::driver
