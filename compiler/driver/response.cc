// response.cc: expands @FILE arguments.
#include <cctype>
#include <deque>

#include "driver/command.h"
#include "driver/file.h"
#include "driver/message.h"

namespace bn::driver {

std::vector<std::string> split_arguments(std::string_view text)
{
    std::vector<std::string> arguments;
    std::string current;
    bool in_argument = false;
    char quote_mark = 0;
    for (size_t i = 0; i < text.size(); ++i) {
        char c = text[i];
        if (c == '\\' && i + 1 < text.size() && quote_mark != '\'') {
            current += text[++i];
            in_argument = true;
        } else if (quote_mark != 0) {
            if (c == quote_mark)
                quote_mark = 0;
            else
                current += c;
        } else if (c == '"' || c == '\'') {
            quote_mark = c;
            in_argument = true;
        } else if (std::isspace(static_cast<unsigned char>(c))) {
            if (in_argument)
                arguments.push_back(std::move(current));
            current.clear();
            in_argument = false;
        } else {
            current += c;
            in_argument = true;
        }
    }
    if (in_argument)
        arguments.push_back(std::move(current));
    return arguments;
}

bool expand_response_files(std::vector<std::string>& arguments)
{
    constexpr size_t kMaxFiles = 2000;
    size_t files = 0;
    std::deque<std::string> pending(arguments.begin(), arguments.end());
    arguments.clear();
    while (!pending.empty()) {
        std::string argument = std::move(pending.front());
        pending.pop_front();
        std::string text;
        if (argument.size() < 2 || argument[0] != '@' || read_file(argument.substr(1), text) != 0) {
            arguments.push_back(std::move(argument));
            continue;
        }
        if (++files > kMaxFiles) {
            error("more than " + std::to_string(kMaxFiles) + " response files; does " + quote(argument) +
                  " include itself?");
            return false;
        }
        std::vector<std::string> inner = split_arguments(text);
        pending.insert(pending.begin(), inner.begin(), inner.end());
    }
    return true;
}

}  // namespace bn::driver
