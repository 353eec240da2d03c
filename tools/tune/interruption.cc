#include "tune/interruption.h"

#include <csignal>
#include <unistd.h>

namespace bn::tune {

namespace {

std::string said;      // a handler may not build it
pid_t saying_process;  // not the threads that it forks, which inherit the handler

void say(int signal)
{
    if (getpid() == saying_process)
        static_cast<void>(!write(STDERR_FILENO, said.data(), said.size()));
    raise(signal);  // now with the default action, once this has returned
}

}  // namespace

void say_when_interrupted(const std::string& partial_file)
{
    if (!said.empty())
        return;
    said = isatty(STDERR_FILENO) ? "\r\033[K" : "";
    said += "banyan-tune: interrupted; the same command resumes from " + partial_file + "\n";
    saying_process = getpid();
    for (int signal : {SIGINT, SIGTERM, SIGHUP}) {
        struct sigaction action = {};
        sigaction(signal, nullptr, &action);
        if (action.sa_handler == SIG_IGN)
            continue;
        action = {};
        action.sa_handler = say;
        action.sa_flags = static_cast<int>(SA_RESETHAND);
        sigaction(signal, &action, nullptr);
    }
}

}  // namespace bn::tune
