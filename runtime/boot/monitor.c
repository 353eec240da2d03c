#include "boot/monitor.h"

#include "base/log.h"
#include "boot/forks.h"
#include "boot/job.h"
#include "boot/orphans.h"
#include "boot/output.h"
#include "platform/atomic_word.h"
#include "platform/process.h"
#include "platform/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { STATUS_TIMEOUT = 124, SECOND_INTERRUPT_NS = 1000000000 };

/* A thread that is stopped for this long is reported.  When a whole job is stopped and continued, the monitor learns of
 * both at once.
 */
static const int64_t STOPPED_TOO_LONG_NS = INT64_C(3000000000);

enum ending {
    STILL_RUNNING,
    BY_ITSELF,      /* every thread has passed the final barrier */
    BY_GLOBAL_EXIT, /* status */
    BY_SIGNAL,      /* thread died of signal */
    BY_EARLY_LEAVE, /* thread left with status */
    BY_TIMEOUT,
    BY_INTERRUPT, /* the user insists */
};

struct stop {
    int signal;     /* 0: the process runs, or its stop has been reported */
    int64_t due_ns; /* when to report it */
};

struct monitor {
    const struct bn_monitor_plan *plan;
    struct bn_output output;
    struct bn_signal_state signals_before;
    int signal_file;
    int process_count;
    pid_t *processes;   /* 0 once reaped */
    pid_t *pids;        /* the same, kept after reaping for messages and for sorting output */
    int *statuses;      /* exit statuses of processes that finished */
    struct stop *stops; /* by process */
    int live_count;
    int64_t deadline_ns; /* of the job; -1 for none */
    int64_t last_interrupt_ns;
    sigset_t received; /* signals that the monitor itself received */
    enum ending ending;
    int end_thread;
    int end_status;
    int end_signal;
};

/* The first thread of a process; for one past the last process, the number of threads */
static int first_thread(const struct bn_monitor_plan *plan, int process)
{
    int thread = process * plan->threads_each;
    return thread < plan->thread_count ? thread : plan->thread_count;
}

/* How messages name a process */
static void name_process(const struct monitor *monitor, int process, char *text, size_t text_bytes)
{
    const struct bn_monitor_plan *plan = monitor->plan;
    bn_report_name(text, text_bytes, first_thread(plan, process), first_thread(plan, process + 1));
}

/* The id of the process that a thread is in */
static int name_of(const struct monitor *monitor, int thread)
{
    return (int)monitor->pids[thread / monitor->plan->threads_each];
}

/* ---- Start ---- */

static bool create(struct monitor *monitor, const struct bn_monitor_plan *plan)
{
    size_t count = ((size_t)plan->thread_count + (size_t)plan->threads_each - 1) / (size_t)plan->threads_each;
    *monitor = (struct monitor){
        .plan = plan,
        .process_count = (int)count,
        .deadline_ns = -1,
        .last_interrupt_ns = -SECOND_INTERRUPT_NS,
    };
    sigemptyset(&monitor->received);
    monitor->processes = calloc(count, sizeof *monitor->processes);
    monitor->pids = calloc(count, sizeof *monitor->pids);
    monitor->statuses = calloc(count, sizeof *monitor->statuses);
    monitor->stops = calloc(count, sizeof *monitor->stops);
    if (!monitor->processes || !monitor->pids || !monitor->statuses || !monitor->stops) {
        bn_log_error("no memory to monitor %d threads", plan->thread_count);
        return false;
    }
    bn_process_fill_standard_files();
    return bn_output_create(&monitor->output, monitor->pids, monitor->process_count, plan->has_labels) == BN_OK;
}

/* Only the process of thread 0 reads what the user types. */
static void detach_input(void)
{
    int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (null >= 0) {
        dup2(null, STDIN_FILENO);
        close(null);
    }
}

static void become_process(struct monitor *monitor, int process)
{
    bn_process_die_with(bn_job()->monitor);
    if (process != 0)
        detach_input();
    bn_output_attach(&monitor->output);
    bn_signals_restore(&monitor->signals_before);
    free(monitor->processes);
    free(monitor->pids);
    free(monitor->statuses);
    free(monitor->stops);
}

static void kill_all(const struct monitor *monitor)
{
    for (int process = 0; process < monitor->process_count; ++process) {
        if (monitor->processes[process] > 0)
            kill(monitor->processes[process], SIGKILL);
    }
}

static void give_up_start(struct monitor *monitor, int error)
{
    int process = monitor->process_count; /* the first one that could not be forked */
    kill_all(monitor);
    for (int i = monitor->process_count - 1; i >= 0; --i) {
        if (monitor->processes[i] > 0)
            waitpid(monitor->processes[i], NULL, 0);
        else
            process = i;
    }
    bn_signals_restore(&monitor->signals_before);
    if (error == ECHILD) {
        bn_log_error("the process that was to start part of the %d threads was killed; nothing was run",
                     monitor->plan->thread_count);
        return;
    }
    bn_log_error(
        "cannot start thread %d of %d: %s; use fewer threads (-n), or raise the limit of processes (ulimit -u, "
        "pids.max of the control group)",
        first_thread(monitor->plan, process), monitor->plan->thread_count, strerror(error));
}

/* ---- The end of the job ---- */

static void end_job(struct monitor *monitor, enum ending ending)
{
    if (monitor->ending != STILL_RUNNING)
        return;
    monitor->ending = ending;
    kill_all(monitor);
}

/* The thread that crashed first; another one may have been reaped before it. */
static int find_first_crash(int thread)
{
    const struct bn_job *job = bn_job();
    uint32_t first = 0;
    for (int i = 0; i < job->thread_count; ++i) {
        uint32_t order = bn_word_see(&job->threads[i].crash.order);
        if (order != 0 && (first == 0 || order < first)) {
            first = order;
            thread = i;
        }
    }
    return thread;
}

static void note_signal_death(struct monitor *monitor, int process, int signal)
{
    int first = find_first_crash(first_thread(monitor->plan, process));
    bool is_of_process = first / monitor->plan->threads_each == process;
    monitor->end_thread = first;
    monitor->end_signal = is_of_process ? signal : bn_job()->threads[first].crash.signal;
    end_job(monitor, BY_SIGNAL);
}

/* The first thread of a process that has not passed the final barrier; -1 if all have */
static int find_unfinished(const struct monitor *monitor, int process)
{
    int end = first_thread(monitor->plan, process + 1);
    for (int thread = first_thread(monitor->plan, process); thread < end && !monitor->plan->are_programs; ++thread) {
        if (!bn_word_see(&bn_job()->threads[thread].has_finished))
            return thread;
    }
    return -1;
}

static void note_death(struct monitor *monitor, int process, int wait_status)
{
    monitor->processes[process] = 0;
    --monitor->live_count;
    if (monitor->ending != STILL_RUNNING)
        return;
    if (bn_job_is_ended(&monitor->end_status)) {
        end_job(monitor, BY_GLOBAL_EXIT);
    } else if (WIFSIGNALED(wait_status)) {
        note_signal_death(monitor, process, WTERMSIG(wait_status));
    } else if (monitor->plan->are_programs && WEXITSTATUS(wait_status) != 0) {
        monitor->end_thread = process;
        monitor->end_status = WEXITSTATUS(wait_status);
        end_job(monitor, BY_EARLY_LEAVE);
    } else if (find_unfinished(monitor, process) >= 0) {
        monitor->end_thread = find_unfinished(monitor, process);
        monitor->end_status = WEXITSTATUS(wait_status);
        end_job(monitor, BY_EARLY_LEAVE);
    } else {
        monitor->statuses[process] = WEXITSTATUS(wait_status);
    }
}

static void note_stop(struct monitor *monitor, int process, int wait_status)
{
    monitor->stops[process] = (struct stop){
        .signal = WIFSTOPPED(wait_status) ? WSTOPSIG(wait_status) : 0,
        .due_ns = bn_process_now_ns() + STOPPED_TOO_LONG_NS,
    };
}

static void reap(struct monitor *monitor)
{
    int wait_status;
    pid_t name;
    while ((name = waitpid(-1, &wait_status, WNOHANG | WUNTRACED | WCONTINUED)) > 0) {
        for (int process = 0; process < monitor->process_count; ++process) {
            if (monitor->processes[process] != name)
                continue;
            note_stop(monitor, process, wait_status);
            if (WIFEXITED(wait_status) || WIFSIGNALED(wait_status))
                note_death(monitor, process, wait_status);
        }
    }
    if (monitor->live_count == 0 && monitor->ending == STILL_RUNNING)
        monitor->ending = BY_ITSELF;
}

/* ---- Signals ---- */

static void note_interrupt(struct monitor *monitor, int64_t now_ns)
{
    if (now_ns - monitor->last_interrupt_ns < SECOND_INTERRUPT_NS)
        end_job(monitor, BY_INTERRUPT);
    monitor->last_interrupt_ns = now_ns;
}

static void handle_signal(struct monitor *monitor, const struct bn_signal *signal)
{
    if (signal->number == SIGCHLD) {
        reap(monitor);
        return;
    }
    sigaddset(&monitor->received, signal->number);
    for (int process = 0; process < monitor->process_count; ++process) {
        if (!signal->is_from_terminal && monitor->processes[process] > 0)
            bn_signals_forward(signal, monitor->processes[process]);
    }
    if (signal->number == SIGTSTP)
        bn_process_stop_by(SIGTSTP);
    if (signal->number == SIGINT)
        note_interrupt(monitor, bn_process_now_ns());
}

/* ---- The loop ---- */

static int64_t earlier(int64_t a, int64_t b)
{
    if (a < 0 || b < 0)
        return a < 0 ? b : a;
    return a < b ? a : b;
}

/* When the next stopped thread must be reported; -1 for never */
static int64_t stops_deadline(const struct monitor *monitor)
{
    int64_t due_ns = -1;
    for (int process = 0; process < monitor->process_count; ++process) {
        if (monitor->stops[process].signal != 0)
            due_ns = earlier(due_ns, monitor->stops[process].due_ns);
    }
    return due_ns;
}

static void tell_of_stops(struct monitor *monitor, int64_t now_ns)
{
    char text[BN_REPORT_BYTES], who[64];
    for (int process = 0; process < monitor->process_count; ++process) {
        struct stop *stop = &monitor->stops[process];
        if (stop->signal == 0 || now_ns < stop->due_ns)
            continue;
        name_process(monitor, process, who, sizeof who);
        snprintf(text, sizeof text,
                 "banyan: %s (pid %d) has been stopped by signal %d (%s) for %d s; others that wait "
                 "for it keep waiting until 'kill -CONT %d'\n",
                 who, (int)monitor->pids[process], stop->signal, bn_process_signal_name(stop->signal),
                 (int)(STOPPED_TOO_LONG_NS / 1000000000), (int)monitor->pids[process]);
        bn_output_say(&monitor->output, text);
        stop->signal = 0;
    }
}

/* Sleeps until something happens or is due. */
static void wait_for_events(const struct monitor *monitor)
{
    struct pollfd polls[BN_OUTPUT_POLL_MAX + 1];
    polls[0] = (struct pollfd){.fd = monitor->signal_file, .events = POLLIN};
    int count = 1 + bn_output_poll(&monitor->output, polls + 1);
    int64_t due_ns = earlier(monitor->deadline_ns, bn_output_deadline(&monitor->output));
    due_ns = earlier(due_ns, stops_deadline(monitor));
    struct timespec timeout = {0, 0};
    if (due_ns >= 0) {
        int64_t left_ns = due_ns - bn_process_now_ns();
        if (left_ns > 0)
            timeout = (struct timespec){.tv_sec = left_ns / 1000000000, .tv_nsec = left_ns % 1000000000};
    }
    ppoll(polls, (nfds_t)count, due_ns >= 0 ? &timeout : NULL, NULL);
}

static void watch(struct monitor *monitor)
{
    while (monitor->live_count > 0 || monitor->ending == STILL_RUNNING) {
        struct bn_signal signal;
        wait_for_events(monitor);
        int64_t now_ns = bn_process_now_ns();
        bn_output_move(&monitor->output, now_ns);
        while (bn_signals_take(monitor->signal_file, &signal))
            handle_signal(monitor, &signal);
        tell_of_stops(monitor, now_ns);
        if (monitor->deadline_ns >= 0 && now_ns >= monitor->deadline_ns) {
            end_job(monitor, BY_TIMEOUT);
            monitor->deadline_ns = -1;
        }
    }
}

/* Waits until a slow reader has read the remaining output; a signal ends this immediately. */
static void drain(struct monitor *monitor)
{
    while (!bn_output_is_empty(&monitor->output)) {
        struct bn_signal signal;
        wait_for_events(monitor);
        bn_output_move(&monitor->output, bn_process_now_ns());
        while (bn_signals_take(monitor->signal_file, &signal)) {
            if (signal.number == SIGINT || signal.number == SIGTERM || signal.number == SIGHUP ||
                signal.number == SIGQUIT)
                bn_process_die_of(signal.number);
            if (signal.number == SIGTSTP)
                bn_process_stop_by(SIGTSTP);
        }
    }
}

/* Whether the user already knows the reason for the signal */
static bool is_expected_signal(const struct monitor *monitor)
{
    return sigismember(&monitor->received, monitor->end_signal) == 1 ||
           (monitor->end_signal == SIGPIPE && bn_output_is_broken(&monitor->output));
}

/* The message to the user about the end of the job; "" for none */
static void describe_end(const struct monitor *monitor, char *text, size_t text_bytes)
{
    const struct bn_monitor_plan *plan = monitor->plan;
    int thread = monitor->end_thread;
    int process = thread / plan->threads_each;
    char who[64];
    text[0] = '\0';
    if (monitor->ending == BY_SIGNAL && !is_expected_signal(monitor))
        bn_report_signal(text, text_bytes, thread, first_thread(plan, process + 1), name_of(monitor, thread),
                         monitor->end_signal, plan->describe);
    else if (monitor->ending == BY_TIMEOUT)
        snprintf(text, text_bytes, "banyan: the job ran longer than its time limit of %g s (-timeout); it is ended\n",
                 (double)plan->timeout_ns / 1e9);
    else if (monitor->output.write_error != 0) /* before BY_EARLY_LEAVE: the thread left because it could not write */
        snprintf(text, text_bytes,
                 monitor->output.cannot_receive ? "banyan: the output of the threads cannot be received: %s; the "
                                                  "container or sandbox must allow the system call recvmsg\n"
                                                : "banyan: the output of the program cannot be written: %s\n",
                 strerror(monitor->output.write_error));
    else if (monitor->ending == BY_EARLY_LEAVE && plan->are_programs)
        snprintf(text, text_bytes,
                 "banyan: process %d of %d (pid %d) ended with status %d; the others are ended, too\n", thread,
                 plan->thread_count, name_of(monitor, thread), monitor->end_status);
    else if (monitor->ending == BY_EARLY_LEAVE) {
        name_process(monitor, process, who, sizeof who);
        snprintf(text, text_bytes,
                 "banyan: %s (pid %d) left with status %d before the end of the program, by _exit, quick_exit or exec; "
                 "the job is ended\n",
                 who, name_of(monitor, thread), monitor->end_status);
    }
}

static int first_failure(const struct monitor *monitor)
{
    for (int process = 0; process < monitor->process_count; ++process) {
        if (monitor->statuses[process] != 0)
            return monitor->statuses[process];
    }
    return 0;
}

/* Exits as the job did: with its status, or by the signal that the monitor received, too. */
__attribute__((noreturn)) static void leave(struct monitor *monitor)
{
    int status = first_failure(monitor);
    switch (monitor->ending) {
    case STILL_RUNNING:
    case BY_ITSELF:
        if (monitor->output.write_error != 0 && status == 0)
            status = EXIT_FAILURE;
        else if (bn_output_is_broken(&monitor->output) && status == 0)
            bn_process_die_of(SIGPIPE);
        break;
    case BY_GLOBAL_EXIT: status = monitor->end_status; break;
    case BY_SIGNAL:
        status = 128 + monitor->end_signal;
        if (monitor->end_signal == SIGPIPE && monitor->output.write_error != 0)
            status = EXIT_FAILURE; /* the signal is only how a thread was told */
        else if (is_expected_signal(monitor))
            bn_process_die_of(monitor->end_signal);
        break;
    case BY_EARLY_LEAVE: status = monitor->end_status != 0 ? monitor->end_status : EXIT_FAILURE; break;
    case BY_TIMEOUT: status = STATUS_TIMEOUT; break;
    case BY_INTERRUPT: bn_process_die_of(SIGINT);
    }
    if (monitor->plan->ranks)
        bn_ranks_dismiss(monitor->plan->ranks, status);
    _exit(status);
}

__attribute__((noreturn)) static void be_monitor(struct monitor *monitor)
{
    static char text[BN_REPORT_BYTES];
    bn_output_start(&monitor->output);
    monitor->signal_file = bn_signals_open();
    if (monitor->signal_file < 0) {
        bn_log_error("cannot monitor the threads: %s; the container or sandbox must allow the system call signalfd4",
                     strerror(errno));
        kill_all(monitor);
        _exit(EXIT_FAILURE);
    }
    if (monitor->plan->timeout_ns > 0)
        monitor->deadline_ns = bn_process_now_ns() + monitor->plan->timeout_ns;
    watch(monitor);
    if (monitor->ending != BY_ITSELF)
        bn_orphans_kill();
    bn_output_finish(&monitor->output, bn_process_now_ns());
    describe_end(monitor, text, sizeof text);
    if (text[0] != '\0')
        bn_output_say(&monitor->output, text);
    monitor->deadline_ns = -1;
    drain(monitor);
    leave(monitor);
}

int bn_monitor_run(const struct bn_monitor_plan *plan)
{
    struct monitor monitor;
    if (!create(&monitor, plan))
        return -1;
    bn_signals_hold(&monitor.signals_before);
    (void)bn_orphans_adopt(); /* otherwise orphans would outlive the job */
    int error = 0;
    int process = bn_forks_make(monitor.processes, monitor.process_count, plan->cores, &error);
    if (process != BN_FORKS_PARENT) {
        become_process(&monitor, process);
        return first_thread(plan, process);
    }
    if (error != 0) {
        give_up_start(&monitor, error);
        return -1;
    }
    memcpy(monitor.pids, monitor.processes, (size_t)monitor.process_count * sizeof monitor.pids[0]);
    monitor.live_count = monitor.process_count;
    be_monitor(&monitor);
}
