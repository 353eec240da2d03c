/*
 * start.c: from the start of a process, created by a launcher of OpenSHMEM, to the program's main, and from the end of
 * main to the end of the process (docs/design/009-clusters.md).  The process is a thread, or contains several; the
 * launcher monitors it.
 */
#include "upc/start/start.h"

#include "base/log.h"
#include "base/options.h"
#include "base/parse.h"
#include "boot/crash.h"
#include "boot/job.h"
#include "boot/note.h"
#include "boot/report.h"
#include "platform/atomic_word.h"
#include "platform/cpus.h"
#include "platform/memory.h"
#include "platform/slice.h"
#include "upc/context.h"
#include "upc/fatal.h"
#include "upc/nodes.h"
#include "upc/profile/profile.h"
#include "upc/remote/far.h"
#include "upc/remote/last_task.h"
#include "upc/remote/runtime.h"
#include "upc/remote/watch.h"
#include "upc/start/launch.h"
#include "upc/start/start_options.h"
#include "upc/start/units.h"

#include "pgas/remote/endpoint.h"
#include "pgas/remote/remote.h"

#include <errno.h>
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
    .content = {.abi = BN_ABI_NUMBER, .network = BN_NETWORK_SHMEM},
};

static const struct bn_transport *const transport = &bn_transport_shmem;

static struct {
    struct bn_options options;
    int static_threads;
    uint64_t static_bytes; /* for each thread */
    uint64_t heap_bytes;   /* of each of the two heaps of a thread */
    int threads_each;      /* threads per process; the last process may have fewer */
    struct bn_launch_threads own;
    uint32_t ended; /* number of them that have ended */
} job_start;

/* Default size of each of the two heaps of a thread: half of OpenSHMEM's usual symmetric heap */
static const uint64_t default_heap_bytes = UINT64_C(128) << 20;

/* Standard output goes to the launcher. */
bool bn_launch_gives_lines(void)
{
    return false;
}

int bn_launch_leave(int status)
{
    if (bn_job_thread() < 0)
        return status; /* this is a process that the thread has forked */
    fflush(NULL);
    if (!bn_runtime_finish() && (status & 0xff) == 0)
        status = EXIT_FAILURE;
    bn_far_report();
    bn_job_finish();
    if (bn_word_add(&job_start.ended, 1) != (uint32_t)(job_start.own.end - job_start.own.first))
        return status;
    transport->finish();
    bn_watch_expect_end();
    return status;
}

/* Runs at exit, after the program's own functions and before those of the OpenSHMEM library, which wait forever in a
 * process that a thread has forked. */
static void end_forked(int status, void *nothing)
{
    (void)nothing;
    if (!bn_job_is_forked())
        return;
    fflush(NULL);
    _exit(status);
}

static void claim_end(void)
{
    bn_watch_expect_end();
    if (bn_remote.node_count > 0)
        bn_remote_claim_end();
}

__attribute__((noreturn)) static void end_job(int status)
{
    bn_watch_expect_end();
    if (!bn_remote.control)
        transport->abort(status);
    bn_remote_end(status);
}

static void report_own_death(int thread)
{
    bn_report_own_death(thread, bn_runtime_describe_address);
}

/* ---- Number of threads ---- */

/* The user's wish; null if there is none.  A variable does not count if the program was compiled for a fixed number. */
static const struct bn_option_value *users_wish(void)
{
    const struct bn_option_value *wish = &job_start.options.values[BN_OPTION_THREADS];
    bool counts = wish->source == BN_OPTION_FROM_SWITCH ||
                  (wish->source == BN_OPTION_FROM_ENVIRONMENT && job_start.static_threads == 0);
    return counts ? wish : NULL;
}

/* The number that the user or the compiler has fixed; 0: neither has */
static int wished_threads(void)
{
    const struct bn_option_value *wish = users_wish();
    return wish ? (int)wish->number : job_start.static_threads;
}

/* The number of threads per process: the given one, or as many as are needed for the threads of the job, else one. */
static int decide_threads_each(int threads_each)
{
    int wished = wished_threads();
    int processes = transport->launched_count();
    if (threads_each > 0)
        return threads_each;
    return wished > 0 && processes > 0 ? (wished + processes - 1) / processes : 1;
}

static bn_status_t refuse_count(int processes)
{
    const struct bn_option_value *wish = users_wish();
    int static_threads = job_start.static_threads;
    int each = job_start.threads_each;
    char started[64];
    if (each == 1)
        snprintf(started, sizeof started, "%d", processes);
    else
        snprintf(started, sizeof started, "%d processes of %d threads", processes, each);
    if (wish && static_threads > 0 && wish->number != static_threads)
        bn_log_error("%s asks for %s threads, but %s was compiled for %d; start %d, or compile without -T",
                     wish->source_name, wish->text, bn_start_source_with_count(static_threads), static_threads,
                     static_threads);
    else if (wish)
        bn_log_error("%s asks for %s threads, but the launcher has started %s", wish->source_name, wish->text, started);
    else
        bn_log_error("%s threads were started, but %s was compiled for %d; start %d, or compile without -T", started,
                     bn_start_source_with_count(static_threads), static_threads, static_threads);
    return BN_ERR_MISMATCH;
}

static bn_status_t check_count(int processes, int count)
{
    int launched = transport->launched_count();
    int static_threads = job_start.static_threads;
    if (launched > 0 && launched != processes) {
        bn_log_error("%d processes were started together, but OpenSHMEM knows of %d: it does not understand this "
                     "launcher; use that of its own library (oshrun), or with Slurm srun --mpi=pmix",
                     launched, processes);
        return BN_ERR_MISMATCH;
    }
    if (count > BN_REMOTE_THREADS) {
        bn_log_error("%d threads were started; at most %d are possible", count, BN_REMOTE_THREADS);
        return BN_ERR_LIMIT;
    }
    int wished = wished_threads();
    if ((wished > 0 && wished != count) || (static_threads > 0 && static_threads != count))
        return refuse_count(processes);
    return BN_OK;
}

/* Warns of options that only the monitor on a single machine implements, and of others without effect. */
static void warn_of_options(const struct bn_options *options)
{
    static const enum bn_option_id ids[] = {BN_OPTION_BIND, BN_OPTION_TIMEOUT, BN_OPTION_LABEL};
    for (size_t i = 0; i < sizeof ids / sizeof ids[0]; i++) {
        const struct bn_option_value *value = &options->values[ids[i]];
        if (value->source != BN_OPTION_FROM_DEFAULT)
            bn_log_warning("%s has no effect with -network=shmem: threads are watched by the launcher, which has a "
                           "switch of its own for this",
                           value->source_name);
    }
    bn_start_warn_of_fixed_count(&options->values[BN_OPTION_THREADS], job_start.static_threads);
    const struct bn_option_value *arbiter = &options->values[BN_OPTION_ARBITER];
    if (bn_launch_forks_each && arbiter->source != BN_OPTION_FROM_DEFAULT)
        bn_log_warning("%s has no effect: this program was compiled without -pthreads; each thread is a process",
                       arbiter->source_name);
    const struct bn_option_value *pages = &options->values[BN_OPTION_HUGE_PAGES];
    if (pages->source != BN_OPTION_FROM_DEFAULT)
        bn_log_warning("%s has no effect with -network=shmem: the shared memory is the OpenSHMEM library's",
                       pages->source_name);
}

/* ---- Start ---- */

/* Makes the default size fit the memory that upcrun has found on the only machine of the job.  All processes must come
 * to the same size, so they cannot look for themselves. */
static uint64_t fit_heap(uint64_t room_bytes, uint64_t static_bytes)
{
    static const uint64_t unit_bytes = UINT64_C(1) << 20;
    uint64_t other_bytes = bn_remote_bytes(static_bytes, 0);
    bool is_one_machine = transport->local_count() == transport->launched_count();
    if (!is_one_machine || room_bytes < other_bytes + 2 * unit_bytes)
        return default_heap_bytes; /* which is refused if it is too much */
    uint64_t fitting_bytes = (room_bytes - other_bytes) / 2 / unit_bytes * unit_bytes;
    return fitting_bytes < default_heap_bytes ? fitting_bytes : default_heap_bytes;
}

/* What concerns only this process, before it is connected to others */
static bn_status_t prepare(struct bn_options *options, int *argc, char **argv, int *static_threads_p,
                           uint64_t *static_bytes_p)
{
    bn_status_t status = bn_start_read_options(options, argc, argv);
    if (status == BN_OK)
        status = bn_profile_check_options();
    if (status == BN_OK)
        status = bn_units_check(bn_units(), static_threads_p);
    if (status != BN_OK)
        return status;
    if (options->values[BN_OPTION_INFO].number)
        _exit(bn_start_print_info(argv[0], "shmem", *static_threads_p, 0));
    if (transport->launched_rank() < 0) {
        bn_log_error(
            "%s was compiled with -network=shmem: its threads are started by upcrun -n N %s, or by oshrun, mpirun or "
            "srun",
            argv[0], argv[0]);
        return BN_ERR_INVALID;
    }
    const char *why_unconnected = transport->why_unconnected();
    if (why_unconnected) {
        if (transport->launched_rank() == 0)
            bn_log_error("%s", why_unconnected);
        return BN_ERR_INVALID;
    }
    uint64_t wanted_bytes = (uint64_t)options->values[BN_OPTION_SHARED_HEAP].number;
    job_start.heap_bytes = wanted_bytes == 0 ? default_heap_bytes : wanted_bytes;
    status = bn_remote_runtime_prepare(bn_units(), job_start.heap_bytes, static_bytes_p);
    if (status == BN_OK && wanted_bytes == 0)
        job_start.heap_bytes = fit_heap((uint64_t)options->values[BN_OPTION_ROOM].number, *static_bytes_p);
    return status;
}

/* Checks for enough memory, because UCX does not: it fills /dev/shm, and with it the memory of the node, before it
 * gives up. */
static bn_status_t check_memory(uint64_t needed_bytes)
{
    static const uint64_t megabyte = UINT64_C(1) << 20;
    uint64_t threads = (uint64_t)transport->local_count() * (uint64_t)job_start.threads_each;
    uint64_t available = bn_memory_available_bytes("") / threads;
    char needed_text[32], available_text[32], host[256] = "this node";
    if (needed_bytes <= available)
        return BN_OK;
    if (transport->local_rank() > 0)
        sleep(5); /* the first process says it, and so ends the others before that */
    gethostname(host, sizeof host - 1);
    bn_format_bytes((needed_bytes + megabyte - 1) / megabyte * megabyte, needed_text, sizeof needed_text);
    bn_format_bytes(available / megabyte * megabyte, available_text, sizeof available_text);
    bn_log_error(
        "the shared memory of a thread (static data and two heaps) takes %s, but %s are available for each on %s; "
        "make it smaller with -shared-heap or BANYAN_SHARED_HEAP",
        needed_text, available_text, host);
    return BN_ERR_MEMORY;
}

/* Warns if the working folder cannot be entered: Open MPI's launcher then silently changes to the user's home. */
static void warn_of_folder(void)
{
    const char *folder = job_start.options.values[BN_OPTION_FOLDER].text;
    char host[256] = "?";
    if (!folder || access(folder, X_OK) == 0)
        return;
    int error = errno;
    char *present = getcwd(NULL, 0);
    gethostname(host, sizeof host - 1);
    bn_log_warning("host %s cannot enter the folder %s: %s; its threads run in %s", host, folder, strerror(error),
                   present ? present : "another one");
    free(present);
}

/* upcrun waits for this line, and does not pass it on. */
static void tell_launcher(void)
{
    static const char line[] = BN_BEGUN_LINE;
    (void)!write(STDERR_FILENO, line, sizeof line - 1);
}

/* The transport that the threads of this process use: the process's endpoint, or their share of it */
static const struct bn_transport *open_endpoint(void)
{
    const struct bn_arbiter_place place = {
        .core_count = bn_cpus_usable_count(),
        .processes = transport->local_count(),
        .wait = (enum bn_wait_choice)bn_option_number(BN_OPTION_WAIT),
    };
    if (bn_launch_forks_each)
        return transport;
    enum bn_arbiter_policy policy = (enum bn_arbiter_policy)bn_option_number(BN_OPTION_ARBITER);
    return bn_endpoint_open(transport, job_start.threads_each, policy, &place);
}

static void join_endpoint(void)
{
    if (!bn_launch_forks_each && !bn_endpoint_join())
        bn_upc_fatal("runtime", "no memory for the thread's part of the network");
}

static bn_status_t begin(void)
{
    int rank, processes;
    int each = job_start.threads_each;
    uint64_t heap_bytes = job_start.heap_bytes;
    uint64_t needed_bytes = bn_remote_bytes(job_start.static_bytes, heap_bytes);
    if (check_memory(needed_bytes) != BN_OK) {
        bn_watch_expect_end();
        transport->give_up(EXIT_FAILURE);
    }
    transport->start(needed_bytes * (uint64_t)each, each > 1, &rank, &processes);
    int wished = wished_threads();
    bool is_possible = wished > 0 && (wished + each - 1) / each == processes;
    int count = is_possible ? wished : processes * each; /* if not possible, the first process refuses the count */
    if (rank == 0) {
        bn_status_t status = check_count(processes, count);
        if (status != BN_OK)
            return status;
        warn_of_options(&job_start.options);
    }
    transport->barrier();
    bn_status_t status = bn_job_create(count);
    if (status != BN_OK)
        return status;
    struct bn_launch_threads own = {rank * each, rank * each + each < count ? rank * each + each : count};
    job_start.own = own;
    bn_job_attach(own.first);
    bn_log_set_thread(own.first);
    bn_job_end_by(claim_end, end_job);
    const struct bn_transport *endpoint = open_endpoint();
    join_endpoint();
    return bn_remote_runtime_create(endpoint, bn_units(), own, count, bn_cpus_usable_count(), job_start.static_bytes,
                                    heap_bytes);
}

void bn_launch_prepare(int *argc, char **argv)
{
    if (prepare(&job_start.options, argc, argv, &job_start.static_threads, &job_start.static_bytes) != BN_OK)
        _exit(EXIT_FAILURE);
}

struct bn_launch_threads bn_launch_processes(int threads_each)
{
    int each = decide_threads_each(threads_each);
    int first = transport->launched_rank() * each;
    job_start.threads_each = each;
    bn_watch_start(first, first + each, job_start.options.values[BN_OPTION_LAUNCHED].text != NULL);
    transport->leave_signals();
    bn_crash_install(report_own_death);
    if (begin() != BN_OK)
        end_job(EXIT_FAILURE);
    on_exit(end_forked, NULL);
    return job_start.own;
}

void bn_launch_become(int thread)
{
    bn_job_attach(thread);
    bn_log_set_thread(thread);
    join_endpoint();
    bn_slice_shorten();
    bn_runtime_attach(thread);
    if (thread == 0 && job_start.options.values[BN_OPTION_LAUNCHED].text)
        tell_launcher();
    if (bn_nodes_is_leader())
        warn_of_folder();
    if (bn_option_number(BN_OPTION_FREEZE))
        bn_start_wait_for_debugger();
}

void bn_launch_meet(void)
{
    bn_runtime_barrier();
    bn_profile_begin();
    if (bn_launch_forks_each)
        bn_last_task_expect();
}
