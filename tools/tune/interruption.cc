#include "tune/interruption.h"

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <sys/wait.h>
#include <unistd.h>

namespace bn::tune {

namespace {

// A handler may not build strings.
std::string said;
const char *scratch_file = nullptr, *scratch_folder = nullptr;
volatile pid_t waited_for;
pid_t own_process;  // not the threads that it forks, which inherit the handler

void clean_up(int signal)
{
    if (getpid() == own_process) {
        static_cast<void>(!write(STDERR_FILENO, said.data(), said.size()));
        if (waited_for > 0) {
            kill(waited_for, signal);
            waitpid(waited_for, nullptr, 0);
        }
        if (scratch_folder) {
            unlink(scratch_file);
            rmdir(scratch_folder);
        }
    }
    raise(signal);  // now with the default action, as is a second signal while this waits
}

void expect_interruption()
{
    if (own_process != 0)
        return;
    own_process = getpid();
    for (int signal : {SIGINT, SIGTERM, SIGHUP}) {
        struct sigaction action = {};
        sigaction(signal, nullptr, &action);
        if (action.sa_handler == SIG_IGN)
            continue;
        action = {};
        action.sa_handler = clean_up;
        action.sa_flags = static_cast<int>(SA_RESETHAND | SA_NODEFER);
        sigaction(signal, &action, nullptr);
    }
}

}  // namespace

void say_when_interrupted(const std::string& partial_file)
{
    if (!said.empty())
        return;
    said = isatty(STDERR_FILENO) ? "\r\033[K" : "";
    said += "banyan-tune: interrupted; the same command resumes from " + partial_file + "\n";
    expect_interruption();
}

void end_when_interrupted(pid_t child)
{
    waited_for = child;
    expect_interruption();
}

Scratch::Scratch(const std::string& parent, const std::string& file)
    : folder_((std::filesystem::absolute(parent) / "banyan-XXXXXX").string())
{
    if (!mkdtemp(folder_.data()))
        return;
    file_ = folder_ + "/" + file;
    scratch_file = file_.c_str();
    scratch_folder = folder_.c_str();
    expect_interruption();
}

Scratch::~Scratch()
{
    if (file_.empty())
        return;
    std::error_code error;
    std::filesystem::remove_all(folder_, error);
    scratch_folder = nullptr;
}

}  // namespace bn::tune
