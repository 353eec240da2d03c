// upc-language-server: answers editors' requests about UPC programs, with the Language Server Protocol on standard
// input and output.
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <thread>

#include <fcntl.h>
#include <unistd.h>

#include "driver/file.h"
#include "driver/installation.h"
#include "driver/message.h"
#include "lsp/inbox.h"
#include "lsp/server.h"

namespace {

constexpr const char* kHelp = R"(usage: upc-language-server [--stdio]

Answers an editor on standard input and output, by the Language Server Protocol 3.17.

  --stdio    accepted, since some editors pass it; this is always so
  --version  print the version
  --help     print this text

docs/editors.md says how to set up editors; man upc-language-server lists the settings.
)";

int answer(const std::string& text)
{
    int error_number = bn::driver::write_file("-", text);
    if (error_number == 0)
        return 0;
    std::fprintf(stderr, "upc-language-server: standard output cannot be written: %s\n",
                 bn::driver::system_error(error_number).c_str());
    return 1;
}

// Reserves standard output for the protocol: anything else written there goes to standard error.
int take_output()
{
    int output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    dup2(STDERR_FILENO, STDOUT_FILENO);
    return output;
}

int take_input()
{
    int input = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
    int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    dup2(nothing, STDIN_FILENO);
    close(nothing);
    return input;
}

}  // namespace

int main(int argc, char** argv)
{
    bn::driver::end_without_memory("upc-language-server");
    for (int i = 1; i < argc; ++i) {
        std::string_view argument = argv[i];
        if (argument == "--version")
            return answer("upc-language-server " + bn::driver::version() + "\n");
        if (argument == "--help" || argument == "-h")
            return answer(kHelp);
        if (argument != "--stdio") {
            std::fprintf(stderr, "upc-language-server: unknown option '%s'; 'upc-language-server --help' lists them\n",
                         argv[i]);
            return 2;
        }
    }
    bn::driver::Installation installation;
    if (!bn::driver::find_installation(installation))
        return 1;
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);  // writing fails instead, for the C compiler, too
    int output = take_output();
    bn::lsp::Inbox inbox;
    std::thread reader([&inbox, input = take_input()] { bn::lsp::read_into(input, inbox); });
    int status = bn::lsp::Server(std::move(installation), inbox, output).run();
    std::_Exit(status);  // the reader may be waiting for an idle editor
}
