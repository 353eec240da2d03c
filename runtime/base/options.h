/*
 * options.h: everything that can be set from outside, in one table.
 *
 * A row gives name, type, unit, default and help; parsing, `banyan-info --options`, the manual page and the warning
 * about unknown BANYAN_* variables follow from it.  To add an option, add its number here and its row in options.c.
 *
 * The values of a process are read once, at start-up, before threads are forked (bn_options_load), and are constant
 * from then on: the accessors may be called by any thread, cost a load, and cannot fail.
 */
#ifndef BN_BASE_OPTIONS_H
#define BN_BASE_OPTIONS_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Lines on standard error that tell upcrun how its job fares; it passes neither on. */
#define BN_BEGUN_LINE "banyan-begun\n" /* all threads have met */
#define BN_ENDED_LINE "banyan-ended\n" /* a thread has ended in a way that ends the job */

enum bn_option_id {
    BN_OPTION_THREADS,
    BN_OPTION_SHARED_HEAP,
    BN_OPTION_HUGE_PAGES,
    BN_OPTION_BIND,
    BN_OPTION_WAIT,
    BN_OPTION_TIMEOUT,
    BN_OPTION_LABEL,
    BN_OPTION_PTHREADS,
    BN_OPTION_ARBITER,
    BN_OPTION_FREEZE,
    BN_OPTION_BACKTRACE,
    BN_OPTION_BARRIER_MISMATCH_WARNS,
    BN_OPTION_PROFILE,
    BN_OPTION_TRACE,
    BN_OPTION_TRACE_ROOM,
    BN_OPTION_ADOPT,
    BN_OPTION_COLL_BROADCAST, /* one for each operation of coll/operation.h, in its order */
    BN_OPTION_COLL_SCATTER,
    BN_OPTION_COLL_GATHER,
    BN_OPTION_COLL_GATHER_ALL,
    BN_OPTION_COLL_EXCHANGE,
    BN_OPTION_COLL_PERMUTE,
    BN_OPTION_COLL_REDUCE,
    BN_OPTION_COLL_REDUCE_ALL,
    BN_OPTION_COLL_PREFIX,
    BN_OPTION_COLL_BARRIER,
    BN_OPTION_COLL_SCATTER_V,
    BN_OPTION_COLL_GATHER_V,
    BN_OPTION_COLL_GATHER_ALL_V,
    BN_OPTION_COLL_EXCHANGE_V,
    BN_OPTION_COLL_COMBINE,
    BN_OPTION_COLL_COMBINE_ALL,
    BN_OPTION_COLL_COMBINE_SCATTER,
    BN_OPTION_COLL_COMBINE_PREFIX,
    BN_OPTION_COLL_TABLE,
    BN_OPTION_COLL_CHUNK,
    BN_OPTION_COLL_HALVES,
    BN_OPTION_COLL_PREFIX_BLOCKS,
    BN_OPTION_COLL_TREES,
    BN_OPTION_COLL_TOKENS,
    BN_OPTION_FAR_STATS,
    BN_OPTION_MPI,
    BN_OPTION_MPI_BARRIER, /* one for each operation of mpi/host/operations.h, in its order */
    BN_OPTION_MPI_BCAST,
    BN_OPTION_MPI_SCATTER,
    BN_OPTION_MPI_SCATTERV,
    BN_OPTION_MPI_GATHER,
    BN_OPTION_MPI_GATHERV,
    BN_OPTION_MPI_ALLGATHER,
    BN_OPTION_MPI_ALLGATHERV,
    BN_OPTION_MPI_ALLTOALL,
    BN_OPTION_MPI_ALLTOALLV,
    BN_OPTION_MPI_ALLTOALLW,
    BN_OPTION_MPI_REDUCE,
    BN_OPTION_MPI_ALLREDUCE,
    BN_OPTION_MPI_REDUCE_SCATTER,
    BN_OPTION_MPI_REDUCE_SCATTER_BLOCK,
    BN_OPTION_MPI_SCAN,
    BN_OPTION_MPI_EXSCAN,
    BN_OPTION_MPI_REPORT,
    BN_OPTION_MPI_TABLE,
    BN_OPTION_MPI_FRAGMENT,
    BN_OPTION_MPI_LEADERS, /* BN_LEADERS_* */
    BN_OPTION_MPI_BETWEEN, /* BN_BETWEEN_* */
    BN_OPTION_MPI_SWITCHES,
    BN_OPTION_MPI_TIMELINE,
    BN_OPTION_MPI_THREADS,
    BN_OPTION_MPI_ARBITER, /* policies of sync/arbiter.h, in their order */
    BN_OPTION_MPI_PROGRESS,
    BN_OPTION_MPI_WINDOWS,
    BN_OPTION_MPI_THREADS_REPORT,
    BN_OPTION_TOPOLOGY,
    BN_OPTION_VERBOSE,
    BN_OPTION_QUIET,
    BN_OPTION_INFO,
    BN_OPTION_TEAM,      /* set only by upcrun, for programs other than UPC programs (team/launch.c) */
    BN_OPTION_INTERFACE, /* set only by upcrun: BN_ABI of the program that it has examined */
    BN_OPTION_ROOM,      /* set only by upcrun: bytes for the shared memory of a thread, if all are on its machine */
    BN_OPTION_FOLDER,    /* set only by upcrun: the folder in which it was started */
    BN_OPTION_LAUNCHED,  /* set only by upcrun; its processes then write BN_BEGUN_LINE and BN_ENDED_LINE */
    BN_OPTION_COUNT
};

enum bn_option_type {
    BN_OPTION_IS_INT,
    BN_OPTION_IS_BYTES,   /* "64M"; a bare number counts MiB */
    BN_OPTION_IS_SECONDS, /* "2.5", "90s", "10m", "1h"; kept in nanoseconds */
    BN_OPTION_IS_BOOL,    /* yes no on off true false 1 0 */
    BN_OPTION_IS_CHOICE,  /* one of the words in choices; the value is its index in the list */
    BN_OPTION_IS_TEXT,
};

struct bn_option {
    const char *name;         /* environment variable */
    const char *alias;        /* variable of other UPC systems with the same meaning, or null; name wins */
    const char *second_alias; /* another alias, or null */
    const char *flag;         /* switch of upcrun that sets it, or null */
    enum bn_option_type type;
    const char *choices;       /* words separated by '|', for BN_OPTION_IS_CHOICE */
    int64_t min, max;          /* for numbers, in the unit in which they are kept */
    int64_t fallback;          /* value if the option is not set; for BN_OPTION_IS_CHOICE the index in choices */
    const char *fallback_text; /* the same in words, for users */
    const char *help;          /* one line */
    bool is_internal;          /* set by upcrun only; not listed */
};

/* The source of a value */
enum bn_option_source { BN_OPTION_FROM_DEFAULT, BN_OPTION_FROM_ENVIRONMENT, BN_OPTION_FROM_SWITCH };

struct bn_option_value {
    int64_t number;   /* meaning depends on the type */
    const char *text; /* as it was written; null if the option is not set.  Borrowed. */
    enum bn_option_source source;
    const char *source_name; /* variable or switch that set it; null if none did */
};

struct bn_options {
    struct bn_option_value values[BN_OPTION_COUNT];
};

/* The row of an option. */
const struct bn_option *bn_option_describe(enum bn_option_id id);

/*
 * Parses text as a value of an option.
 *
 * @errors BN_ERR_INVALID: reported with source_name ("-n" or "BANYAN_THREADS"); the value is unchanged.
 */
bn_status_t bn_options_set(struct bn_options *options, enum bn_option_id id, const char *text,
                           enum bn_option_source source, const char *source_name);

/*
 * Fills options with the defaults and then from environment (a null-terminated list of NAME=value, whose strings must
 * outlive options).  Warns about BANYAN_* names that are not in the table, unless BANYAN_QUIET is set.
 */
bn_status_t bn_options_read(struct bn_options *options, char *const *environment);

/* The value of an option as text that bn_options_set would accept; fallback_text if the option is not set.  Sizes are
 * written to `size_text`. */
enum { BN_OPTION_SIZE_BYTES = 32 };
const char *bn_option_text(const struct bn_options *options, enum bn_option_id id,
                           char size_text[BN_OPTION_SIZE_BYTES]);

/* ---- The options of this process ---- */

/* Makes *options the options of this process.  Called once by the start-up code; the struct is copied. */
void bn_options_load(const struct bn_options *options);

const struct bn_option_value *bn_option(enum bn_option_id id);

/* The value of an option: an integer, bytes, nanoseconds, 0 or 1, or the index in the list of choices */
int64_t bn_option_number(enum bn_option_id id);

/* Whether the option was set */
bool bn_option_is_set(enum bn_option_id id);

/* The most threads of a job, and so the most nodes and the most ranks of a launcher */
enum { BN_THREAD_MAX = 1024 };

/* Indices in the lists of choices */
enum bn_bind_choice { BN_BIND_AUTO, BN_BIND_NONE, BN_BIND_CORE, BN_BIND_NUMA };
enum bn_leaders_choice { BN_LEADERS_MACHINE, BN_LEADERS_SOCKET, BN_LEADERS_REGION, BN_LEADERS_LEARN };
enum bn_between_choice { BN_BETWEEN_LEARN, BN_BETWEEN_MESSAGES, BN_BETWEEN_COLLECTIVES };
enum bn_huge_choice { BN_HUGE_CHOICE_NO, BN_HUGE_CHOICE_HEAP, BN_HUGE_CHOICE_ALL };
enum bn_mpi_windows_choice { BN_MPI_WINDOWS_DIRECT, BN_MPI_WINDOWS_LIBRARY };
enum bn_mpi_threads_choice {
    BN_MPI_THREADS_OFF,
    BN_MPI_THREADS_COUNT,
    BN_MPI_THREADS_ARBITRATE,
    BN_MPI_THREADS_LEARN,
};
enum bn_arbiter_policy {
    BN_ARBITER_PRIORITY, /* the main path before the progress loop, each in the order of requests */
    BN_ARBITER_TICKET,   /* in the order of requests */
    BN_ARBITER_MUTEX,    /* pthread_mutex: whichever thread is running */
    BN_ARBITER_COHORT,   /* threads of the same socket first, in the order of requests */
    BN_ARBITER_DRIVEN,   /* like priority, and one waiting thread polls for all of them and wakes those whose operation
                          * has completed; of BANYAN_MPI_ARBITER only */
    BN_ARBITER_OPEN,     /* no choice: no mutual exclusion, for the instruments only */
    BN_ARBITER_POLICY_COUNT,
};
enum bn_mpi_mode { BN_MPI_MODE_LEARN, BN_MPI_MODE_ON, BN_MPI_MODE_OFF };
enum bn_wait_choice { BN_WAIT_AUTO, BN_WAIT_SPIN, BN_WAIT_YIELD, BN_WAIT_SLEEP };

#ifdef __cplusplus
}
#endif

#endif
