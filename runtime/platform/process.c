#include "platform/process.h"

#include "banyan/races.h"
#include "platform/file.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int64_t bn_process_now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

void bn_process_end_at_once(int status)
{
#ifdef BN_SEES_RACES
    syscall(SYS_exit_group, status);
#endif
    _exit(status);
}

void bn_process_die_with(pid_t parent)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(128 + SIGKILL);
}

void bn_process_fill_standard_files(void)
{
    for (int file = STDIN_FILENO; file <= STDERR_FILENO; ++file) {
        if (fcntl(file, F_GETFD) < 0 && errno == EBADF)
            (void)!open("/dev/null", file == STDIN_FILENO ? O_RDONLY : O_WRONLY);
    }
}

const char *bn_process_signal_name(int signal)
{
    static const struct {
        int signal;
        const char *name;
    } names[] = {
        {SIGHUP, "hang-up"},
        {SIGINT, "interrupt"},
        {SIGQUIT, "quit"},
        {SIGILL, "illegal instruction"},
        {SIGTRAP, "trap"},
        {SIGABRT, "abort"},
        {SIGBUS, "bus error"},
        {SIGFPE, "arithmetic error"},
        {SIGKILL, "kill"},
        {SIGSEGV, "segmentation fault"},
        {SIGPIPE, "broken pipe"},
        {SIGALRM, "alarm"},
        {SIGTERM, "termination"},
        {SIGUSR1, "user signal 1"},
        {SIGUSR2, "user signal 2"},
        {SIGXCPU, "limit of processor time"},
        {SIGXFSZ, "limit of file size"},
        {SIGSYS, "bad system call"},
        {SIGSTOP, "stop"},
        {SIGTSTP, "stop from the terminal"},
        {SIGTTIN, "reading from the terminal in the background"},
        {SIGTTOU, "writing to the terminal in the background"},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        if (names[i].signal == signal)
            return names[i].name;
    }
    return "signal";
}

static void take_default_action(int signal)
{
    struct sigaction standard = {.sa_handler = SIG_DFL};
    sigset_t only, before;
    sigemptyset(&only);
    sigaddset(&only, signal);
    sigaction(signal, &standard, NULL);
    raise(signal);
    sigprocmask(SIG_UNBLOCK, &only, &before);
    sigprocmask(SIG_SETMASK, &before, NULL);
}

void bn_process_die_of(int signal)
{
    struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    take_default_action(signal);
    _exit(128 + signal);
}

void bn_process_stop_by(int signal)
{
    take_default_action(signal);
}

/* Reads until the end or until the deadline; true at the end. */
static bool read_until(int file, int64_t deadline_ns, char *output, size_t output_bytes)
{
    size_t used = 0;
    for (;;) {
        int64_t left_ms = (deadline_ns - bn_process_now_ns()) / 1000000;
        struct pollfd ready = {.fd = file, .events = POLLIN};
        int ready_count = left_ms > 0 ? poll(&ready, 1, (int)left_ms) : 0;
        if (ready_count < 0 && errno == EINTR)
            continue; /* there may be nothing to read */
        if (ready_count <= 0)
            return false;
        char rest[256];
        bool has_room = used < output_bytes - 1;
        ssize_t now = read(file, has_room ? output + used : rest, has_room ? output_bytes - 1 - used : sizeof rest);
        if (now == 0)
            return true;
        if (now < 0 && errno != EINTR)
            return false;
        if (now > 0 && has_room)
            output[used += (size_t)now] = '\0';
    }
}

static void become_command(char *const *arguments, int output)
{
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    int null = open("/dev/null", O_RDWR);
    if (null >= 0) {
        dup2(null, STDIN_FILENO);
        dup2(null, STDERR_FILENO);
    }
    if (dup2(output, STDOUT_FILENO) >= 0)
        execvp(arguments[0], arguments);
    _exit(127);
}

bool bn_process_capture(char *const *arguments, int limit_ms, char *output, size_t output_bytes)
{
    int pipe_ends[2];
    output[0] = '\0';
    int64_t deadline_ns = bn_process_now_ns() + (int64_t)limit_ms * 1000000;
    if (pipe2(pipe_ends, O_CLOEXEC) != 0)
        return false;
    pid_t child = fork();
    if (child == 0)
        become_command(arguments, pipe_ends[1]);
    close(pipe_ends[1]);
    bool is_read = child > 0 && read_until(pipe_ends[0], deadline_ns, output, output_bytes);
    close(pipe_ends[0]);
    if (child < 0)
        return false;
    if (!is_read)
        kill(child, SIGKILL);
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    return is_read && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

bool bn_process_program(char *path)
{
    if (realpath("/proc/self/exe", path))
        return true;
    const char *executed = (const char *)getauxval(AT_EXECFN); /* without /proc, as in a bare chroot */
    return executed && realpath(executed, path);
}

/* The process that traces the calling one, or 0 */
static int tracer(void)
{
    char text[4096];
    bn_file_read(text, sizeof text, "", "/proc/self/status");
    const char *line = strstr(text, "TracerPid:");
    return line ? atoi(line + strlen("TracerPid:")) : 0;
}

bool bn_process_is_traced(void)
{
    return tracer() != 0;
}

void bn_process_tracer_name(char *name, size_t name_bytes)
{
    bn_file_read(name, name_bytes, "/proc/", "%d/comm", tracer());
    name[strcspn(name, "\n")] = '\0';
}

bool bn_process_tracer_was_told(const char *text)
{
    char words[4096] = ""; /* each ends with a null character */
    bn_file_read(words, sizeof words, "/proc/", "%d/cmdline", tracer());
    bool is_there = false;
    for (const char *word = words; word < words + sizeof words && !is_there; word += strlen(word) + 1)
        is_there = strstr(word, text) != NULL;
    return is_there;
}

/* The address need not be mapped in the parent: the permission is checked before the address. */
bool bn_process_may_read_others(void)
{
    char byte = 0;
    struct iovec here = {&byte, sizeof byte};
    struct iovec there = {&byte, sizeof byte};
    return process_vm_readv(getppid(), &here, 1, &there, 1, 0) >= 0 || errno == EFAULT;
}
