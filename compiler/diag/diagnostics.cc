#include "diag/diagnostics.h"

#include <algorithm>
#include <array>

#include "diag/columns.h"

namespace bn::diag {

namespace {

struct Row {
    Severity severity;
    std::string_view option;
    std::string_view text;
};

constexpr Row kRows[] = {
#define BN_DIAG(id, severity, option, text) {Severity::severity, option, text},
#include "diag/diagnostics.def"
};

const Row& row(Id id)
{
    return kRows[static_cast<size_t>(id)];
}

// Display columns of a source line that a message shows; longer lines are shown in part.
constexpr uint32_t kMaxSnippetColumns = 400;
constexpr uint32_t kContextBeforeCaret = 200;

constexpr std::string_view kBold = "01";
constexpr std::string_view kErrorColour = "01;31";
constexpr std::string_view kWarningColour = "01;35";
constexpr std::string_view kNoteColour = "01;36";

struct Style {
    std::string_view label;
    std::string_view colour;
};

Style style(Severity severity)
{
    switch (severity) {
    case Severity::Error: return {"error: ", kErrorColour};
    case Severity::Warning: return {"warning: ", kWarningColour};
    case Severity::Optimized: return {"optimized: ", kNoteColour};
    case Severity::Missed: return {"missed: ", kNoteColour};
    case Severity::Note: break;
    }
    return {"note: ", kNoteColour};
}

bool is_remark(Severity severity)
{
    return severity == Severity::Optimized || severity == Severity::Missed;
}

std::string coloured(std::string_view text, std::string_view colour, bool use_colour)
{
    if (!use_colour || text.empty())
        return std::string(text);
    return "\33[" + std::string(colour) + "m\33[K" + std::string(text) + "\33[m\33[K";
}

// A control character; char is unsigned on some machines.
bool is_control(char c)
{
    return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
}

// Text that is shown in messages as it stands in the program, with what would confuse a terminal blanked
std::string printable(std::string_view text)
{
    constexpr size_t kMaxLength = 200;
    std::string result(text.substr(0, kMaxLength));
    std::replace_if(result.begin(), result.end(), is_control, ' ');
    if (text.size() > kMaxLength)
        result += "...";
    return result;
}

std::string fill_in(std::string_view text, std::span<const std::string_view> args)
{
    std::string result;
    for (size_t i = 0; i < text.size(); ++i) {
        bool is_argument = text[i] == '%' && i + 1 < text.size() && text[i + 1] >= '0' && text[i + 1] <= '9';
        if (!is_argument) {
            result += text[i];
            continue;
        }
        size_t index = static_cast<size_t>(text[++i] - '0');
        if (index < args.size())
            result += printable(args[index]);
    }
    return result;
}

// Makes 'quoted' parts bold, and those between the quotes that C compilers take in UTF-8.
std::string with_bold_quotes(std::string_view text, bool use_colour)
{
    static constexpr std::string_view kOpen = "\u2018";
    std::string result;
    while (use_colour) {
        size_t open = std::min(text.find('\''), text.find(kOpen));
        bool is_wide = open != text.npos && text[open] != '\'';
        size_t size = is_wide ? kOpen.size() : 1;
        size_t close = open == text.npos ? open : text.find(is_wide ? "\u2019" : "'", open + size);
        if (close == text.npos)
            break;
        result += text.substr(0, open + size);
        result += coloured(text.substr(open + size, close - open - size), kBold, true);
        result += text.substr(close, size);
        text.remove_prefix(close + size);
    }
    return result.append(text);
}

std::string gutter(uint32_t line)
{
    std::string number = line != 0 ? std::to_string(line) : "";
    return std::string(number.size() < 5 ? 5 - number.size() : 0, ' ') + number + " |";
}

constexpr std::string_view kTerminated = "compilation terminated due to -fmax-errors=";

}  // namespace

// What is remembered of the line of the last message
struct Diagnostics::Line {
    LinePlaces places;
    uint32_t shown_file = 0;  // the line that `display` is of; line 0 for none
    uint32_t shown_line = 0;
    DisplayLine display;
};

// Where a message points: byte columns from 0 in a source line.  line 0: nowhere; no columns if there is no such text.
struct Diagnostics::Spot {
    uint32_t file = 0;
    uint32_t line = 0;
    uint32_t physical = 0;  // line of the preprocessed text
    bool has_text = false;
    uint32_t first = 0;
    uint32_t end = 0;
    uint32_t caret = 0;
};

Diagnostics::Diagnostics(const lex::TokenList& tokens, const Options& options) : tokens_(tokens), options_(options) {}

bool Diagnostics::is_first(Id id, lex::TokenIndex at)
{
    uint64_t key = static_cast<uint64_t>(at) << 16 | static_cast<uint64_t>(id);
    auto position = std::lower_bound(seen_.begin(), seen_.end(), key);
    if (position != seen_.end() && *position == key)
        return false;
    seen_.insert(position, key);
    return true;
}

Severity Diagnostics::effective_severity(Id id) const
{
    if (row(id).severity != Severity::Warning)
        return row(id).severity;
    bool is_error = options_.warnings_are_errors;
    std::string name(row(id).option.substr(std::min<size_t>(2, row(id).option.size())));
    for (const std::string& flag : options_.warning_flags) {
        if (flag == "-Werror=" + name)
            is_error = true;
        else if (flag == "-Wno-error=" + name)
            is_error = false;
    }
    return is_error ? Severity::Error : Severity::Warning;
}

bool Diagnostics::is_enabled(Id id, bool in_system_header) const
{
    if (!options_.warnings || in_system_header)
        return false;
    std::string name(row(id).option.substr(std::min<size_t>(2, row(id).option.size())));
    bool is_on = true;
    for (const std::string& flag : options_.warning_flags) {
        if (flag == "-Wno-" + name)
            is_on = false;
        else if (flag == "-W" + name || flag == "-Werror=" + name)
            is_on = true;
    }
    return is_on;
}

void Diagnostics::report(Id id, Range range, std::initializer_list<std::string_view> args)
{
    Severity severity = row(id).severity;
    if (severity == Severity::Note) {
        if (!notes_follow_ || !is_first(id, range.at))
            return;
        // A note belongs above the line that ends the output.
        size_t end = gave_up() ? output_.rfind(kTerminated) : output_.size();
        std::string rest = output_.substr(end);
        output_.resize(end);
        print(id, severity, spot_of(range), args);
        output_ += rest;
        return;
    }
    notes_follow_ = false;
    if (is_remark(severity)) {
        if (options_.remarks != Remarks::None && !tokens_[range.at].in_system_header && is_first(id, range.at))
            remarks_.push_back({id, range, {args.begin(), args.end()}});
        return;
    }
    if (gave_up() || (severity == Severity::Warning && !is_enabled(id, tokens_[range.at].in_system_header)) ||
        !is_first(id, range.at))
        return;
    count_and_print(id, spot_of(range), args);
}

// An access is lowered before the loop around it, whose remark its reader wants first.
const std::string& Diagnostics::output()
{
    std::stable_sort(remarks_.begin(), remarks_.end(),
                     [](const Remark& a, const Remark& b) { return a.range.first < b.range.first; });
    for (const Remark& remark : remarks_) {
        std::vector<std::string_view> args(remark.args.begin(), remark.args.end());
        print(remark.id, row(remark.id).severity, spot_of(remark.range), args);
    }
    remarks_.clear();
    return output_;
}

void Diagnostics::report(Id id, const lex::Pragma& pragma, std::initializer_list<std::string_view> args)
{
    notes_follow_ = false;
    bool in_system_header = tokens_.source->location(pragma.line).in_system_header;
    lex::TokenIndex key = ~pragma.line;  // no token has such an index
    if (gave_up() || (row(id).severity == Severity::Warning && !is_enabled(id, in_system_header)) || !is_first(id, key))
        return;
    count_and_print(id, spot_of(pragma), args);
}

void Diagnostics::count_and_print(Id id, const Spot& spot, std::initializer_list<std::string_view> args)
{
    notes_follow_ = true;
    Severity severity = effective_severity(id);
    ++(severity == Severity::Error ? error_count_ : warning_count_);
    print(id, severity, spot, args);
    if (gave_up())
        output_.append(kTerminated).append(std::to_string(options_.max_errors)).append(".\n");
}

Diagnostics::Spot Diagnostics::spot_of(const lex::Pragma& pragma)
{
    const source::Source& source = *tokens_.source;
    source::Location location = source.location(pragma.line);
    std::string_view text = source.source_line(location.file, location.line);
    Spot spot = {.file = location.file, .line = location.line, .physical = pragma.line};
    size_t first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos)
        return spot;
    if (!line_) {
        bool is_last = tokens_[pragma.before].kind == lex::Tok::End;
        line_ = std::make_shared<Line>(Line{.places = LinePlaces(tokens_, pragma.before - is_last), .display = {}});
    }
    spot.has_text = true;
    spot.first = spot.caret = static_cast<uint32_t>(first);
    spot.end = static_cast<uint32_t>(text.find_last_not_of(" \t\r") + 1);
    return spot;
}

Diagnostics::Spot Diagnostics::spot_of(Range range)
{
    // The end of the file is where its last token is.
    auto settle = [&](lex::TokenIndex index) {
        index = std::min<lex::TokenIndex>(index, static_cast<lex::TokenIndex>(tokens_.tokens.size() - 1));
        return tokens_[index].kind == lex::Tok::End && index > 1 ? index - 1 : index;
    };
    lex::TokenIndex at = settle(range.at);
    const source::Source& source = *tokens_.source;
    source::Location location = source.location(tokens_[at].line);
    Spot spot = {.file = location.file, .line = std::max(location.line, 1u), .physical = tokens_[at].line};
    bool is_token = tokens_[at].kind != lex::Tok::Start && tokens_[at].kind != lex::Tok::End;
    if (!is_token)
        return spot;

    if (!line_ || !line_->places.contains(at))
        line_ = std::make_shared<Line>(Line{.places = LinePlaces(tokens_, at), .display = {}});
    if (!line_->places.known()) {
        uint32_t begin = source.line_offset(tokens_[at].line);
        std::string_view before = source.text().substr(begin, tokens_[at].offset - begin);
        spot.caret = display(before).columns.back();
        return spot;
    }
    Place caret = line_->places.place(at);
    spot.line = caret.line;
    spot.has_text = true;
    spot.caret = spot.first = caret.first;
    spot.end = caret.end;

    // Of a range over several lines only the part on the line of the caret is underlined.
    lex::TokenIndex first = std::min(settle(range.first), at);
    lex::TokenIndex last = std::max(settle(range.last), at);
    std::string_view text = source.source_line(spot.file, spot.line);
    if (first == 0 || !line_->places.contains(first) || line_->places.place(first).line != spot.line)
        spot.first = static_cast<uint32_t>(std::min<size_t>(text.find_first_not_of(" \t"), caret.first));
    else
        spot.first = std::min(caret.first, line_->places.place(first).first);
    if (!line_->places.contains(last) || line_->places.place(last).line != spot.line)
        spot.end = std::max<uint32_t>(caret.end, static_cast<uint32_t>(text.find_last_not_of(" \t\r") + 1));
    else
        spot.end = std::max(caret.end, line_->places.place(last).end);
    return spot;
}

// How the file of a message came to be read, unless the last message told it already
void Diagnostics::print_inclusions(const Spot& spot)
{
    const source::Source& source = *tokens_.source;
    std::string text;
    for (const source::Location& at : source.included_from(spot.physical)) {
        text += text.empty() ? "In file included from " : ",\n                 from ";
        text +=
            coloured(std::string(source.file_name(at.file)) + ":" + std::to_string(at.line), kBold, options_.colour);
    }
    if (!text.empty())
        text += ":\n";
    if (text != inclusions_)
        output_ += text;
    inclusions_ = std::move(text);
}

// The column from 0 that a terminal shows the caret in
uint32_t Diagnostics::column_of(const Spot& spot)
{
    if (!spot.has_text)
        return spot.caret;
    if (line_->shown_file != spot.file || line_->shown_line != spot.line) {
        line_->display = display(tokens_.source->source_line(spot.file, spot.line));
        line_->shown_file = spot.file;
        line_->shown_line = spot.line;
    }
    return line_->display.columns[spot.caret];
}

std::string Diagnostics::where(const Spot& spot)
{
    return std::string(tokens_.source->file_name(spot.file)) + ":" + std::to_string(spot.line) + ":" +
           std::to_string(column_of(spot) + 1);
}

std::string Diagnostics::where(lex::TokenIndex at)
{
    return where(spot_of({at, at, at}));
}

void Diagnostics::print(Id id, Severity severity, const Spot& spot, Arguments args)
{
    if (is_remark(severity) && options_.remarks == Remarks::Json) {
        print_json(id, severity, spot, args);
        return;
    }
    std::string option(row(id).option);
    if (!option.empty() && severity == Severity::Error)
        option.replace(0, 2, "-Werror=");
    print(spot, style(severity).label, style(severity).colour, fill_in(row(id).text, args), option);
}

void Diagnostics::retell(std::string_view label, Range range, std::string_view text)
{
    std::string_view option;
    size_t open = text.rfind(" [-W");
    if (open != text.npos && text.back() == ']') {
        option = text.substr(open + 2, text.size() - open - 3);
        text = text.substr(0, open);
    }
    bool is_error = label.find("error") != label.npos;
    std::string_view colour = is_error ? kErrorColour : label == "note" ? kNoteColour : kWarningColour;
    print(spot_of(range), std::string(label) + ": ", colour, text, option);
}

void Diagnostics::print(const Spot& spot, std::string_view label, std::string_view colour, std::string_view text,
                        std::string_view option)
{
    print_inclusions(spot);
    bool use_colour = options_.colour;
    output_ += coloured(where(spot) + ":", kBold, use_colour) + " ";
    output_ += coloured(label, colour, use_colour);
    output_ += with_bold_quotes(text, use_colour);
    if (!option.empty())
        output_ += " [" + coloured(option, colour, use_colour) + "]";
    output_ += '\n';
    if (spot.has_text && options_.source_lines)
        print_snippet(spot, colour);
}

// One object on a line of its own
void Diagnostics::print_json(Id id, Severity severity, const Spot& spot, Arguments args)
{
    print_inclusions(spot);
    auto quoted = [](std::string_view text) {
        std::string out = "\"";
        for (char c : text) {
            if (c == '"' || c == '\\')
                out += '\\';
            out += is_control(c) ? ' ' : c;
        }
        return out + "\"";
    };
    output_ += "{\"kind\": " + quoted(severity == Severity::Optimized ? "optimized" : "missed");
    output_ +=
        ", \"file\": " + quoted(tokens_.source->file_name(spot.file)) + ", \"line\": " + std::to_string(spot.line);
    output_ += ", \"column\": " + std::to_string(column_of(spot) + 1) +
               ", \"message\": " + quoted(fill_in(row(id).text, args)) + "}\n";
}

void Diagnostics::print_snippet(const Spot& spot, std::string_view colour)
{
    const DisplayLine& line = line_->display;
    uint32_t size = static_cast<uint32_t>(line.columns.size()) - 1;
    uint32_t begin = 0;
    uint32_t end = size;
    if (line.columns[size] > kMaxSnippetColumns) {
        auto byte_at = [&](uint32_t column) {
            return static_cast<uint32_t>(std::lower_bound(line.columns.begin(), line.columns.end(), column) -
                                         line.columns.begin());
        };
        uint32_t caret_column = line.columns[spot.caret];
        uint32_t begin_column = caret_column > kContextBeforeCaret ? caret_column - kContextBeforeCaret : 0;
        begin = std::min(byte_at(begin_column), spot.caret);
        end = std::min(byte_at(line.columns[begin] + kMaxSnippetColumns), size);
    }
    uint32_t first = std::clamp(spot.first, begin, end);
    uint32_t last = std::clamp(spot.end, first, end);
    auto text = [&](uint32_t from, uint32_t to) {
        return std::string_view(line.text).substr(line.offsets[from], line.offsets[to] - line.offsets[from]);
    };
    output_ += gutter(spot.line) + " ";
    output_.append(text(begin, first));
    output_ += coloured(text(first, last), colour, options_.colour);
    output_.append(text(last, end));
    output_ += '\n';

    uint32_t caret_column = line.columns[spot.caret] - line.columns[begin];
    uint32_t first_column = line.columns[first] - line.columns[begin];
    uint32_t end_column = std::max(line.columns[last] - line.columns[begin], caret_column + 1);
    std::string marks(end_column - first_column, '~');
    marks[caret_column - first_column] = '^';
    output_ += gutter(0) + " " + std::string(first_column, ' ') + coloured(marks, colour, options_.colour) + '\n';
}

}  // namespace bn::diag
