#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "lsp/answers.h"

namespace bn::lsp {

namespace {

constexpr size_t kMostMessages = 500;
constexpr size_t kLongestHint = 72;

std::string absolute_path(const std::string& name)
{
    std::error_code ignored;
    return std::filesystem::absolute(name, ignored).lexically_normal().string();
}

int severity_number(diag::Severity severity)
{
    switch (severity) {
    case diag::Severity::Error: return 1;
    case diag::Severity::Warning: return 2;
    case diag::Severity::Note: return 3;
    default: return 4;
    }
}

// Whether the message is about the edited text
bool is_here(const Question& question, const diag::Message& message)
{
    return absolute_path(message.file) == absolute_path(question.unit.unit().path());
}

// The line of a message; taken from the edited text if the message is about it
std::string_view line_of(const Question& question, const diag::Message& message)
{
    if (is_here(question, message))
        return question.document.line(message.spot.line - 1);
    const driver::Origin* origin = question.unit.unit().origin();
    bool is_known = origin != nullptr && message.spot.file < origin->source.file_count() &&
                    origin->source.file_name(message.spot.file) == message.file;
    return is_known ? question.unit.line(message.spot.file, message.spot.line) : std::string_view();
}

Json message_range(const Question& question, const diag::Message& message)
{
    std::string_view line = line_of(question, message);
    uint32_t number = std::max(message.spot.line, 1u) - 1;
    size_t first = message.spot.has_text ? message.spot.first : line.find_first_not_of(" \t");
    size_t end = message.spot.has_text ? message.spot.end : line.size();
    first = std::min(first, line.size());
    if (end <= first) {  // only a point: mark the word there
        end = first;
        std::string_view name = name_around(line, first);
        end += std::max<size_t>(name.empty() ? 1 : name.size(), 1);
    }
    return range_in_line(line, number, first, std::min(end, line.size()), question.encoding);
}

// The line of the text that includes the file of a message, directly or not; 0 if unknown
uint32_t including_line(const Question& question, const diag::Message& message)
{
    const driver::Origin* origin = question.unit.unit().origin();
    if (origin == nullptr || !question.unit.has_tree())
        return 0;
    uint32_t line = 0;
    for (const source::Location& at : origin->source.included_from(message.spot.physical))
        if (at.file == question.unit.main_file())
            line = at.line;
    return line;
}

Json related(const Question& question, const diag::Message& message)
{
    std::string uri = is_here(question, message) ? question.document.uri() : uri_of(absolute_path(message.file));
    return {{"location", {{"uri", uri}, {"range", message_range(question, message)}}}, {"message", message.text}};
}

Json diagnostic(const Question& question, const diag::Message& message)
{
    Json result = {{"severity", severity_number(message.severity)}, {"source", "upcc"}, {"message", message.text}};
    if (is_here(question, message)) {
        result["range"] = message_range(question, message);
    } else {
        // In a header: shown at the #include line, with the real place as related information
        uint32_t line = std::max(including_line(question, message), 1u) - 1;
        std::string_view text = question.document.line(line);
        result["range"] = range_in_line(text, line, 0, text.size(), question.encoding);
        result["message"] = "in an included file: " + message.text;
        result["relatedInformation"].push_back(related(question, message));
    }
    if (!message.option.empty())
        result["code"] = message.option;
    else if (message.id)
        result["code"] = diag::name_of(*message.id);
    return result;
}

bool is_shown_remark(const Question& question, const diag::Message& message)
{
    return diag::is_remark(message.severity) && is_here(question, message);
}

// The start of a long text
std::string short_text(const std::string& text)
{
    if (text.size() <= kLongestHint)
        return text;
    size_t end = text.find_last_of(" ,;:", kLongestHint);
    end = end == text.npos ? kLongestHint : end;
    return text.substr(0, text.find_last_not_of(" ,;:", end) + 1) + " ...";
}

}  // namespace

Json diagnostics(const Question& question, bool with_remarks)
{
    question.unit.unit().enter();
    Json list = Json::array();
    bool is_shown = false;  // the message to which a note would belong
    for (const diag::Message& message : question.unit.unit().messages()) {
        if (message.severity == diag::Severity::Note) {
            if (is_shown)
                list.back()["relatedInformation"].push_back(related(question, message));
            continue;
        }
        bool is_remark = diag::is_remark(message.severity);
        is_shown = list.size() < kMostMessages && (!is_remark || (with_remarks && is_shown_remark(question, message)));
        if (is_shown)
            list.push_back(diagnostic(question, message));
    }
    return list;
}

Json inlay_hints(const Question& question, uint32_t first_line, uint32_t last_line)
{
    question.unit.unit().enter();
    Json list = Json::array();
    for (const diag::Message& message : question.unit.unit().messages()) {
        uint32_t number = std::max(message.spot.line, 1u) - 1;
        if (!is_shown_remark(question, message) || number < first_line || number > last_line)
            continue;
        std::string_view line = question.document.line(number);
        list.push_back(
            {{"position", {{"line", number}, {"character", column_of(line, line.size(), question.encoding)}}},
             {"label", message.label + ": " + short_text(message.text)},
             {"tooltip", message.text},
             {"paddingLeft", true}});
    }
    return list;
}

}  // namespace bn::lsp
