#include "driver/process.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <optional>
#include <string_view>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "driver/file.h"
#include "driver/message.h"

extern char** environ;

namespace bn::driver {

namespace {

constexpr int kPipeBytes = 1 << 20;

using Clock = std::chrono::steady_clock;

// Waits until there is something to read or the end is reached; returns false on a timeout.
bool wait_for_input(int fd, std::optional<Clock::time_point> end)
{
    while (end) {
        auto left = std::chrono::ceil<std::chrono::milliseconds>(*end - Clock::now()).count();
        if (left <= 0)
            return false;
        pollfd waiting = {.fd = fd, .events = POLLIN, .revents = 0};
        if (poll(&waiting, 1, static_cast<int>(left)) > 0)
            return true;
    }
    return true;
}

// Reads to the end; returns false if there is too much or it takes too long.
bool collect(int fd, std::string& text, int most_seconds, size_t most_bytes)
{
    std::optional<Clock::time_point> end;
    if (most_seconds > 0)
        end = Clock::now() + std::chrono::seconds(most_seconds);
    std::vector<char> buffer(1 << 16);  // not on the stack, which may be small (ulimit -s 64)
    bool is_done = false;
    while (!is_done && wait_for_input(fd, end) && (most_bytes == 0 || text.size() <= most_bytes)) {
        ssize_t got = read(fd, buffer.data(), buffer.size());
        is_done = got == 0 || (got < 0 && errno != EINTR);
        if (got > 0)
            text.append(buffer.data(), static_cast<size_t>(got));
    }
    close(fd);
    return is_done;
}

// The environment of the child.  Each run of gcc that sees these variables adds rules for make to the files that they
// name.
std::vector<char*> environment(bool writes_rules)
{
    std::vector<char*> entries;
    for (char** entry = environ; *entry != nullptr; ++entry) {
        std::string_view text = *entry;
        bool asks_for_rule = text.starts_with("DEPENDENCIES_OUTPUT=") || text.starts_with("SUNPRO_DEPENDENCIES=");
        if (writes_rules || !asks_for_rule)
            entries.push_back(*entry);
    }
    entries.push_back(nullptr);
    return entries;
}

// Starts the child with these file descriptors as its standard output and error, -1 meaning ours; returns 0 or an errno
// value.
int start(const Job& job, int output_fd, int error_fd, pid_t& pid)
{
    std::vector<char*> argv;
    for (const std::string& argument : job.arguments)
        argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);

    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    if (output_fd >= 0)
        posix_spawn_file_actions_adddup2(&actions, output_fd, STDOUT_FILENO);
    if (error_fd >= 0)
        posix_spawn_file_actions_adddup2(&actions, error_fd, STDERR_FILENO);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t default_signals;
    sigemptyset(&default_signals);
    sigaddset(&default_signals, SIGPIPE);
    posix_spawnattr_setsigdefault(&attributes, &default_signals);
    short flags = POSIX_SPAWN_SETSIGDEF;
    if (job.most_seconds > 0 || job.most_bytes > 0)
        flags |= POSIX_SPAWN_SETPGROUP;  // so that processes that it starts can be killed, too
    posix_spawnattr_setflags(&attributes, flags);
    int error_number =
        posix_spawnp(&pid, argv[0], &actions, &attributes, argv.data(), environment(job.writes_rules).data());
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return error_number;
}

// was_ended: by us, which nobody has to be told.
int wait_for(pid_t pid, const std::string& program, bool was_ended)
{
    int status = 0;
    while (waitpid(pid, &status, 0) < 0) {
        if (errno == EINTR)
            continue;
        error("cannot tell how " + quote(program) + " has ended: " + system_error(errno));
        return 1;
    }
    set_running_child(0);
    if (WIFEXITED(status))
        return WEXITSTATUS(status);
    if (was_ended)
        return 1;
    int signal_number = WTERMSIG(status);
    if (signal_number == SIGINT || signal_number == SIGQUIT || signal_number == SIGTERM || signal_number == SIGHUP)
        raise(signal_number);
    error(quote(program) + " was killed by signal " + std::to_string(signal_number) + " (" + strsignal(signal_number) +
          ")");
    return 1;
}

}  // namespace

void append(std::vector<std::string>& arguments, const std::vector<std::string>& more)
{
    arguments.insert(arguments.end(), more.begin(), more.end());
}

// A file name that starts with '@' would be taken for a response file if it stood alone.
std::vector<std::string> output_arguments(const std::string& path)
{
    return path[0] == '@' ? std::vector<std::string>{"-o" + path} : std::vector<std::string>{"-o", path};
}

int run(const Job& job)
{
    if (job.is_shown)
        write_stderr(" " + shell_quoted(job.arguments) + "\n");
    if (job.is_dry)
        return 0;

    const std::string& program = job.arguments[0];
    int fds[2] = {-1, -1};
    if (job.output != nullptr && pipe2(fds, O_CLOEXEC) != 0) {
        error("cannot make a pipe: " + system_error(errno));
        return 1;
    }
    auto [read_end, write_end] = fds;
    if (job.output != nullptr)
        fcntl(read_end, F_SETPIPE_SZ, kPipeBytes);  // fewer context switches; failure is harmless

    // A file instead of a second pipe, since only one pipe is read at a time.  Without it the child writes to our
    // standard error.
    int error_fd = job.errors != nullptr ? memfd_create("messages", MFD_CLOEXEC) : -1;

    // If our parent ignores SIGCHLD so do we, and the system would not keep how the child has ended.
    signal(SIGCHLD, SIG_DFL);
    pid_t pid = 0;
    int error_number = start(job, write_end, error_fd, pid);
    if (write_end >= 0)
        close(write_end);
    if (error_number != 0) {
        if (read_end >= 0)
            close(read_end);
        if (error_fd >= 0)
            close(error_fd);
        error("cannot run " + quote(program) + ": " + system_error(error_number) +
              (job.remedy.empty() ? "" : "; " + job.remedy));
        return 1;
    }
    set_running_child(pid);
    bool is_over_limit = job.output != nullptr && !collect(read_end, *job.output, job.most_seconds, job.most_bytes);
    if (is_over_limit)
        kill(-pid, SIGKILL);
    int status = wait_for(pid, program, is_over_limit);
    if (error_fd >= 0) {
        lseek(error_fd, 0, SEEK_SET);
        if (!collect(error_fd, *job.errors, 0, job.most_bytes))
            status = 1;
    }
    return status;
}

std::string shell_quoted(const std::vector<std::string>& arguments)
{
    static constexpr std::string_view kPlain =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:@%^";
    std::string line;
    for (const std::string& argument : arguments) {
        line += line.empty() ? "" : " ";
        if (!argument.empty() && argument.find_first_not_of(kPlain) == argument.npos) {
            line += argument;
            continue;
        }
        line += '\'';
        for (char c : argument)
            line += c == '\'' ? std::string("'\\''") : std::string(1, c);
        line += '\'';
    }
    return line;
}

}  // namespace bn::driver
