#include "attend.h"

#include "base/log.h"
#include "notices.h"
#include "platform/process.h"
#include "program.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile pid_t child;
static volatile sig_atomic_t last_signal; /* that asked for the end; 0: none did */

/* A terminal tells the whole group, and the child would take the second Ctrl-C for impatience. */
static void hand_on(int signal, siginfo_t *info, void *context)
{
    (void)context;
    if (signal != SIGUSR1 && signal != SIGUSR2)
        last_signal = signal;
    if (info->si_code != SI_KERNEL && child > 0)
        kill(child, signal);
}

static void write_on(void *context, const char *text, size_t bytes)
{
    (void)context;
    while (bytes > 0) {
        ssize_t written = write(STDERR_FILENO, text, bytes);
        if (written < 0 && errno != EINTR)
            return; /* nobody reads it any more */
        text += written > 0 ? written : 0;
        bytes -= written > 0 ? (size_t)written : 0;
    }
}

static void report(void *context, const char *line)
{
    (void)context;
    bn_log_error("%s", line);
}

__attribute__((noreturn)) static void become(char **words, const char *program, int error_fd, pid_t parent,
                                             const sigset_t *mask)
{
    sigprocmask(SIG_SETMASK, mask, NULL);
    dup2(error_fd, STDERR_FILENO);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent)
        _exit(EXIT_CANNOT_RUN);
    execvp(words[0], words);
    bn_log_error("%s runs on the network shmem, and its launcher %s cannot be run: %s; put the bin folder of the "
                 "OpenSHMEM library on PATH (Debian: openmpi-bin)",
                 program, words[0], strerror(errno));
    _exit(EXIT_CANNOT_RUN);
}

/* Moves what has come; false if there was nothing. */
static bool move(int fd, struct launcher_notices *notices)
{
    char data[4096];
    ssize_t size = read(fd, data, sizeof data);
    if (size > 0)
        launcher_notices_put(notices, data, (size_t)size);
    return size > 0;
}

/* A host that can be entered, but cannot connect back, leaves Open MPI waiting without a word. */
static void tell_of_slow_start(const struct launcher_notices *notices, int64_t begin_ns, bool *is_told)
{
    static const int64_t patience_ns = INT64_C(30) * 1000 * 1000 * 1000;
    if (*is_told || notices->has_begun || bn_process_now_ns() - begin_ns < patience_ns)
        return;
    *is_told = true;
    bn_log_warning("the threads have not begun after 30 s. If there are several hosts, one of them may not be able to "
                   "connect back to this one: look for a firewall, and name a network that all have in "
                   "OMPI_MCA_oob_tcp_if_include and OMPI_MCA_btl_tcp_if_include (10.0.0.0/24). Still waiting");
}

/* Until the child has ended: others may hold the pipe longer, such as an ssh of the launcher. */
static int move_until_end(int fd, struct launcher_notices *notices)
{
    enum { LOOK_MS = 100 };
    struct pollfd poll_entry = {.fd = fd, .events = POLLIN};
    int status;
    pid_t ended;
    int64_t begin_ns = bn_process_now_ns();
    bool is_told = false;
    while ((ended = waitpid(child, &status, WNOHANG)) == 0) {
        tell_of_slow_start(notices, begin_ns, &is_told);
        if (poll(&poll_entry, 1, LOOK_MS) > 0 && !move(fd, notices))
            poll_entry.fd = -1; /* closed; only the end of the child is left to wait for */
    }
    while (move(fd, notices))
        ;
    return ended < 0 ? EXIT_CANNOT_RUN : WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static bool is_ignored(int signal)
{
    struct sigaction now;
    return sigaction(signal, NULL, &now) == 0 && now.sa_handler == SIG_IGN;
}

/* The launcher says 1 of all jobs that a signal has ended.  A shell must see the signal, to end a script that Ctrl-C is
 * meant for. */
static void end_by_signal(void)
{
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    signal(last_signal, SIG_DFL);
    raise(last_signal);
}

int launcher_attend(char **words, const char *program)
{
    static const int handed_on[] = {SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};
    static struct launcher_notices notices = {.write = write_on, .report = report};
    struct sigaction action = {.sa_sigaction = hand_on, .sa_flags = SA_SIGINFO | SA_RESTART};
    sigset_t set, old;
    pid_t parent = getpid();
    int ends[2];
    sigemptyset(&set);
    for (size_t i = 0; i < sizeof handed_on / sizeof handed_on[0]; i++)
        sigaddset(&set, handed_on[i]);
    sigprocmask(SIG_BLOCK, &set, &old); /* until there is somebody to hand them on to */
    if (pipe2(ends, O_CLOEXEC) != 0 || fcntl(ends[0], F_SETFL, O_NONBLOCK) != 0 || (child = fork()) < 0) {
        bn_log_error("%s cannot be run: %s", words[0], strerror(errno));
        return EXIT_CANNOT_RUN;
    }
    if (child == 0)
        become(words, program, ends[1], parent, &old);
    close(ends[1]);
    for (size_t i = 0; i < sizeof handed_on / sizeof handed_on[0]; i++)
        if (!is_ignored(handed_on[i]))
            sigaction(handed_on[i], &action, NULL);
    sigprocmask(SIG_SETMASK, &old, NULL);
    int status = move_until_end(ends[0], &notices);
    launcher_notices_end(&notices);
    if (status == EXIT_FAILURE && last_signal != 0)
        end_by_signal();
    return status;
}
