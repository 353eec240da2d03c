#include "driver/message.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <new>

#include <unistd.h>

#include "driver/file.h"

namespace bn::driver {

namespace {

std::string* held = nullptr;
const char* program_without_memory = nullptr;

void say(std::string_view severity, std::string_view text)
{
    std::string line = std::string("upcc: ").append(severity).append(": ").append(text).append("\n");
    if (held != nullptr)
        *held += line;
    else
        write_stderr(line);
}

}  // namespace

void hold_messages(std::string* text)
{
    held = text;
}

void error(std::string_view text)
{
    say("error", text);
}

void warning(std::string_view text)
{
    say("warning", text);
}

void note(std::string_view text)
{
    say("note", text);
}

void end_without_memory(const char* program)
{
    program_without_memory = program;
    std::set_new_handler([] {
        write_stderr(program_without_memory);
        write_stderr(": error: there is not enough memory; lift limits on it ('ulimit -v', 'ulimit -d')\n");
        remove_temporaries();
        std::_Exit(1);
    });
}

void write_stderr(std::string_view text)
{
    while (!text.empty()) {
        ssize_t written = write(STDERR_FILENO, text.data(), text.size());
        if (written < 0 && errno != EINTR)
            return;
        if (written > 0)
            text.remove_prefix(static_cast<size_t>(written));
    }
}

std::string quote(std::string_view text)
{
    return "'" + std::string(text) + "'";
}

std::string system_error(int error_number)
{
    return std::strerror(error_number);
}

}  // namespace bn::driver
