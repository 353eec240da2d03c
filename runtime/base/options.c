#include "base/options.h"

#include "base/log.h"
#include "base/parse.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* clang-format off */
static const struct bn_option table[BN_OPTION_COUNT] = {
    [BN_OPTION_THREADS] = {
        .name = "BANYAN_THREADS",
        .alias = "UPC_THREADS",
        .flag = "-n",
        .type = BN_OPTION_IS_INT,
        .min = 1,
        .max = BN_THREAD_MAX,
        .fallback_text = "the number the program was compiled for, or the number of usable cores",
        .help = "Number of UPC threads",
    },
    [BN_OPTION_SHARED_HEAP] = {
        .name = "BANYAN_SHARED_HEAP",
        .alias = "UPC_SHARED_HEAP_SIZE",
        .flag = "-shared-heap",
        .type = BN_OPTION_IS_BYTES,
        .min = 1,
        .max = INT64_C(1) << 36,
        .fallback_text = "grows on demand, up to the memory that is really available",
        .help = "Limit of shared memory per thread; a bare number counts MB, K M G T may follow",
    },
    [BN_OPTION_HUGE_PAGES] = {
        .name = "BANYAN_HUGE_PAGES",
        .type = BN_OPTION_IS_CHOICE,
        .choices = "no|heap|all",
        .fallback = BN_HUGE_CHOICE_HEAP,
        .fallback_text = "heap",
        .help = "Shared memory that requests pages of 2 MiB: large blocks of the heap, or static data as well",
    },
    [BN_OPTION_BIND] = {
        .name = "BANYAN_BIND",
        .flag = "-bind",
        .type = BN_OPTION_IS_CHOICE,
        .choices = "auto|none|core|numa",
        .fallback = BN_BIND_AUTO,
        .fallback_text = "auto: core if each thread has one, or all cores get equally many; else none",
        .help = "Where threads may run: anywhere, each on a core, each in a memory region",
    },
    [BN_OPTION_WAIT] = {
        .name = "BANYAN_WAIT",
        .type = BN_OPTION_IS_CHOICE,
        .choices = "auto|spin|yield|sleep",
        .fallback = BN_WAIT_AUTO,
        .fallback_text = "auto: from the number of threads and usable cores",
        .help = "How a thread waits: it spins (which takes a core each), yields to others, or sleeps",
    },
    [BN_OPTION_TIMEOUT] = {
        .name = "BANYAN_TIMEOUT",
        .flag = "-timeout",
        .type = BN_OPTION_IS_SECONDS,
        .min = 1,
        .max = INT64_MAX / 4,
        .fallback_text = "none",
        .help = "End the job after this many seconds, with status 124; s m h d may follow",
    },
    [BN_OPTION_LABEL] = {
        .name = "BANYAN_LABEL",
        .flag = "-label",
        .type = BN_OPTION_IS_BOOL,
        .fallback_text = "no",
        .help = "Prefix each line of output with the number of the thread",
    },
    [BN_OPTION_PTHREADS] = {
        .name = "BANYAN_PTHREADS",
        .alias = "UPC_PTHREADS_PER_PROC",
        .flag = "-pthreads",
        .type = BN_OPTION_IS_INT,
        .min = 1,
        .max = BN_THREAD_MAX,
        .fallback_text = "as compiled: upcc -pthreads=N, or all",
        .help = "How many threads share a process, in programs compiled with upcc -pthreads",
    },
    [BN_OPTION_ARBITER] = {
        .name = "BANYAN_ARBITER",
        .type = BN_OPTION_IS_CHOICE,
        .choices = "priority|ticket|mutex|cohort",
        .fallback_text = "priority: threads with new communication before those that poll for progress",
        .help = "The order in which threads that share a process enter the network",
    },
    [BN_OPTION_FREEZE] = {
        .name = "BANYAN_FREEZE",
        .alias = "GASNET_FREEZE",
        .flag = "-freeze",
        .type = BN_OPTION_IS_BOOL,
        .fallback_text = "no",
        .help = "Each thread waits when it starts until a debugger is attached to it",
    },
    [BN_OPTION_BACKTRACE] = {
        .name = "BANYAN_BACKTRACE",
        .alias = "UPC_BACKTRACE",
        .second_alias = "GASNET_BACKTRACE",
        .flag = "-backtrace",
        .type = BN_OPTION_IS_BOOL,
        .fallback_text = "no",
        .help = "Show a backtrace if a thread crashes",
    },
    [BN_OPTION_BARRIER_MISMATCH_WARNS] = {
        .name = "BANYAN_BARRIER_MISMATCH_WARNS",
        .alias = "UPC_BARRIER_MISMATCH_WARNS",
        .type = BN_OPTION_IS_BOOL,
        .fallback_text = "no",
        .help = "A mismatch of barrier values is a warning, not an error",
    },
    [BN_OPTION_PROFILE] = {
        .name = "BANYAN_PROFILE",
        .flag = "-profile",
        .type = BN_OPTION_IS_TEXT,
        .fallback_text = "none",
        .help = "At the end of a UPC program, report how its threads communicated: 1, a table; FILE; FILE.json",
    },
    [BN_OPTION_TRACE] = {
        .name = "BANYAN_TRACE",
        .flag = "-trace",
        .type = BN_OPTION_IS_TEXT,
        .fallback_text = "none",
        .help = "Write a trace of the threads of a UPC program: perfetto[:FILE], for ui.perfetto.dev, otf2[:FOLDER]",
    },
    [BN_OPTION_TRACE_ROOM] = {
        .name = "BANYAN_TRACE_ROOM",
        .type = BN_OPTION_IS_BYTES,
        .min = 32,
        .max = INT64_C(1) << 36,
        .fallback = INT64_C(1) << 20,
        .fallback_text = "1M: 32,768 events",
        .help = "Memory of each thread for the events of a trace, of 32 bytes each; a bare number counts MB",
    },
    [BN_OPTION_ADOPT] = {
        .name = "BANYAN_ADOPT",
        .type = BN_OPTION_IS_BYTES,
        .min = 0,
        .max = INT64_C(1) << 36,
        .fallback = INT64_C(256) << 20,
        .fallback_text = "256M, but at most a quarter of the memory that is available to all members",
        .help = "Memory of a process for tensors of PyTorch that all members of a team can map; 0: none",
    },
#define COLL_OPTION(NAME, what)                                                                                        \
    {                                                                                                                  \
        .name = "BANYAN_COLL_" NAME, .type = BN_OPTION_IS_TEXT, .fallback_text = "chosen by rules",                    \
        .help = "Algorithm of " what " in all calls; a wrong name makes the program list the valid ones",              \
    }
    [BN_OPTION_COLL_BROADCAST] = COLL_OPTION("BROADCAST", "upc_all_broadcast"),
    [BN_OPTION_COLL_SCATTER] = COLL_OPTION("SCATTER", "upc_all_scatter"),
    [BN_OPTION_COLL_GATHER] = COLL_OPTION("GATHER", "upc_all_gather"),
    [BN_OPTION_COLL_GATHER_ALL] = COLL_OPTION("GATHER_ALL", "upc_all_gather_all"),
    [BN_OPTION_COLL_EXCHANGE] = COLL_OPTION("EXCHANGE", "upc_all_exchange"),
    [BN_OPTION_COLL_PERMUTE] = COLL_OPTION("PERMUTE", "upc_all_permute"),
    [BN_OPTION_COLL_REDUCE] = COLL_OPTION("REDUCE", "upc_all_reduce"),
    [BN_OPTION_COLL_REDUCE_ALL] = COLL_OPTION("REDUCE_ALL", "bupc_all_reduce_all"),
    [BN_OPTION_COLL_PREFIX] = COLL_OPTION("PREFIX", "upc_all_prefix_reduce"),
    [BN_OPTION_COLL_BARRIER] = COLL_OPTION("BARRIER", "upc_barrier"),
    [BN_OPTION_COLL_SCATTER_V] = COLL_OPTION("SCATTER_V", "MPI_Scatterv"),
    [BN_OPTION_COLL_GATHER_V] = COLL_OPTION("GATHER_V", "MPI_Gatherv"),
    [BN_OPTION_COLL_GATHER_ALL_V] = COLL_OPTION("GATHER_ALL_V", "MPI_Allgatherv"),
    [BN_OPTION_COLL_EXCHANGE_V] = COLL_OPTION("EXCHANGE_V", "MPI_Alltoallv and MPI_Alltoallw"),
    [BN_OPTION_COLL_COMBINE] = COLL_OPTION("COMBINE", "MPI_Reduce"),
    [BN_OPTION_COLL_COMBINE_ALL] = COLL_OPTION("COMBINE_ALL", "MPI_Allreduce"),
    [BN_OPTION_COLL_COMBINE_SCATTER] = COLL_OPTION("COMBINE_SCATTER", "MPI_Reduce_scatter"),
    [BN_OPTION_COLL_COMBINE_PREFIX] = COLL_OPTION("COMBINE_PREFIX", "MPI_Scan"),
    [BN_OPTION_COLL_TABLE] = {
        .name = "BANYAN_COLL_TABLE",
        .type = BN_OPTION_IS_TEXT,
        .fallback_text = "~/.config/banyan/collectives.json, if it exists",
        .help = "Rules for collectives that banyan-tune has written; none: the built-in ones",
    },
    [BN_OPTION_COLL_CHUNK] = {
        .name = "BANYAN_COLL_CHUNK",
        .type = BN_OPTION_IS_BYTES,
        .min = 1,
        .max = INT64_C(1) << 36,
        .fallback = 32 << 10,
        .fallback_text = "32K",
        .help = "Chunk size of collectives that work in chunks; a bare number counts MB, K M G may follow",
    },
    [BN_OPTION_COLL_HALVES] = {
        .name = "BANYAN_COLL_HALVES",
        .type = BN_OPTION_IS_BYTES,
        .min = 1,
        .max = INT64_C(1) << 36,
        .fallback = 8 << 10,
        .fallback_text = "8K",
        .help = "Smallest message that is split in two, in collectives that work in halves; a bare number counts MB",
    },
    [BN_OPTION_COLL_PREFIX_BLOCKS] = {
        .name = "BANYAN_COLL_PREFIX_BLOCKS",
        .type = BN_OPTION_IS_BYTES,
        .min = 1,
        .max = INT64_C(1) << 36,
        .fallback = 32 << 10,
        .fallback_text = "32K",
        .help = "Smallest block size of arrays whose prefix reduction is computed block by block, each by its "
                "owner; in MB unless a unit follows",
    },
    [BN_OPTION_COLL_TREES] = {
        .name = "BANYAN_COLL_TREES",
        .type = BN_OPTION_IS_INT,
        .max = BN_THREAD_MAX,
        .fallback = 64,
        .fallback_text = "64",
        .help = "With up to this many threads, collectives have a tree for each root; with more, one for all",
    },
    [BN_OPTION_COLL_TOKENS] = {
        .name = "BANYAN_COLL_TOKENS",
        .type = BN_OPTION_IS_INT,
        .min = 1,
        .max = BN_THREAD_MAX,
        .fallback = 2,
        .fallback_text = "2",
        .help = "How many threads copy at a time in collectives that use a ring",
    },
#undef COLL_OPTION
    [BN_OPTION_FAR_STATS] = {
        .name = "BANYAN_FAR_STATS",
        .type = BN_OPTION_IS_BOOL,
        .fallback_text = "no",
        .help = "Each thread reports at its end how many messages it has exchanged with other nodes (-network=shmem)",
    },
#define MPI_OPTION(NAME, what, usual)                                                                                  \
    {                                                                                                                  \
        .name = NAME, .type = BN_OPTION_IS_CHOICE, .choices = "learn|on|off", .fallback_text = usual,                  \
        .help = "Who carries out " what " of MPI programs: learn, the faster one; on, Banyan; off, the MPI library",   \
    }
    [BN_OPTION_MPI] = MPI_OPTION("BANYAN_MPI", "collective operations", "learn"),
    [BN_OPTION_MPI_BARRIER] = MPI_OPTION("BANYAN_MPI_BARRIER", "MPI_Barrier", "as BANYAN_MPI"),
    [BN_OPTION_MPI_BCAST] = MPI_OPTION("BANYAN_MPI_BCAST", "MPI_Bcast", "as BANYAN_MPI"),
    [BN_OPTION_MPI_SCATTER] = MPI_OPTION("BANYAN_MPI_SCATTER", "MPI_Scatter", "as BANYAN_MPI"),
    [BN_OPTION_MPI_SCATTERV] = MPI_OPTION("BANYAN_MPI_SCATTERV", "MPI_Scatterv", "as BANYAN_MPI"),
    [BN_OPTION_MPI_GATHER] = MPI_OPTION("BANYAN_MPI_GATHER", "MPI_Gather", "as BANYAN_MPI"),
    [BN_OPTION_MPI_GATHERV] = MPI_OPTION("BANYAN_MPI_GATHERV", "MPI_Gatherv", "as BANYAN_MPI"),
    [BN_OPTION_MPI_ALLGATHER] = MPI_OPTION("BANYAN_MPI_ALLGATHER", "MPI_Allgather", "as BANYAN_MPI"),
    [BN_OPTION_MPI_ALLGATHERV] = MPI_OPTION("BANYAN_MPI_ALLGATHERV", "MPI_Allgatherv", "as BANYAN_MPI"),
    [BN_OPTION_MPI_ALLTOALL] = MPI_OPTION("BANYAN_MPI_ALLTOALL", "MPI_Alltoall", "as BANYAN_MPI"),
    [BN_OPTION_MPI_ALLTOALLV] = MPI_OPTION("BANYAN_MPI_ALLTOALLV", "MPI_Alltoallv", "as BANYAN_MPI"),
    [BN_OPTION_MPI_ALLTOALLW] = MPI_OPTION("BANYAN_MPI_ALLTOALLW", "MPI_Alltoallw", "as BANYAN_MPI"),
    [BN_OPTION_MPI_REDUCE] = MPI_OPTION("BANYAN_MPI_REDUCE", "MPI_Reduce", "as BANYAN_MPI"),
    [BN_OPTION_MPI_ALLREDUCE] = MPI_OPTION("BANYAN_MPI_ALLREDUCE", "MPI_Allreduce", "as BANYAN_MPI"),
    [BN_OPTION_MPI_REDUCE_SCATTER] = MPI_OPTION("BANYAN_MPI_REDUCE_SCATTER", "MPI_Reduce_scatter", "as BANYAN_MPI"),
    [BN_OPTION_MPI_REDUCE_SCATTER_BLOCK] = MPI_OPTION("BANYAN_MPI_REDUCE_SCATTER_BLOCK",
                                                           "MPI_Reduce_scatter_block", "as BANYAN_MPI"),
    [BN_OPTION_MPI_SCAN] = MPI_OPTION("BANYAN_MPI_SCAN", "MPI_Scan", "as BANYAN_MPI"),
    [BN_OPTION_MPI_EXSCAN] = MPI_OPTION("BANYAN_MPI_EXSCAN", "MPI_Exscan", "as BANYAN_MPI"),
#undef MPI_OPTION
    [BN_OPTION_MPI_REPORT] = {
        .name = "BANYAN_MPI_REPORT",
        .type = BN_OPTION_IS_TEXT,
        .fallback_text = "none",
        .help = "At the end of an MPI program, report on its collective operations: 1, a table; json:FILE",
    },
    [BN_OPTION_MPI_TABLE] = {
        .name = "BANYAN_MPI_TABLE",
        .type = BN_OPTION_IS_TEXT,
        .fallback_text = "none",
        .help = "File in which MPI programs keep whether Banyan or the MPI library is faster at which operations",
    },
    /* In most MPI libraries, messages of 64 KiB and more wait for a reply (rendezvous). */
    [BN_OPTION_MPI_FRAGMENT] = {
        .name = "BANYAN_MPI_FRAGMENT",
        .type = BN_OPTION_IS_BYTES,
        .min = 64,
        .max = INT64_C(1) << 30,
        .fallback = 48 << 10,
        .fallback_text = "8K to 48K, by the network",
        .help = "Size of the pieces in which MPI programs send large data between machines; a bare number counts MB",
    },
    [BN_OPTION_MPI_LEADERS] = {
        .name = "BANYAN_MPI_LEADERS",
        .type = BN_OPTION_IS_CHOICE,
        .choices = "machine|socket|region|learn",
        .fallback = BN_LEADERS_LEARN,
        .fallback_text = "learn",
        .help = "Whether one process communicates with other machines per machine, socket or region; learn: the faster",
    },
    [BN_OPTION_MPI_BETWEEN] = {
        .name = "BANYAN_MPI_BETWEEN",
        .type = BN_OPTION_IS_CHOICE,
        .choices = "learn|messages|collectives",
        .fallback_text = "learn",
        .help = "What the MPI library provides for collective operations between machines; learn: the faster",
    },
    [BN_OPTION_MPI_SWITCHES] = {
        .name = "BANYAN_MPI_SWITCHES",
        .type = BN_OPTION_IS_TEXT,
        .fallback_text = "as SLURM reports",
        .help = "File that says which machines are at which switch, like SLURM's topology.conf",
    },
    [BN_OPTION_MPI_TIMELINE] = {
        .name = "BANYAN_MPI_TIMELINE",
        .type = BN_OPTION_IS_TEXT,
        .fallback_text = "none",
        .help = "FILE: process N of an MPI program writes FILE.N, a timeline of its operations between machines",
    },
    [BN_OPTION_MPI_THREADS] = {
        .name = "BANYAN_MPI_THREADS",
        .type = BN_OPTION_IS_CHOICE,
        .choices = "off|count|arbitrate|learn",
        .fallback_text = "off",
        .help = "Who decides which thread enters MPI: off, the library; count, the same, measured; arbitrate, Banyan; "
                "learn, whichever gets more done",
    },
    [BN_OPTION_MPI_ARBITER] = {
        .name = "BANYAN_MPI_ARBITER",
        .type = BN_OPTION_IS_CHOICE,
        .choices = "priority|ticket|mutex|cohort|driven",
        .fallback_text = "driven, or mutex if a process has fewer than two cores",
        .help = "Policy by which threads enter MPI, with BANYAN_MPI_THREADS=arbitrate or learn",
    },
    [BN_OPTION_MPI_PROGRESS] = {
        .name = "BANYAN_MPI_PROGRESS",
        .type = BN_OPTION_IS_BOOL,
        .fallback_text = "no",
        .help = "A thread drives MPI while the program computes, with BANYAN_MPI_THREADS=arbitrate or learn",
    },
    [BN_OPTION_MPI_WINDOWS] = {
        .name = "BANYAN_MPI_WINDOWS",
        .type = BN_OPTION_IS_CHOICE,
        .choices = "direct|library",
        .fallback_text = "direct",
        .help = "Who carries out transfers in windows on one machine, with BANYAN_MPI_THREADS=arbitrate or learn",
    },
    [BN_OPTION_MPI_THREADS_REPORT] = {
        .name = "BANYAN_MPI_THREADS_REPORT",
        .type = BN_OPTION_IS_TEXT,
        .fallback_text = "none",
        .help = "At the end of an MPI program, report how its threads entered MPI: 1, a table; json:FILE",
    },
    [BN_OPTION_TOPOLOGY] = {
        .name = "BANYAN_TOPOLOGY",
        .type = BN_OPTION_IS_TEXT,
        .fallback_text = "this machine",
        .help = "Machine to assume instead of this one: an XML file of lstopo, or hwloc's notation",
    },
    [BN_OPTION_VERBOSE] = {
        .name = "BANYAN_VERBOSE",
        .flag = "-v",
        .type = BN_OPTION_IS_BOOL,
        .fallback_text = "no",
        .help = "Report what the runtime decides",
    },
    [BN_OPTION_QUIET] = {
        .name = "BANYAN_QUIET",
        .alias = "UPC_QUIET",
        .second_alias = "UPC_NO_WARN",
        .flag = "-q",
        .type = BN_OPTION_IS_BOOL,
        .fallback_text = "no",
        .help = "No warnings, only errors",
    },
    [BN_OPTION_INFO] = {
        .name = "BANYAN_INFO",
        .flag = "-info",
        .type = BN_OPTION_IS_BOOL,
        .fallback_text = "no",
        .help = "The program describes itself and exits",
        .is_internal = true,
    },
    [BN_OPTION_TEAM] = {
        .name = "BANYAN_TEAM",
        .type = BN_OPTION_IS_TEXT,
        .fallback_text = "",
        .help = "The team that upcrun -team has started this process for",
        .is_internal = true,
    },
    [BN_OPTION_INTERFACE] = {
        .name = "BANYAN_INTERFACE",
        .type = BN_OPTION_IS_INT,
        .fallback_text = "",
        .help = "The kind of program that upcrun has looked at; those of other hosts are to be the same",
        .is_internal = true,
    },
    [BN_OPTION_ROOM] = {
        .name = "BANYAN_ROOM",
        .type = BN_OPTION_IS_BYTES,
        .min = 1,
        .max = INT64_C(1) << 50,
        .fallback_text = "",
        .help = "The memory that upcrun has found for the shared memory of each thread",
        .is_internal = true,
    },
    [BN_OPTION_FOLDER] = {
        .name = "BANYAN_FOLDER",
        .type = BN_OPTION_IS_TEXT,
        .fallback_text = "",
        .help = "The folder that upcrun was started in",
        .is_internal = true,
    },
    [BN_OPTION_LAUNCHED] = {
        .name = "BANYAN_LAUNCHED",
        .type = BN_OPTION_IS_TEXT,
        .fallback_text = "",
        .help = "The variables that upcrun has set; the program leaves its arguments alone",
        .is_internal = true,
    },
};
/* clang-format on */

static struct bn_options process_options;

const struct bn_option *bn_option_describe(enum bn_option_id id)
{
    return &table[id];
}

/* Describes the valid values, for messages */
static void describe_expected(const struct bn_option *option, char *text, size_t text_bytes)
{
    char max[24];
    switch (option->type) {
    case BN_OPTION_IS_INT:
        snprintf(text, text_bytes, "a number from %" PRId64 " to %" PRId64, option->min, option->max);
        break;
    case BN_OPTION_IS_BYTES:
        bn_format_bytes((uint64_t)option->max, max, sizeof max);
        snprintf(text, text_bytes, "a size up to %s, such as 64M or 2G", max);
        break;
    case BN_OPTION_IS_SECONDS: snprintf(text, text_bytes, "a time above 0, such as 30, 2.5s or 10m"); break;
    case BN_OPTION_IS_BOOL: snprintf(text, text_bytes, "yes or no"); break;
    case BN_OPTION_IS_CHOICE: snprintf(text, text_bytes, "one of %s", option->choices); break;
    case BN_OPTION_IS_TEXT: snprintf(text, text_bytes, "a text"); break;
    }
}

static bool parse_value(const struct bn_option *option, const char *text, int64_t *number_p)
{
    int64_t number = 0;
    uint64_t bytes;
    switch (option->type) {
    case BN_OPTION_IS_INT:
        if (!bn_parse_int(text, &number))
            return false;
        break;
    case BN_OPTION_IS_BYTES:
        if (!bn_parse_bytes(text, 1U << 20, &bytes) || bytes > INT64_MAX)
            return false;
        number = (int64_t)bytes;
        break;
    case BN_OPTION_IS_SECONDS:
        if (!bn_parse_seconds(text, &number))
            return false;
        break;
    case BN_OPTION_IS_BOOL:
        if (!bn_parse_bool(text, &number))
            return false;
        break;
    case BN_OPTION_IS_CHOICE:
        if (!bn_parse_choice(text, option->choices, &number))
            return false;
        break;
    case BN_OPTION_IS_TEXT: break;
    }
    if (option->max != 0 && (number < option->min || number > option->max))
        return false;
    *number_p = number;
    return true;
}

bn_status_t bn_options_set(struct bn_options *options, enum bn_option_id id, const char *text,
                           enum bn_option_source source, const char *source_name)
{
    const struct bn_option *option = &table[id];
    int64_t number;
    if (!parse_value(option, text, &number)) {
        char expected[160];
        describe_expected(option, expected, sizeof expected);
        bn_log_error("%s: \"%s\" is not %s", source_name, text, expected);
        return BN_ERR_INVALID;
    }
    options->values[id] =
        (struct bn_option_value){.number = number, .text = text, .source = source, .source_name = source_name};
    return BN_OK;
}

/* The value in "NAME=value", or null if entry is for another variable */
static const char *value_of(const char *entry, const char *name)
{
    size_t name_bytes = strlen(name);
    if (strncmp(entry, name, name_bytes) != 0 || entry[name_bytes] != '=')
        return NULL;
    return entry + name_bytes + 1;
}

/* Number of single-character edits between two names, for guessing which name was meant */
static unsigned edit_distance(const char *a, size_t a_bytes, const char *b)
{
    enum { MAX = 48 };
    unsigned row[MAX + 1];
    size_t b_bytes = strlen(b);
    if (a_bytes > MAX || b_bytes > MAX)
        return MAX;
    for (unsigned j = 0; j <= b_bytes; ++j)
        row[j] = j;
    for (size_t i = 1; i <= a_bytes; ++i) {
        unsigned diagonal = row[0];
        row[0] = (unsigned)i;
        for (size_t j = 1; j <= b_bytes; ++j) {
            unsigned replaced = diagonal + (a[i - 1] != b[j - 1]);
            unsigned shorter = row[j] < row[j - 1] ? row[j] + 1 : row[j - 1] + 1;
            diagonal = row[j];
            row[j] = replaced < shorter ? replaced : shorter;
        }
    }
    return row[b_bytes];
}

static void warn_about_unknown(const char *entry)
{
    size_t name_bytes = strcspn(entry, "=");
    const char *nearest = NULL;
    unsigned nearest_distance = 4;
    for (int id = 0; id < BN_OPTION_COUNT; ++id) {
        unsigned distance = table[id].is_internal ? nearest_distance : edit_distance(entry, name_bytes, table[id].name);
        if (distance < nearest_distance) {
            nearest_distance = distance;
            nearest = table[id].name;
        }
    }
    if (nearest)
        bn_log_warning("%.*s is set, but there is no such option; did you mean %s?", (int)name_bytes, entry, nearest);
    else
        bn_log_warning("%.*s is set, but there is no such option; see banyan-info --options", (int)name_bytes, entry);
}

/* Sets the option that a variable names, if any.  The option's own name takes precedence over an alias, whichever comes
 * first. */
static bn_status_t read_entry(struct bn_options *options, const char *entry)
{
    for (int id = 0; id < BN_OPTION_COUNT; ++id) {
        const struct bn_option *option = &table[id];
        const char *value = value_of(entry, option->name);
        if (value)
            return bn_options_set(options, (enum bn_option_id)id, value, BN_OPTION_FROM_ENVIRONMENT, option->name);
        const char *alias = option->alias;
        value = alias ? value_of(entry, alias) : NULL;
        if (!value && option->second_alias) {
            alias = option->second_alias;
            value = value_of(entry, alias);
        }
        if (value && options->values[id].source_name != option->name)
            return bn_options_set(options, (enum bn_option_id)id, value, BN_OPTION_FROM_ENVIRONMENT, alias);
        if (value)
            return BN_OK;
    }
    return BN_OK;
}

static bool is_known(const char *entry)
{
    for (int id = 0; id < BN_OPTION_COUNT; ++id) {
        if (value_of(entry, table[id].name))
            return true;
    }
    return false;
}

bn_status_t bn_options_read(struct bn_options *options, char *const *environment)
{
    for (int id = 0; id < BN_OPTION_COUNT; ++id)
        options->values[id] = (struct bn_option_value){.number = table[id].fallback};
    bn_status_t status = BN_OK;
    for (char *const *entry = environment; *entry; ++entry) {
        bn_status_t now = read_entry(options, *entry);
        if (now != BN_OK)
            status = now;
    }
    /* Done last, when it is known whether the user wants warnings. */
    for (char *const *entry = environment; *entry && !options->values[BN_OPTION_QUIET].number; ++entry) {
        if (strncmp(*entry, "BANYAN_", 7) == 0 && !is_known(*entry))
            warn_about_unknown(*entry);
    }
    return status;
}

const char *bn_option_text(const struct bn_options *options, enum bn_option_id id, char size_text[BN_OPTION_SIZE_BYTES])
{
    const struct bn_option *option = &table[id];
    const struct bn_option_value *value = &options->values[id];
    if (value->source == BN_OPTION_FROM_DEFAULT)
        return option->fallback_text;
    switch (option->type) {
    case BN_OPTION_IS_BYTES:
        bn_format_bytes((uint64_t)value->number, size_text, BN_OPTION_SIZE_BYTES);
        return size_text;
    case BN_OPTION_IS_BOOL: return value->number ? "yes" : "no";
    default: return value->text;
    }
}

void bn_options_load(const struct bn_options *options)
{
    process_options = *options;
}

const struct bn_option_value *bn_option(enum bn_option_id id)
{
    return &process_options.values[id];
}

int64_t bn_option_number(enum bn_option_id id)
{
    return process_options.values[id].number;
}

bool bn_option_is_set(enum bn_option_id id)
{
    return process_options.values[id].source != BN_OPTION_FROM_DEFAULT;
}
