#include "driver/compile_entry.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdio>

#include <fcntl.h>
#include <unistd.h>

#include "driver/file.h"
#include "driver/installation.h"
#include "driver/message.h"

namespace bn::driver {

namespace {

std::string json_string(std::string_view text)
{
    std::string out = "\"";
    for (char c : text) {
        char escape[8];
        if (c == '"' || c == '\\') {
            out += '\\';
            out += c;
        } else if (static_cast<unsigned char>(c) < 0x20) {
            std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(c));
            out += escape;
        } else {
            out += c;
        }
    }
    return out + "\"";
}

// The arguments that compile only this source
std::vector<std::string> arguments_for(const Input& source, const Command& command,
                                       const std::vector<std::string>& arguments)
{
    std::vector<std::string> result = {own_program()};
    for (size_t i = 0; i < arguments.size(); ++i) {
        const std::string& argument = arguments[i];
        bool is_other = argument != source.path &&
                        std::ranges::any_of(command.inputs, [&](const Input& input) { return input.path == argument; });
        if (argument == "-MJ")
            ++i;
        else if (!argument.starts_with("-MJ") && !is_other)
            result.push_back(argument);
    }
    return result;
}

std::string entry(const Input& source, const Command& command, const std::vector<std::string>& arguments)
{
    char folder[PATH_MAX];
    std::string text = "{ \"directory\": " + json_string(getcwd(folder, sizeof folder) != nullptr ? folder : ".") +
                       ", \"file\": " + json_string(source.path);
    if (!command.output.empty())
        text += ", \"output\": " + json_string(command.output);
    text += ", \"arguments\": [";
    const char* separator = "";
    for (const std::string& argument : arguments_for(source, command, arguments)) {
        text += separator + json_string(argument);
        separator = ", ";
    }
    return text + "]},\n";
}

}  // namespace

bool append_compile_entries(const Command& command, const std::vector<std::string>& arguments)
{
    std::string text;
    for (const Input& input : command.inputs)
        if (input.language != Language::Object && input.path != "-")
            text += entry(input, command, arguments);
    // Written in one call, because several compilations may write to the file.
    int file = open(command.compile_entries.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    bool is_written = file >= 0 && write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
    int error_number = is_written ? 0 : errno;
    if (file >= 0)
        close(file);
    if (!is_written)
        error("cannot write " + quote(command.compile_entries) + ": " + system_error(error_number));
    return is_written;
}

}  // namespace bn::driver
