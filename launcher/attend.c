#include "attend.h"

#include "base/log.h"
#include "boot/report.h"
#include "keyboard.h"
#include "notices.h"
#include "outlet.h"
#include "platform/atomic_word.h"
#include "platform/file.h"
#include "platform/process.h"
#include "platform/signals.h"
#include "program.h"
#include "session.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/*
 * The signal that asks the launcher to end.  Open MPI's launcher takes two signals within 5 s for impatience, and ends
 * immediately, leaving its files in /dev/shm; so it must get only one.  It has a process group of its own, so that
 * signals to ours, as from a terminal, timeout or a shell, do not reach it as well.
 */
enum { ASKS_FOR_END = SIGINT };

static const int64_t second_ns = INT64_C(1000) * 1000 * 1000;

static const char *launcher;              /* the name of the child */
static volatile pid_t child;              /* 0: not started, or ended */
static volatile sig_atomic_t last_signal; /* the last signal that asked for the end; 0: none */
static uint32_t asked;                    /* 1: the child has been asked to end */
static volatile int64_t asked_ns;         /* when that was */
static volatile sig_atomic_t is_pressed;  /* the end has been asked for again since */
static volatile sig_atomic_t is_gone;     /* the child has ended, and nothing of it is left but output */
static bool is_killed;                    /* the child did not end, and was killed */
static struct launcher_outlet outlets[2] = {{.fd = STDOUT_FILENO}, {.fd = STDERR_FILENO}};

static bool is_asked(void)
{
    return bn_word_get(&asked) != 0;
}

/* A signal may interrupt this and ask as well; only one of them sends the child its signal. */
static void ask_for_end(void)
{
    asked_ns = bn_process_now_ns();
    if (bn_word_swap(&asked, 1) == 0 && child > 0)
        kill(child, ASKS_FOR_END);
}

/* timeout sends a signal to this process and then to its group; a key that was pressed sends only one. */
static bool is_same_request(int signal, const siginfo_t *info)
{
    bool is_key = signal == SIGINT && info->si_code == SI_KERNEL;
    return !is_key && bn_process_now_ns() - asked_ns < second_ns;
}

/* Open MPI's launcher stops the threads on all machines on SIGTSTP, and keeps running itself.  The threads must go on
 * even if this process is not stopped, as in a process group without a shell. */
static void stop_and_go_on(void)
{
    struct sigaction present;
    sigaction(SIGTSTP, NULL, &present);
    if (child > 0)
        kill(child, SIGTSTP);
    bn_process_stop_by(SIGTSTP);
    if (child > 0)
        kill(child, SIGCONT);
    sigaction(SIGTSTP, &present, NULL);
}

static void hand_on(int signal, const siginfo_t *info)
{
    if (signal == SIGTSTP) {
        stop_and_go_on();
        return;
    }
    if (signal == SIGUSR1 || signal == SIGUSR2) {
        if (info->si_code != SI_KERNEL && child > 0)
            kill(child, signal);
        return;
    }
    if (is_gone)
        bn_process_die_of(signal); /* no reader for the rest of the output */
    last_signal = signal;
    if (!is_asked())
        ask_for_end();
    else if (!is_same_request(signal, info))
        is_pressed = 1;
}

static void on_signal(int signal, siginfo_t *info, void *context)
{
    (void)context;
    int error = errno;
    hand_on(signal, info);
    errno = error;
}

static void write_on(void *context, const char *text, size_t bytes)
{
    launcher_outlet_put(context, text, bytes);
}

static void report(void *context, const char *line)
{
    launcher_outlet_flush(context); /* output that came before the report */
    bn_log_error("%s", line);
}

static const int handed_on[] = {SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGTSTP};

static sigset_t set_of_handed_on(void)
{
    sigset_t set;
    sigemptyset(&set);
    for (size_t i = 0; i < sizeof handed_on / sizeof handed_on[0]; i++)
        sigaddset(&set, handed_on[i]);
    return set;
}

/* Files are the child's standard files; -1: it keeps that of this process. */
__attribute__((noreturn)) static void become(char **words, const char *program, const int files[3], pid_t parent,
                                             sigset_t mask)
{
    setpgid(0, 0);
    sigprocmask(SIG_SETMASK, &mask, NULL);
    prctl(PR_SET_PDEATHSIG, ASKS_FOR_END);
    for (int file = STDIN_FILENO; file <= STDERR_FILENO; file++) {
        if (files[file] >= 0)
            dup2(files[file], file);
    }
    if (getppid() != parent)
        _exit(EXIT_CANNOT_RUN);
    execvp(words[0], words);
    bn_log_error("%s runs on the network shmem, and its launcher %s cannot be run: %s; put the bin folder of the "
                 "OpenSHMEM library on PATH (Debian: openmpi-bin)",
                 program, words[0], strerror(errno));
    _exit(EXIT_CANNOT_RUN);
}

/* A stream from the child to a standard file of this process */
struct stream {
    int from; /* -1: at its end */
    struct launcher_outlet *to;
    struct launcher_notices *notices; /* null: not filtered */
};

static void take_what_has_come(struct stream *stream)
{
    char data[16 << 10];
    ssize_t size = read(stream->from, data, sizeof data);
    if (size > 0 && stream->notices)
        launcher_notices_put(stream->notices, data, (size_t)size);
    else if (size > 0)
        launcher_outlet_put(stream->to, data, (size_t)size);
    else if (size == 0 || errno != EINTR)
        stream->from = -1;
}

static bool is_waiting(const struct stream streams[2])
{
    return launcher_outlet_bytes(streams[0].to) > 0 || launcher_outlet_bytes(streams[1].to) > 0;
}

/* Moves output and what is typed as far as possible without blocking, waiting up to limit_ms for the first; returns
 * false if nothing was moved.  Nothing is read for a file that has not yet accepted the previous output. */
static bool move(struct stream streams[2], struct launcher_keyboard *keyboard, int limit_ms)
{
    struct pollfd polls[3];
    for (int i = 0; i < 2; i++) {
        bool has_bytes = launcher_outlet_bytes(streams[i].to) > 0;
        polls[i] = (struct pollfd){.fd = has_bytes ? streams[i].to->fd : streams[i].from,
                                   .events = has_bytes ? POLLOUT : POLLIN};
    }
    polls[2] = launcher_keyboard_poll(keyboard);
    if (poll(polls, 3, limit_ms) <= 0)
        return false;
    if (polls[2].revents != 0)
        launcher_keyboard_move(keyboard);
    for (int i = 0; i < 2; i++) {
        if (polls[i].revents != 0 && launcher_outlet_bytes(streams[i].to) > 0)
            launcher_outlet_move(streams[i].to);
        else if (polls[i].revents != 0)
            take_what_has_come(&streams[i]);
    }
    return true;
}

/* If output has no reader any more, ends the threads, as writing directly would have done. */
static void end_with_output(void)
{
    if (is_asked() || (outlets[0].error == 0 && outlets[1].error == 0))
        return;
    last_signal = SIGPIPE;
    ask_for_end();
}

/* Open MPI waits silently if a host can be reached but cannot connect back, if the program on a host does not join the
 * job, or if it has no room. */
static void tell_of_slow_start(void)
{
    launcher_outlet_flush(&outlets[1]);
    if (launcher_session_lacks_room())
        bn_log_warning("the threads have not begun after 30 s. There is little room in %s: Open MPI needs some 5 MB "
                       "there; name another folder in TMPDIR. Still waiting",
                       launcher_session_place());
    else
        bn_log_warning("the threads have not begun after 30 s. If there are several hosts, one of them may have "
                       "another program under this path, or may not be able to connect back to this one: look for a "
                       "firewall, and name a network that all have in OMPI_MCA_oob_tcp_if_include and "
                       "OMPI_MCA_btl_tcp_if_include (10.0.0.0/24). Still waiting");
}

/* The time until the threads have begun */
struct start {
    int64_t begin_ns;
    sigset_t mask; /* of this process afterwards */
    bool is_over;
};

/* What Open MPI's launcher hands on to the threads, so it must come when all of them exist: earlier, it is lost, or the
 * launcher gives up, with exit status 0, because it has no connection to some host yet. */
static const int for_threads[] = {SIGTSTP, SIGUSR1, SIGUSR2};

static void begin_start(struct start *start, const sigset_t *mask)
{
    sigset_t blocked = *mask;
    *start = (struct start){.begin_ns = bn_process_now_ns(), .mask = *mask};
    for (size_t i = 0; i < sizeof for_threads / sizeof for_threads[0]; i++)
        sigaddset(&blocked, for_threads[i]);
    sigprocmask(SIG_SETMASK, &blocked, NULL);
}

static void end_start(struct start *start)
{
    start->is_over = true;
    sigprocmask(SIG_SETMASK, &start->mask, NULL);
}

/* After some time without a sign of the threads, signals are handed on all the same: other launchers may drop it. */
static void look_at_start(struct start *start, const struct launcher_notices *notices)
{
    bool is_slow = bn_process_now_ns() - start->begin_ns >= 30 * second_ns;
    if (start->is_over || (!notices->has_begun && !is_slow))
        return;
    if (!notices->has_begun && !is_asked() && !launcher_notices_tell_end(notices))
        tell_of_slow_start();
    end_start(start);
}

static void kill_launcher(const char *why)
{
    is_killed = true;
    kill(-child, SIGKILL);
    kill(child, SIGKILL); /* in case that it has no process group yet */
    launcher_outlet_flush(&outlets[1]);
    bn_log_error("the launcher %s has not ended %s; it is killed", launcher, why);
}

/* How long the launcher has had to end its job */
struct patience {
    int64_t looked_ns; /* when it was last looked at */
    int64_t spent_ns;
};

/* Kills the launcher if it does not end.  Open MPI's hangs where its folder for temporary files is full, for example.
 * Time in which the output waits for its reader, or this process was stopped, does not count. */
static void look_at_end(struct patience *patience, const struct stream streams[2])
{
    bool is_over = launcher_notices_tell_end(streams[1].notices);
    int64_t now_ns = bn_process_now_ns();
    int64_t passed_ns = now_ns - patience->looked_ns;
    patience->looked_ns = now_ns;
    if ((!is_asked() && !is_over) || is_waiting(streams))
        patience->spent_ns = 0;
    else
        patience->spent_ns += passed_ns < second_ns ? passed_ns : second_ns;
    if (is_killed)
        return;
    if (is_pressed)
        kill_launcher("and is asked to again");
    else if (patience->spent_ns >= 10 * second_ns)
        kill_launcher(is_asked() ? "10 s after it was asked to" : "10 s after the end of the job");
}

/* Says why the job has ended if nobody else has, as when somebody has ended the launcher. */
static void report_launcher(int status, const struct launcher_notices *notices)
{
    if (last_signal != 0 || is_killed)
        return;
    if (WIFSIGNALED(status))
        bn_log_error("the launcher %s was killed by signal %d (%s)%s; the job is ended", launcher, WTERMSIG(status),
                     bn_process_signal_name(WTERMSIG(status)), WTERMSIG(status) == SIGKILL ? bn_report_killer() : "");
    else if (WEXITSTATUS(status) != EXIT_SUCCESS && !notices->has_reason)
        bn_log_error("the launcher %s ended with status %d and gave no reason", launcher, WEXITSTATUS(status));
}

/* waitpid without waiting, and forgets a child that has ended before a signal could be handed on to another process
 * that has got its number. */
static pid_t look_for_end(int *status_p)
{
    sigset_t set = set_of_handed_on(), old;
    sigprocmask(SIG_BLOCK, &set, &old);
    pid_t ended = waitpid(child, status_p, WNOHANG);
    if (ended != 0)
        child = 0;
    sigprocmask(SIG_SETMASK, &old, NULL);
    return ended;
}

/* Moves output until the child has ended, not until the pipes are closed: other processes, such as an ssh of the
 * launcher, may hold them longer.  Returns its status as waitpid does. */
static int move_until_end(struct stream streams[2], struct launcher_keyboard *keyboard, struct start *start)
{
    enum { LOOK_MS = 100 };
    int status;
    pid_t begun = child, ended;
    struct patience patience = {.looked_ns = bn_process_now_ns()};
    while ((ended = look_for_end(&status)) == 0) {
        look_at_start(start, streams[1].notices);
        look_at_end(&patience, streams);
        move(streams, keyboard, LOOK_MS);
        end_with_output();
    }
    if (ended > 0 && status != 0)
        launcher_session_remove(begun);
    is_gone = 1;
    end_start(start);
    launcher_keyboard_close(keyboard);
    while (move(streams, keyboard, is_waiting(streams) ? -1 : 0) || is_waiting(streams))
        ;
    launcher_notices_end(streams[1].notices);
    launcher_outlet_flush(streams[1].to);
    if (ended < 0)
        return EXIT_CANNOT_RUN << 8;
    report_launcher(status, streams[1].notices);
    return status;
}

/* The errno of an output error to report; 0 if there is none, or if only the reader is gone */
static int lost_output(void)
{
    for (int i = 0; i < 2; i++) {
        int error = outlets[i].error;
        if (error != 0 && !bn_file_lacks_reader(outlets[i].fd, error))
            return error;
    }
    return 0;
}

/* The launcher exits with 1 for all jobs ended by a signal, and dies of the signal that asks it to end if that comes
 * early.  A shell must see the signal, so that Ctrl-C also ends a script. */
static int leave(int child_status, bool is_host_lost)
{
    bool is_signaled = WIFSIGNALED(child_status);
    int status = !is_signaled ? WEXITSTATUS(child_status) : is_killed ? EXIT_FAILURE : 128 + WTERMSIG(child_status);
    if (status == EXIT_SUCCESS && is_host_lost) /* as with Open MPI 5.0.7 */
        status = EXIT_FAILURE;
    int error = lost_output();
    bool is_cut = outlets[0].error != 0 || outlets[1].error != 0;
    if (error != 0)
        bn_log_error("the output of the program cannot be written: %s", strerror(error));
    if (error != 0 && last_signal == SIGPIPE)
        return EXIT_FAILURE; /* the signal only ended the threads */
    if ((status == EXIT_FAILURE || is_signaled) && last_signal != 0)
        bn_process_die_of(last_signal);
    if (status == EXIT_SUCCESS && is_cut && error == 0)
        bn_process_die_of(SIGPIPE);
    return status == EXIT_SUCCESS && is_cut ? EXIT_FAILURE : status;
}

static bool is_ignored(int signal)
{
    struct sigaction now;
    return sigaction(signal, NULL, &now) == 0 && now.sa_handler == SIG_IGN;
}

int launcher_attend(char **words, const char *program, int threads_each, int thread_count)
{
    static struct launcher_notices notices = {.write = write_on, .report = report, .context = &outlets[1]};
    notices.threads_each = threads_each;
    notices.thread_count = thread_count;
    sigset_t set = set_of_handed_on(), old;
    struct sigaction action = {.sa_sigaction = on_signal, .sa_mask = set, .sa_flags = SA_SIGINFO | SA_RESTART};
    pid_t parent = getpid();
    struct launcher_keyboard keyboard;
    int pipes[2][2];
    launcher = words[0];
    bn_process_fill_standard_files();
    bn_signals_expect_children();
    sigprocmask(SIG_BLOCK, &set, &old); /* until there is a child to forward them to */
    if (!launcher_keyboard_open(&keyboard) || pipe2(pipes[0], O_CLOEXEC) != 0 || pipe2(pipes[1], O_CLOEXEC) != 0 ||
        (child = fork()) < 0) {
        bn_log_error("%s cannot be run: %s", words[0], strerror(errno));
        return EXIT_CANNOT_RUN;
    }
    if (child == 0)
        become(words, program, (const int[]){keyboard.for_child, pipes[0][1], pipes[1][1]}, parent, old);
    if (keyboard.for_child >= 0)
        close(keyboard.for_child);
    close(pipes[0][1]);
    close(pipes[1][1]);
    signal(SIGPIPE, SIG_IGN);
    for (size_t i = 0; i < sizeof handed_on / sizeof handed_on[0]; i++)
        if (!is_ignored(handed_on[i]))
            sigaction(handed_on[i], &action, NULL);
    struct start start;
    begin_start(&start, &old);
    struct stream streams[2] = {{pipes[0][0], &outlets[0], NULL}, {pipes[1][0], &outlets[1], &notices}};
    int status = move_until_end(streams, &keyboard, &start);
    return leave(status, notices.is_lost);
}
