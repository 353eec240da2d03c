#include "lsp/unit.h"

#include <algorithm>
#include <cerrno>
#include <optional>
#include <utility>

#include <sys/mman.h>
#include <unistd.h>

#include "driver/back_end.h"
#include "driver/compiler_message.h"
#include "driver/file.h"
#include "driver/macros.h"
#include "driver/message.h"
#include "driver/process.h"
#include "source/source.h"

namespace bn::lsp {

namespace {

constexpr int kMostSeconds = 20;
constexpr size_t kMostPreprocessed = size_t{256} << 20;
constexpr size_t kMostMessageBytes = size_t{1} << 20;

// A file without a name that disappears when closed; the C compiler reads it as /proc/self/fd/N, so there are no
// headers next to it.
class TextFile {
public:
    explicit TextFile(std::string_view text) : fd_(memfd_create("text", 0)), error_number_(fd_ < 0 ? errno : 0)
    {
        while (!text.empty() && error_number_ == 0) {
            ssize_t put = write(fd_, text.data(), text.size());
            if (put > 0)
                text.remove_prefix(static_cast<size_t>(put));
            else if (errno != EINTR)
                error_number_ = errno;
        }
    }
    ~TextFile() { close(fd_); }
    TextFile(const TextFile&) = delete;
    TextFile& operator=(const TextFile&) = delete;

    std::string path() const { return "/proc/self/fd/" + std::to_string(fd_); }

    // Why the C compiler cannot read it, and what to do about that; empty if it can
    std::string problem() const
    {
        if (error_number_ == 0)
            return "";
        return "the text cannot be passed on: " + driver::system_error(error_number_) + "; " + remedy();
    }

private:
    std::string remedy() const
    {
        switch (error_number_) {
        case EFBIG: return "lift the limit on the size of files with 'ulimit -f unlimited'";
        case EPERM:
        case EACCES:
        case ENOSYS: return "the container or sandbox must allow the system call memfd_create";
        default: return "lift limits on memory and open files";
        }
    }

    int fd_;
    int error_number_;
};

diag::Message message_without_place(std::string text, const std::string& file)
{
    diag::Message message;
    message.label = "error";
    message.text = std::move(text);
    message.file = file;
    message.spot.line = 1;
    return message;
}

diag::Severity severity_of(std::string_view label)
{
    return label.find("error") != label.npos ? diag::Severity::Error
           : label == "note"                 ? diag::Severity::Note
                                             : diag::Severity::Warning;
}

// "#pragma once in main file", which gcc 15 tells with quotes around the pragma
bool is_of_headers(std::string_view text)
{
    return text.find("#pragma once") != std::string_view::npos && text.find("in main file") != std::string_view::npos;
}

}  // namespace

Unit::Unit(CompileCommand command, const std::string& text, bool wants_remarks) : command_(std::move(command))
{
    enter();
    const driver::Input& input = command_.command.inputs.back();
    if (text.size() > kLargestText) {
        messages_.push_back(
            message_without_place("this file is too long to be looked at while it is edited; compile it", input.path));
        return;
    }
    std::string preprocessed;
    std::string errors;
    bool is_preprocessed = preprocess(text, {}, preprocessed, errors);
    note_messages_of_preprocessor(errors, !is_preprocessed);
    if (!is_preprocessed)
        return;
    back_end_ = driver::back_end_of(preprocessed);
    bool may_define_keyword =
        driver::may_define_keyword(preprocessed, command_.command.preprocess_flags) || driver::defines_keyword(text);
    if (wants_remarks) {
        command_.command.optimises = command_.command.inlines = true;
        command_.command.diagnostics.remarks = diag::Remarks::Text;
    }
    driver::FrontEnd front_end(command_.command, command_.installation);
    driver::TranslateOptions options =
        front_end.translate_options(input, preprocessed, command_.command.static_threads);
    options.full_parse = true;
    options.keeps_tree = true;
    options.edited_file = input.path;
    options.edited_text = text;
    result_ = driver::translate(std::move(preprocessed), options);
    bool is_c = input.may_be_c && result_.ok && !result_.uses_upc;
    if (may_define_keyword && !is_c)
        check_macros(text);
    extend_messages(result_.told);
    result_.told.clear();
}

void Unit::enter() const
{
    if (chdir(command_.directory.c_str()) != 0)
        return;  // the preprocessor then reports that relative names are not found
}

bool Unit::preprocess(const std::string& text, const std::vector<std::string>& more, std::string& output_p,
                      std::string& errors_p)
{
    const driver::Input& input = command_.command.inputs.back();
    TextFile file("# 1 " + source::quoted_name(input.path) + "\n" + text);
    errors_p = file.problem();
    if (!errors_p.empty())
        return false;
    driver::FrontEnd front_end(command_.command, command_.installation);
    std::vector<std::string> arguments = front_end.preprocess_arguments(input, true);
    // #include "..." searches the directory of the file first.
    arguments.insert(arguments.begin() + static_cast<ptrdiff_t>(command_.installation.compiler.size()),
                     {"-iquote", driver::directory_of(input.path)});
    driver::append(arguments, more);
    driver::append(arguments, {"-fdiagnostics-color=never", "-E", "-x", "c", file.path()});
    return driver::run({.arguments = std::move(arguments),
                        .output = &output_p,
                        .errors = &errors_p,
                        .most_seconds = kMostSeconds,
                        .most_bytes = kMostPreprocessed}) == 0;
}

void Unit::note_messages_of_preprocessor(const std::string& errors, bool has_failed)
{
    size_t before = messages_.size();
    for (std::string_view rest = errors; !rest.empty();) {
        size_t end = std::min(rest.find('\n'), rest.size());
        std::optional<driver::CompilerMessage> found = driver::compiler_message(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
        if (!found || is_of_headers(found->text))
            continue;
        diag::Message message;
        message.severity = severity_of(found->label);
        message.label = found->label;
        message.text = found->text;
        message.file = found->location.file;
        message.spot.line = found->location.line;
        message.spot.has_text = found->location.column > 0;
        message.spot.caret = message.spot.first = message.spot.end =
            found->location.column - (found->location.column > 0);
        messages_.push_back(std::move(message));
    }
    if (has_failed && messages_.size() == before)
        messages_.push_back(message_without_place("the preprocessor failed: " + errors.substr(0, 1000), path()));
}

void Unit::check_macros(const std::string& text)
{
    const driver::Command& command = command_.command;
    std::string definitions;
    std::string errors_as_before;
    if (!preprocess(text, {"-dD"}, definitions, errors_as_before))
        return;
    driver::FrontEnd front_end(command, command_.installation);
    driver::MacroCheck check =
        driver::check_macros(std::move(definitions), path(), front_end.upc_macros(), command.diagnostics);
    extend_messages(check.messages);
}

void Unit::ask_compiler()
{
    was_asked_ = true;
    const driver::Command& command = command_.command;
    if (result_.origin == nullptr || !driver::can_retell(command.compile_flags))
        return;
    enter();
    TextFile file(result_.c);
    if (!file.problem().empty()) {
        messages_.push_back(message_without_place("the C compiler failed: " + file.problem(), path()));
        return;
    }
    driver::FrontEnd front_end(command, command_.installation);
    std::vector<std::string> arguments = front_end.back_end_arguments("-fsyntax-only", file.path(), back_end_);
    if (command.inputs.back().is_header)
        arguments.push_back("-Wno-unused");
    driver::append(arguments, driver::plain_messages(back_end_.is_gcc));
    std::string output;
    std::string errors;
    int status = driver::run({.arguments = std::move(arguments),
                              .output = &output,
                              .errors = &errors,
                              .most_seconds = kMostSeconds,
                              .most_bytes = kMostMessageBytes});
    driver::Retold retold = driver::retell(errors, std::move(result_.c), *result_.origin, command.diagnostics);
    if (status != 0 && retold.messages.empty() && retold.dropped_errors.empty())
        messages_.push_back(message_without_place("the C compiler failed: " + retold.text.substr(0, 1000), path()));
    extend_messages(retold.messages);
}

void Unit::extend_messages(const std::vector<diag::Message>& more)
{
    messages_.insert(messages_.end(), more.begin(), more.end());
}

}  // namespace bn::lsp
