#include "upc/remote/watch.h"

#include "base/log.h"
#include "base/options.h"
#include "boot/report.h"
#include "platform/memory.h"
#include "platform/process.h"
#include "platform/signals.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t is_asked; /* this process, and so its threads, has been asked to end by a signal */
static pid_t child;
static volatile bool *is_end_expected; /* shared with the child */

static void hand_on(int signal)
{
    is_asked = 1;
    kill(child, signal);
}

static const char *host_name(void)
{
    static char host[256] = "?";
    gethostname(host, sizeof host - 1);
    return host;
}

/* "thread 3", or "threads 4 to 7" if the process has several */
static char who[48];
static bool is_several;
static bool tells_upcrun;

static void tell(int signal)
{
    bn_log_error("%s (pid %d on %s) %s killed by signal %d (%s)%s; the job is ended", who, (int)child, host_name(),
                 is_several ? "were" : "was", signal, bn_process_signal_name(signal),
                 signal == SIGKILL ? bn_report_killer() : "");
}

/* The launcher should end now.  It may not, for example where it has no room for its files. */
static void tell_upcrun(void)
{
    static const char line[] = BN_ENDED_LINE;
    if (tells_upcrun)
        (void)!write(STDERR_FILENO, line, sizeof line - 1);
}

__attribute__((noreturn)) static void watch(void)
{
    int status;
    while (waitpid(child, &status, 0) < 0) {
        if (errno != EINTR)
            _exit(1);
    }
    if (WIFEXITED(status)) {
        if (!*is_end_expected && !is_asked)
            bn_log_error("%s (pid %d on %s) left with status %d before the end of the program, by _exit, "
                         "quick_exit or exec; the job is ended",
                         who, (int)child, host_name(), WEXITSTATUS(status));
        if (!is_asked && (!*is_end_expected || WEXITSTATUS(status) != 0))
            tell_upcrun();
        _exit(WEXITSTATUS(status));
    }
    if (!is_asked && !bn_signal_is_fault(WTERMSIG(status))) /* the thread reports those itself (boot/crash.h) */
        tell(WTERMSIG(status));
    if (!is_asked)
        tell_upcrun();
    bn_process_die_of(WTERMSIG(status));
}

void bn_watch_start(int first, int end, bool is_of_upcrun)
{
    static const int asking[] = {SIGTERM, SIGINT, SIGHUP, SIGQUIT};
    sigset_t set, old;
    pid_t parent = getpid();
    void *shared;
    if (bn_process_is_traced() || bn_memory_share(sizeof *is_end_expected, &shared) != BN_OK)
        return;
    is_end_expected = shared;
    is_several = end - first > 1;
    tells_upcrun = is_of_upcrun;
    if (!is_several)
        snprintf(who, sizeof who, "thread %d", first);
    else
        snprintf(who, sizeof who, "threads %d to %d", first, end - 1);
    bn_process_die_with(getppid()); /* a launcher that is killed takes its processes with it */
    sigemptyset(&set);
    for (size_t i = 0; i < sizeof asking / sizeof asking[0]; i++)
        sigaddset(&set, asking[i]);
    sigprocmask(SIG_BLOCK, &set, &old); /* until there is a child to pass them on to */
    child = fork();
    if (child > 0) {
        struct sigaction action = {.sa_handler = hand_on};
        bn_signals_expect_children();
        for (size_t i = 0; i < sizeof asking / sizeof asking[0]; i++)
            sigaction(asking[i], &action, NULL);
    }
    sigprocmask(SIG_SETMASK, &old, NULL);
    if (child > 0)
        watch();
    if (child == 0)
        bn_process_die_with(parent);
    else
        bn_log_warning(
            "cannot create a process that watches %s (%s); only the launcher will report a death by a signal", who,
            strerror(errno));
}

void bn_watch_expect_end(void)
{
    if (is_end_expected)
        *is_end_expected = true;
}
