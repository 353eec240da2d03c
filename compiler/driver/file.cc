#include "driver/file.h"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace bn::driver {

namespace {

// State of the process that the signal handler needs.  The handler may run at any time, so an entry is completed before
// it is counted, and its memory is never freed.
constexpr size_t kMaxTemporaries = 4096;
char* temporaries[kMaxTemporaries];
std::atomic<size_t> temporary_count{0};
std::atomic<char*> guarded_output{nullptr};
std::atomic<pid_t> running_child{0};

void remove_all()
{
    size_t count = temporary_count.load();
    for (size_t i = 0; i < count; ++i)
        unlink(temporaries[i]);
}

void on_signal(int signal_number)
{
    pid_t child = running_child.load();
    if (child > 0)
        kill(child, signal_number);
    remove_all();
    char* output = guarded_output.load();
    if (output != nullptr)
        remove_plain_file(output);
    raise(signal_number);  // SA_RESETHAND: delivered with its default action on return
}

// Registers a file for removal.  Returns 0 or an errno value.
int add_temporary(const std::string& path)
{
    size_t count = temporary_count.load();
    if (count == kMaxTemporaries)
        return EMFILE;
    temporaries[count] = strdup(path.c_str());
    if (temporaries[count] == nullptr)
        return ENOMEM;
    temporary_count.store(count + 1);
    return 0;
}

// Replaces XXXXXX before the last `suffix_size` characters of `path`.
int make_of_template(std::string path, size_t suffix_size, std::string& path_p)
{
    int fd = mkostemps(path.data(), static_cast<int>(suffix_size), O_CLOEXEC);
    if (fd < 0)
        return errno;
    int error_number = add_temporary(path);
    if (error_number != 0)
        unlink(path.c_str());
    else
        path_p = std::move(path);
    close(fd);
    return error_number;
}

}  // namespace

int read_file(const std::string& path, std::string& text_p)
{
    int fd = path == "-" ? STDIN_FILENO : open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return errno;
    std::string text;
    struct stat status;
    if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode))
        text.reserve(static_cast<size_t>(status.st_size) + 1);
    std::vector<char> buffer(1 << 16);  // not on the stack, which may be small (ulimit -s 64)
    int error_number = 0;
    for (;;) {
        ssize_t got = read(fd, buffer.data(), buffer.size());
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            error_number = errno;
        if (got <= 0)
            break;
        text.append(buffer.data(), static_cast<size_t>(got));
    }
    if (fd != STDIN_FILENO)
        close(fd);
    if (error_number == 0)
        text_p = std::move(text);
    return error_number;
}

int write_file(const std::string& path, std::string_view text)
{
    bool is_stdout = path == "-";
    int fd = is_stdout ? STDOUT_FILENO : open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0)
        return errno;
    struct stat status;
    bool is_regular = !is_stdout && fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
    if (is_regular)
        guard_output(path);
    int error_number = 0;
    while (!text.empty() && error_number == 0) {
        ssize_t written = write(fd, text.data(), text.size());
        if (written >= 0)
            text.remove_prefix(static_cast<size_t>(written));
        else if (errno != EINTR)
            error_number = errno;
    }
    if (!is_stdout && close(fd) != 0 && error_number == 0)
        error_number = errno;
    if (is_regular && error_number != 0)
        remove_plain_file(path.c_str());
    settle_output();
    return error_number;
}

// Called by a signal handler
void remove_plain_file(const char* path)
{
    struct stat status;
    if (lstat(path, &status) == 0 && S_ISREG(status.st_mode))
        unlink(path);
}

bool is_standard_output(const std::string& path)
{
    struct stat named;
    struct stat ours;
    return path == "-" || (stat(path.c_str(), &named) == 0 && fstat(STDOUT_FILENO, &ours) == 0 &&
                           named.st_dev == ours.st_dev && named.st_ino == ours.st_ino);
}

bool file_exists(const std::string& path)
{
    return access(path.c_str(), F_OK) == 0;
}

bool is_directory(const std::string& path)
{
    struct stat status;
    return stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
}

bool is_regular_file(const std::string& path)
{
    struct stat status;
    return stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode);
}

static bool is_same(const std::string& a, const std::string& b, mode_t type)
{
    struct stat status_a;
    struct stat status_b;
    return stat(a.c_str(), &status_a) == 0 && stat(b.c_str(), &status_b) == 0 && status_a.st_dev == status_b.st_dev &&
           status_a.st_ino == status_b.st_ino && (status_a.st_mode & S_IFMT) == type;
}

bool is_same_file(const std::string& a, const std::string& b)
{
    return is_same(a, b, S_IFREG);
}

bool is_same_directory(const std::string& a, const std::string& b)
{
    return is_same(a, b, S_IFDIR);
}

std::string directory_of(std::string_view path)
{
    size_t slash = path.rfind('/');
    if (slash == path.npos)
        return ".";
    return std::string(path.substr(0, slash == 0 ? 1 : slash));
}

std::string suffix_of(std::string_view path)
{
    std::string_view name = path.substr(path.rfind('/') + 1);
    size_t dot = name.rfind('.');
    return std::string(dot == name.npos || dot == 0 ? std::string_view() : name.substr(dot));
}

std::string stem_of(std::string_view path)
{
    std::string_view name = path.substr(path.rfind('/') + 1);
    return std::string(name.substr(0, name.size() - suffix_of(path).size()));
}

void install_signal_handlers()
{
    for (int signal_number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) {
        struct sigaction action;
        sigaction(signal_number, nullptr, &action);
        if (action.sa_handler == SIG_IGN)
            continue;
        std::memset(&action, 0, sizeof action);
        action.sa_handler = on_signal;
        action.sa_flags = static_cast<int>(SA_RESETHAND);
        sigaction(signal_number, &action, nullptr);
    }
    signal(SIGXFSZ, SIG_IGN);  // children inherit that, so that gcc, too, reports the file instead of a bug of its own
    signal(SIGPIPE, SIG_IGN);
}

void set_running_child(int pid)
{
    running_child.store(pid);
}

int make_temporary(std::string_view suffix, std::string& path_p)
{
    const char* directory = std::getenv("TMPDIR");
    if (directory == nullptr || *directory == '\0')
        directory = "/tmp";
    return make_of_template(std::string(directory) + "/upcc-XXXXXX" + std::string(suffix), suffix.size(), path_p);
}

int make_temporary_beside(const std::string& beginning, std::string& path_p)
{
    return make_of_template(beginning + "XXXXXX", 0, path_p);
}

void guard_output(const std::string& path)
{
    guarded_output.store(strdup(path.c_str()));
}

void settle_output()
{
    free(guarded_output.exchange(nullptr));
}

void remove_temporaries()
{
    remove_all();
    temporary_count.store(0);
}

}  // namespace bn::driver
