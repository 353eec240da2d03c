#include "diag/text.h"

#include <algorithm>

namespace bn::diag {

namespace {

// Maximum display columns of a source line in a message; longer lines are shown in part.
constexpr uint32_t kMaxSnippetColumns = 400;
constexpr uint32_t kContextBeforeCaret = 200;

constexpr std::string_view kBold = "01";

std::string_view colour_of(Severity severity)
{
    switch (severity) {
    case Severity::Error: return "01;31";
    case Severity::Warning: return "01;35";
    default: return "01;36";
    }
}

std::string coloured(std::string_view text, std::string_view colour, bool use_colour)
{
    if (!use_colour || text.empty())
        return std::string(text);
    return "\33[" + std::string(colour) + "m\33[K" + std::string(text) + "\33[m\33[K";
}

// Makes quoted parts bold, in 'ASCII' quotes or the UTF-8 quotes of C compilers.
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

std::string gutter(uint32_t line, bool shows_number)
{
    if (!shows_number)
        return "";
    std::string number = line != 0 ? std::to_string(line) : "";
    return std::string(number.size() < 5 ? 5 - number.size() : 0, ' ') + number + " |";
}

}  // namespace

bool is_control(char c)
{
    return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
}

void Text::add(const Message& message)
{
    add_inclusions(message.spot);
    if (is_remark(message.severity) && options_.remarks == Remarks::Json) {
        add_json(message);
        return;
    }
    bool use_colour = options_.colour;
    std::string_view colour = colour_of(message.severity);
    text_ += coloured(where(message.spot) + ":", kBold, use_colour) + " ";
    text_ += coloured(message.label + ": ", colour, use_colour);
    text_ += with_bold_quotes(message.text, use_colour);
    if (!message.option.empty() && options_.option_names)
        text_ += " [" + coloured(message.option, colour, use_colour) + "]";
    text_ += '\n';
    if (message.spot.has_text && options_.source_lines)
        add_snippet(message.spot, colour);
}

// Shows how the file of a message came to be included, unless the last message already did.
void Text::add_inclusions(const Spot& spot)
{
    std::string text;
    for (const source::Location& at : source_.included_from(spot.physical)) {
        text += text.empty() ? "In file included from " : ",\n                 from ";
        text +=
            coloured(std::string(source_.file_name(at.file)) + ":" + std::to_string(at.line), kBold, options_.colour);
    }
    if (!text.empty())
        text += ":\n";
    if (text != inclusions_)
        text_ += text;
    inclusions_ = std::move(text);
}

// The display column of the caret, from 0
uint32_t Text::column_of(const Spot& spot)
{
    if (!spot.has_text)
        return spot.caret;
    if (shown_file_ != spot.file || shown_line_ != spot.line) {
        display_ = display(source_.source_line(spot.file, spot.line));
        shown_file_ = spot.file;
        shown_line_ = spot.line;
    }
    return display_.columns[spot.caret];
}

std::string Text::where(const Spot& spot)
{
    return std::string(source_.file_name(spot.file)) + ":" + std::to_string(spot.line) + ":" +
           std::to_string(column_of(spot) + 1);
}

// One JSON object on a line of its own
void Text::add_json(const Message& message)
{
    auto quoted = [](std::string_view text) {
        std::string out = "\"";
        for (char c : text) {
            if (c == '"' || c == '\\')
                out += '\\';
            out += is_control(c) ? ' ' : c;
        }
        return out + "\"";
    };
    const Spot& spot = message.spot;
    text_ += "{\"kind\": " + quoted(message.label);
    text_ += ", \"file\": " + quoted(source_.file_name(spot.file)) + ", \"line\": " + std::to_string(spot.line);
    text_ += ", \"column\": " + std::to_string(column_of(spot) + 1) + ", \"message\": " + quoted(message.text) + "}\n";
}

void Text::add_snippet(const Spot& spot, std::string_view colour)
{
    const DisplayLine& line = display_;
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
    text_ += gutter(spot.line, options_.line_numbers) + " ";
    text_.append(text(begin, first));
    text_ += coloured(text(first, last), colour, options_.colour);
    text_.append(text(last, end));
    text_ += '\n';

    uint32_t caret_column = line.columns[spot.caret] - line.columns[begin];
    uint32_t first_column = line.columns[first] - line.columns[begin];
    uint32_t end_column = std::max(line.columns[last] - line.columns[begin], caret_column + 1);
    std::string marks(end_column - first_column, '~');
    marks[caret_column - first_column] = '^';
    text_ += gutter(0, options_.line_numbers) + " " + std::string(first_column, ' ') +
             coloured(marks, colour, options_.colour) + '\n';
}

}  // namespace bn::diag
