/*
 * start.c: from the start of the process to the program's main, and from its end to the end of the process.
 *
 * Reads options, decides on the number of threads, creates what they share, and becomes the monitor that forks them
 * (docs/design/001-representation.md).
 */
#include "upc/start/launch.h"

#include "base/log.h"
#include "base/options.h"
#include "boot/bind.h"
#include "boot/crash.h"
#include "boot/job.h"
#include "boot/monitor.h"
#include "boot/note.h"
#include "boot/ranks.h"
#include "boot/report.h"
#include "platform/process.h"
#include "platform/slice.h"
#include "upc/context.h"
#include "upc/profile/profile.h"
#include "upc/start/runtime.h"
#include "upc/start/start.h"
#include "upc/start/start_options.h"
#include "upc/start/units.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The note by which upcrun recognises a Banyan program */
__attribute__((section(BN_NOTE_SECTION), used, aligned(4))) static const struct bn_note note = {
    .name_bytes = sizeof BN_NOTE_NAME,
    .content_bytes = sizeof(struct bn_note_content),
    .type = BN_NOTE_TYPE,
    .name = BN_NOTE_NAME,
    .content = {.abi = BN_ABI_NUMBER, .network = BN_NETWORK_SMP},
};

static struct start {
    struct bn_options options;
    int thread_count;
    int usable_count;
    enum bn_bind_choice bind;
    struct bn_bind_machine machine;
    struct bn_ranks ranks; /* MPI's ranks, if threads are to be ranks */
} job_start;

/* Nonzero in programs linked with upcc -uses-mpi, which defines this variable: their threads are MPI ranks. */
__attribute__((weak)) int bn_option_uses_mpi;

/* ---- Number and placement of threads ---- */

/* For threads that are MPI ranks: MPI's launcher has decided on their number. */
static bn_status_t take_count_from_ranks(struct start *start, int static_threads)
{
    const struct bn_option_value *wish = &start->options.values[BN_OPTION_THREADS];
    int count = start->ranks.count;
    start->thread_count = count;
    if (static_threads > 0 && static_threads != count) {
        bn_log_error("%d ranks of MPI were started, but %s was compiled for %d threads; start %d ranks, or compile "
                     "without -T",
                     count, bn_start_source_with_count(static_threads), static_threads, static_threads);
        return BN_ERR_MISMATCH;
    }
    if (wish->source != BN_OPTION_FROM_DEFAULT && wish->number != count) {
        bn_log_error("%s asks for %s threads, but %d ranks of MPI were started; each rank is a thread",
                     wish->source_name, wish->text, count);
        return BN_ERR_MISMATCH;
    }
    return BN_OK;
}

static bn_status_t check_ranks(const struct start *start)
{
    if (!bn_option_uses_mpi || start->ranks.count > 0 || start->thread_count == 1)
        return BN_OK;
    bn_log_error("this program uses MPI, whose ranks are its threads; start it by mpirun -n %d", start->thread_count);
    return BN_ERR_INVALID;
}

static bn_status_t decide_thread_count(struct start *start, int static_threads)
{
    if (start->ranks.count > 0)
        return take_count_from_ranks(start, static_threads);
    const struct bn_option_value *wish = &start->options.values[BN_OPTION_THREADS];
    if (static_threads > 0) {
        start->thread_count = static_threads;
        if (wish->source == BN_OPTION_FROM_DEFAULT || wish->number == static_threads)
            return BN_OK;
        bn_start_warn_of_fixed_count(wish, static_threads);
        if (wish->source == BN_OPTION_FROM_ENVIRONMENT)
            return BN_OK;
        bn_log_error("%s asks for %s threads, but %s was compiled for %d; use %s %d, or compile without -T",
                     wish->source_name, wish->text, bn_start_source_with_count(static_threads), static_threads,
                     wish->source_name, static_threads);
        return BN_ERR_MISMATCH;
    }
    int normal = bn_start_is_plain_c() ? 1 : start->usable_count;
    start->thread_count = wish->source != BN_OPTION_FROM_DEFAULT ? (int)wish->number : normal;
    if (start->thread_count > BN_THREAD_MAX)
        start->thread_count = BN_THREAD_MAX;
    return BN_OK;
}

struct debugger {
    const char *name; /* or a part of it: gdb-multiarch, lldb-server */
    const char *advice;
};

/* The debugger that the program runs under, or NULL.  Other programs that trace (strace) follow what is forked if they
 * are asked to, and expect that the program runs as it does without them. */
static const struct debugger *debugger_around(void)
{
    static const struct debugger debuggers[] = {
        {"gdb", "'set follow-fork-mode child' or 'set detach-on-fork off'"},
        {"lldb", "'settings set target.process.follow-fork-mode child'"},
    };
    char name[64];
    bn_process_tracer_name(name, sizeof name);
    for (size_t i = 0; i < sizeof debuggers / sizeof debuggers[0]; i++) {
        if (strstr(name, debuggers[i].name))
            return &debuggers[i];
    }
    return NULL;
}

/*
 * A debugger that has started the program sees only this process, not the threads that it forks: their breakpoints
 * would be ignored silently.
 */
static void adapt_to_debugger(struct start *start, int static_threads)
{
    const struct debugger *debugger = start->thread_count > 1 ? debugger_around() : NULL;
    if (!debugger)
        return;
    if (bn_launch_forks_each && static_threads == 0 &&
        start->options.values[BN_OPTION_THREADS].source == BN_OPTION_FROM_DEFAULT) {
        start->thread_count = 1;
        bn_log_warning("under a debugger, one thread runs, in this process; use -n for more");
        return;
    }
    if (bn_process_tracer_was_told("follow-fork-mode child") || bn_process_tracer_was_told("detach-on-fork off"))
        return; /* as by upcrun -gdb */
    bn_log_warning("threads are %s of their own: to stop in them, %s needs %s before 'run'",
                   bn_launch_forks_each ? "processes" : "in processes", debugger->name, debugger->advice);
}

static void decide_places(struct start *start)
{
    const struct bn_option_value *wish = &start->options.values[BN_OPTION_BIND];
    enum bn_bind_choice choice = (enum bn_bind_choice)wish->number;
    if (start->ranks.count > 0 && wish->source == BN_OPTION_FROM_DEFAULT)
        choice = BN_BIND_NONE; /* the ranks' launcher decides */
    start->bind = bn_bind_resolve(choice, start->usable_count, start->thread_count);
    if (start->bind != BN_BIND_NONE)
        bn_bind_machine_read("", &start->machine);
}

static void bind_thread(const struct start *start, int thread)
{
    struct bn_pu_set set;
    char text[BN_PU_SET_TEXT_BYTES];
    if (start->bind == BN_BIND_NONE)
        return;
    bn_bind_plan(&start->machine, start->bind, start->thread_count, thread, &set);
    bn_pu_set_format(&set, text, sizeof text);
    if (bn_cpus_bind(&set) != BN_OK)
        bn_log_warning("cannot be bound to processors %s: the system refuses; -bind none avoids this", text);
    else
        bn_log_info("runs on processors %s", text);
}

/* ---- A thread's life ---- */

int bn_launch_leave(int status)
{
    if (bn_job_thread() < 0)
        return status; /* this is a process that the thread has forked */
    fflush(NULL);
    if (!bn_runtime_finish() && (status & 0xff) == 0)
        status = EXIT_FAILURE;
    bn_job_finish();
    return status;
}

void bn_launch_become(int thread)
{
    const struct start *start = &job_start;
    bn_job_attach(thread);
    bn_log_set_thread(thread);
    bn_ranks_become(&start->ranks, thread);
    bind_thread(start, thread);
    bn_slice_shorten();
    bn_runtime_attach(thread);
    if (bn_option_number(BN_OPTION_FREEZE))
        bn_start_wait_for_debugger();
}

void bn_launch_meet(void)
{
    bn_runtime_barrier();
    bn_runtime_choose_barriers();
    bn_profile_begin();
}

/* Without a monitor the dying thread reports on itself. */
static void report_own_death(int thread)
{
    bn_report_own_death(thread, bn_runtime_describe_address);
}

struct bn_launch_threads bn_launch_processes(int threads_each)
{
    int thread_count = job_start.thread_count;
    if (threads_each == 0 || threads_each > thread_count)
        threads_each = thread_count;
    if (threads_each > 1 && bn_option_number(BN_OPTION_LABEL)) {
        bn_log_error("-label cannot tell threads that share a process; use -pthreads 1, or compile without -pthreads");
        _exit(EXIT_FAILURE);
    }
    const struct bn_monitor_plan plan = {
        .thread_count = thread_count,
        .threads_each = threads_each,
        .cores = job_start.usable_count,
        .has_labels = bn_option_number(BN_OPTION_LABEL) != 0,
        .timeout_ns = bn_option_number(BN_OPTION_TIMEOUT),
        .describe = bn_runtime_describe_address,
        .ranks = &job_start.ranks,
    };
    bool needs_monitor = plan.thread_count > 1 || plan.has_labels || plan.timeout_ns > 0;
    int thread = 0;
    fflush(NULL);
    if (needs_monitor)
        thread = bn_monitor_run(&plan);
    if (thread < 0)
        _exit(EXIT_FAILURE);
    bn_crash_install(needs_monitor ? NULL : report_own_death);
    int end = thread + threads_each < thread_count ? thread + threads_each : thread_count;
    return (struct bn_launch_threads){thread, end};
}

/* bn_output_attach gives a thread a line buffer, which MPI libraries take away. */
bool bn_launch_gives_lines(void)
{
    return !bn_option_uses_mpi;
}

/* Everything that can fail before threads exist; returns BN_OK when they can be forked. */
static bn_status_t prepare(struct start *start, int *argc, char **argv)
{
    int static_threads;
    bn_status_t status = bn_option_uses_mpi ? bn_ranks_gather(&start->ranks) : BN_OK;
    if (status == BN_OK)
        status = bn_start_read_options(&start->options, argc, argv);
    if (status != BN_OK)
        return status;
    static const enum bn_option_id far_options[] = {BN_OPTION_FAR_STATS, BN_OPTION_ARBITER};
    for (size_t i = 0; i < sizeof far_options / sizeof far_options[0]; i++) {
        const struct bn_option_value *value = &start->options.values[far_options[i]];
        if (value->number)
            bn_log_warning("%s has no effect: this program was compiled for one machine; use -network=shmem",
                           value->source_name);
    }
    status = bn_profile_check_options();
    if (status == BN_OK)
        status = bn_units_check(bn_units(), &static_threads);
    if (status != BN_OK)
        return status;
    start->usable_count = bn_cpus_usable_count();
    status = decide_thread_count(start, static_threads);
    if (status != BN_OK)
        return status;
    adapt_to_debugger(start, static_threads);
    if (start->options.values[BN_OPTION_INFO].number) {
        int exit_status = bn_start_print_info(argv[0], "smp", static_threads, start->thread_count);
        bn_ranks_dismiss(&start->ranks, exit_status);
        _exit(exit_status);
    }
    status = check_ranks(start);
    if (status != BN_OK)
        return status;
    decide_places(start);
    status = bn_job_create(start->thread_count);
    if (status != BN_OK)
        return status;
    bn_log_info("%d thread%s on %d usable core%s", start->thread_count, start->thread_count == 1 ? "" : "s",
                start->usable_count, start->usable_count == 1 ? "" : "s");
    return bn_runtime_create(bn_units(), start->thread_count, start->usable_count,
                             (uint64_t)bn_option_number(BN_OPTION_SHARED_HEAP));
}

void bn_launch_prepare(int *argc, char **argv)
{
    if (prepare(&job_start, argc, argv) != BN_OK)
        _exit(EXIT_FAILURE);
}
