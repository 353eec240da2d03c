/*
 * start.c: from the start of a process that a launcher of OpenSHMEM has made to the program's main, and from its end to
 * the end of the process (docs/design/009-clusters.md).  The process is a thread; who watches over it is the launcher.
 */
#include "upc/start/start.h"

#include "base/log.h"
#include "base/options.h"
#include "base/parse.h"
#include "boot/crash.h"
#include "boot/job.h"
#include "boot/note.h"
#include "boot/report.h"
#include "platform/cpus.h"
#include "platform/memory.h"
#include "upc/remote/far.h"
#include "upc/remote/runtime.h"
#include "upc/remote/watch.h"
#include "upc/start/launch.h"
#include "upc/start/start_options.h"
#include "upc/start/units.h"

#include "pgas/remote/remote.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* How upcrun tells a Banyan program from others */
__attribute__((section(BN_NOTE_SECTION), used, aligned(4))) static const struct bn_note note = {
    .name_bytes = sizeof BN_NOTE_NAME,
    .content_bytes = sizeof(struct bn_note_content),
    .type = BN_NOTE_TYPE,
    .name = BN_NOTE_NAME,
    .content = {.abi = BN_ABI_NUMBER, .network = BN_NETWORK_SHMEM},
};

static const struct bn_transport *const transport = &bn_transport_shmem;

/* Room for each of the two heaps of a thread, where nobody says how much: half of OpenSHMEM's usual symmetric heap */
static const uint64_t default_heap_bytes = UINT64_C(128) << 20;

/* Registered before main, so it runs after all functions that the program gives to atexit. */
static void leave_thread(void)
{
    if (bn_job_thread() < 0)
        return; /* a process that the thread has forked */
    fflush(NULL);
    bn_runtime_finish();
    bn_far_report();
    bn_job_finish();
    transport->finish();
    bn_watch_expect_end();
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
    static char text[BN_REPORT_BYTES];
    bn_report_signal(text, sizeof text, thread, getpid(), bn_job()->threads[thread].crash.signal,
                     bn_runtime_describe_address);
    (void)!write(STDERR_FILENO, text, strlen(text));
}

/* ---- How many ---- */

static bn_status_t check_count(const struct bn_options *options, int static_threads, int count)
{
    const struct bn_option_value *wish = &options->values[BN_OPTION_THREADS];
    int launched = transport->launched_count();
    if (launched > 0 && launched != count) {
        bn_log_error("%d processes were started together, but OpenSHMEM knows of %d: it does not understand this "
                     "launcher; use that of its own library (oshrun), or with Slurm srun --mpi=pmix",
                     launched, count);
        return BN_ERR_MISMATCH;
    }
    if (count > BN_REMOTE_THREADS) {
        bn_log_error("%d threads were started; %d are the most", count, BN_REMOTE_THREADS);
        return BN_ERR_LIMIT;
    }
    if (static_threads > 0 && static_threads != count) {
        bn_log_error("%d threads were started, but %s was compiled for %d; start %d, or compile without -T", count,
                     bn_start_source_with_count(static_threads), static_threads, static_threads);
        return BN_ERR_MISMATCH;
    }
    if (wish->source != BN_OPTION_FROM_DEFAULT && wish->number != count) {
        bn_log_error("%s asks for %s threads, but the launcher has started %d", wish->source_name, wish->text, count);
        return BN_ERR_MISMATCH;
    }
    return BN_OK;
}

const bool bn_launch_forks_each = true;

/* What only the monitor of one machine does */
static void warn_of_options(const struct bn_options *options)
{
    static const enum bn_option_id ids[] = {BN_OPTION_BIND, BN_OPTION_TIMEOUT, BN_OPTION_LABEL, BN_OPTION_PTHREADS};
    for (size_t i = 0; i < sizeof ids / sizeof ids[0]; i++) {
        const struct bn_option_value *value = &options->values[ids[i]];
        if (value->source != BN_OPTION_FROM_DEFAULT)
            bn_log_warning("%s has no effect with -network=shmem: threads are watched by the launcher, which has a "
                           "switch of its own for this",
                           value->source_name);
    }
    const struct bn_option_value *pages = &options->values[BN_OPTION_HUGE_PAGES];
    if (pages->source != BN_OPTION_FROM_DEFAULT)
        bn_log_warning("%s has no effect with -network=shmem: the shared memory is the OpenSHMEM library's",
                       pages->source_name);
}

/* ---- Start ---- */

static uint64_t heap_bytes_of(const struct bn_options *options)
{
    uint64_t wanted_bytes = (uint64_t)options->values[BN_OPTION_SHARED_HEAP].number;
    return wanted_bytes == 0 ? default_heap_bytes : wanted_bytes;
}

/* What concerns this process alone, before it knows of others */
static bn_status_t prepare(struct bn_options *options, int *argc, char **argv, int *static_threads_p,
                           uint64_t *static_bytes_p)
{
    bn_status_t status = bn_start_read_options(options, argc, argv);
    if (status == BN_OK)
        status = bn_units_check(bn_units(), static_threads_p);
    if (status != BN_OK)
        return status;
    if (options->values[BN_OPTION_INFO].number) {
        bn_start_print_info(argv[0], "shmem", *static_threads_p, 0);
        _exit(EXIT_SUCCESS);
    }
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
    return bn_remote_runtime_prepare(bn_units(), heap_bytes_of(options), static_bytes_p);
}

/* UCX would go on: it fills /dev/shm, and with it the memory of the node, before it gives up. */
static bn_status_t check_memory(uint64_t needed_bytes)
{
    uint64_t available = bn_memory_available_bytes("") / (uint64_t)transport->local_count();
    char needed_text[32], available_text[32], host[256] = "this node";
    if (needed_bytes <= available)
        return BN_OK;
    gethostname(host, sizeof host - 1);
    bn_format_bytes(needed_bytes >> 20 << 20, needed_text, sizeof needed_text);
    bn_format_bytes(available >> 20 << 20, available_text, sizeof available_text);
    bn_log_error("the shared memory of a thread takes %s, static data and two heaps, and %s are there for each on %s; "
                 "make it smaller with -shared-heap or BANYAN_SHARED_HEAP",
                 needed_text, available_text, host);
    return BN_ERR_MEMORY;
}

/* upcrun waits for this line, and does not pass it on. */
static void tell_launcher(void)
{
    static const char line[] = BN_BEGUN_LINE;
    (void)!write(STDERR_FILENO, line, sizeof line - 1);
}

static bn_status_t begin(const struct bn_options *options, int static_threads, uint64_t static_bytes)
{
    int thread, count;
    uint64_t heap_bytes = heap_bytes_of(options);
    uint64_t needed_bytes = bn_remote_bytes(static_bytes, heap_bytes);
    if (check_memory(needed_bytes) != BN_OK) {
        bn_watch_expect_end();
        transport->give_up(EXIT_FAILURE);
    }
    transport->start(needed_bytes, &thread, &count);
    if (thread == 0) {
        bn_status_t status = check_count(options, static_threads, count);
        if (status != BN_OK)
            return status;
        warn_of_options(options);
    }
    transport->barrier();
    bn_status_t status = bn_job_create(count);
    if (status != BN_OK)
        return status;
    bn_job_attach(thread);
    bn_log_set_thread(thread);
    bn_job_end_by(claim_end, end_job);
    status = bn_remote_runtime_create(transport, bn_units(), thread, count, bn_cpus_usable_count(), static_bytes,
                                      heap_bytes);
    if (status != BN_OK)
        return status;
    bn_runtime_attach(thread);
    if (thread == 0 && options->values[BN_OPTION_LAUNCHED].text)
        tell_launcher();
    return BN_OK;
}

bool bn_upc_is_started(void)
{
    return bn_job() != NULL;
}

void bn_upc_start(int *argc, char **argv)
{
    struct bn_options options;
    int static_threads;
    uint64_t static_bytes;
    if (prepare(&options, argc, argv, &static_threads, &static_bytes) != BN_OK)
        _exit(EXIT_FAILURE);
    bn_watch_start(transport->launched_rank());
    transport->leave_signals();
    bn_crash_install(report_own_death);
    if (begin(&options, static_threads, static_bytes) != BN_OK)
        end_job(EXIT_FAILURE);
    atexit(leave_thread);
    if (bn_option_number(BN_OPTION_FREEZE))
        bn_start_wait_for_debugger();
    bn_units_initialise(bn_units());
    bn_runtime_barrier();
}
