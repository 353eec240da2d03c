#include "diag/diagnostics.h"

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>

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

constexpr std::string_view kNames[] = {
#define BN_DIAG(id, severity, option, text) #id,
#include "diag/diagnostics.def"
};

const Row& row(Id id)
{
    return kRows[static_cast<size_t>(id)];
}

const char* label(Severity severity)
{
    switch (severity) {
    case Severity::Error: return "error";
    case Severity::Warning: return "warning";
    case Severity::Optimized: return "optimized";
    case Severity::Missed: return "missed";
    case Severity::Note: break;
    }
    return "note";
}

// Program text for a message, with characters that would confuse a terminal replaced by blanks
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

// The caller fills in the location.
Message message(Id id, Severity severity, std::span<const std::string_view> args)
{
    std::string option(row(id).option);
    if (!option.empty() && severity == Severity::Error)
        option.replace(0, 2, "-Werror=");
    return {id, severity, label(severity), fill_in(row(id).text, args), std::move(option), {}, {}};
}

}  // namespace

bool is_remark(Severity severity)
{
    return severity == Severity::Optimized || severity == Severity::Missed;
}

std::string_view name_of(Id id)
{
    return kNames[static_cast<size_t>(id)];
}

Diagnostics::Diagnostics(const lex::TokenList& tokens, const Options& options)
    : tokens_(tokens), options_(options), text_(*tokens.source, options_)
{
}

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
        keep(message(id, severity, args), spot_of(range));
        return;
    }
    notes_follow_ = false;
    if (is_remark(severity)) {
        if (options_.remarks != Remarks::None && !tokens_[range.at].in_system_header && is_first(id, range.at))
            remarks_.push_back({range, message(id, severity, args)});
        return;
    }
    if (gave_up() || (severity == Severity::Warning && !is_enabled(id, tokens_[range.at].in_system_header)) ||
        !is_first(id, range.at))
        return;
    count_and_keep(id, spot_of(range), args);
}

// An access is lowered before the loop around it, but readers want the remark about the loop first.
const std::vector<Message>& Diagnostics::messages()
{
    std::stable_sort(remarks_.begin(), remarks_.end(),
                     [](const Remark& a, const Remark& b) { return a.range.first < b.range.first; });
    for (Remark& remark : remarks_)
        keep(std::move(remark.message), spot_of(remark.range));
    remarks_.clear();
    return messages_;
}

const std::string& Diagnostics::output()
{
    for (messages(); shown_ < messages_.size(); ++shown_)
        text_.add(messages_[shown_]);
    if (!gave_up())
        return text_.text();
    output_ =
        text_.text() + "compilation terminated due to -fmax-errors=" + std::to_string(options_.max_errors) + ".\n";
    return output_;
}

void Diagnostics::report(Id id, const lex::Pragma& pragma, std::initializer_list<std::string_view> args)
{
    notes_follow_ = false;
    bool in_system_header = tokens_.source->location(pragma.line).in_system_header;
    lex::TokenIndex key = ~pragma.line;  // no token has such an index
    if (gave_up() || (row(id).severity == Severity::Warning && !is_enabled(id, in_system_header)) || !is_first(id, key))
        return;
    count_and_keep(id, spot_of(pragma), args);
}

void Diagnostics::count_and_keep(Id id, const Spot& spot, std::initializer_list<std::string_view> args)
{
    notes_follow_ = true;
    Severity severity = effective_severity(id);
    ++(severity == Severity::Error ? error_count_ : warning_count_);
    keep(message(id, severity, args), spot);
}

void Diagnostics::keep(Message message, const Spot& spot)
{
    message.spot = spot;
    message.file = tokens_.source->file_name(spot.file);
    messages_.push_back(std::move(message));
}

Spot Diagnostics::spot_of(const lex::Pragma& pragma)
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
        line_.emplace(tokens_, pragma.before - is_last);
    }
    spot.has_text = true;
    spot.first = spot.caret = static_cast<uint32_t>(first);
    spot.end = static_cast<uint32_t>(text.find_last_not_of(" \t\r") + 1);
    return spot;
}

Spot Diagnostics::spot_of(Range range)
{
    // The end of the file is shown at its last token.
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

    if (!line_ || !line_->contains(at))
        line_.emplace(tokens_, at);
    if (!line_->known()) {
        uint32_t begin = source.line_offset(tokens_[at].line);
        std::string_view before = source.text().substr(begin, tokens_[at].offset - begin);
        spot.caret = display(before).columns.back();
        return spot;
    }
    Place caret = line_->place(at);
    spot.line = caret.line;
    spot.has_text = true;
    spot.caret = spot.first = caret.first;
    spot.end = caret.end;

    // Of a range over several lines, only the part on the caret's line is underlined.
    lex::TokenIndex first = std::min(settle(range.first), at);
    lex::TokenIndex last = std::max(settle(range.last), at);
    std::string_view text = source.source_line(spot.file, spot.line);
    if (first == 0 || !line_->contains(first) || line_->place(first).line != spot.line)
        spot.first = static_cast<uint32_t>(std::min<size_t>(text.find_first_not_of(" \t"), caret.first));
    else
        spot.first = std::min(caret.first, line_->place(first).first);
    if (!line_->contains(last) || line_->place(last).line != spot.line)
        spot.end = std::max<uint32_t>(caret.end, static_cast<uint32_t>(text.find_last_not_of(" \t\r") + 1));
    else
        spot.end = std::max(caret.end, line_->place(last).end);
    return spot;
}

std::string Diagnostics::where(lex::TokenIndex at)
{
    return text_.where(spot_of({at, at, at}));
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
    Severity severity = is_error ? Severity::Error : label == "note" ? Severity::Note : Severity::Warning;
    keep({{}, severity, std::string(label), std::string(text), std::string(option), {}, {}}, spot_of(range));
}

}  // namespace bn::diag
