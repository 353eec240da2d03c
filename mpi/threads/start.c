#include "threads/start.h"

#include "base/log.h"
#include "base/options.h"
#include "host/files.h"
#include "host/options.h"
#include "platform/cpus.h"
#include "threads/typed_copies.h"
#include "threads/direct.h"
#include "threads/gate.h"
#include "threads/names.h"
#include "threads/order.h"
#include "threads/progress.h"
#include "threads/report.h"

#include <stdlib.h>
#include <unistd.h>

static struct {
    enum bn_mpi_threads_choice wish;
    bool has_wish;      /* the options have been read */
    bool is_serialized; /* the program has MPI_THREAD_MULTIPLE, but the library below does not */
    MPI_Comm messages;
} self;

MPI_Comm bn_threads_messages(void)
{
    return self.messages;
}

/* If an option has a wrong value, which has been reported, nothing is arbitrated. */
static void read_options(void)
{
    size_t size_bytes;
    char *text = bn_mpi_options_text(&size_bytes); /* never freed: the options point into it */
    self.has_wish = true;
    self.wish = text && bn_mpi_options_load(text, false)
                    ? (enum bn_mpi_threads_choice)bn_option_number(BN_OPTION_MPI_THREADS)
                    : BN_MPI_THREADS_OFF;
}

static bool wants_arbiter(void)
{
    return self.wish >= BN_MPI_THREADS_ARBITRATE;
}

static bool wants_progress(void)
{
    return wants_arbiter() && bn_option_number(BN_OPTION_MPI_PROGRESS) != 0;
}

/* The number of processes of this machine, and the cores that all of them together may use */
static struct bn_arbiter_place look_at_place(MPI_Comm node)
{
    struct bn_pu_set own, all;
    struct bn_arbiter_place place = {.wait = (enum bn_wait_choice)bn_option_number(BN_OPTION_WAIT)};
    long quota_cores = (bn_cpus_quota_milli("") + 999) / 1000;
    bn_cpus_affinity(&own);
    bn_below.Comm_size(node, &place.processes);
    bn_below.Allreduce(&own, &all, (int)sizeof own, bn_handles.byte, bn_handles.bits, node);
    place.core_count = bn_pu_set_count(&all);
    if (quota_cores > 0 && quota_cores < place.core_count)
        place.core_count = (int)quota_cores;
    return place;
}

/* On an oversubscribed machine, any order other than that of the running threads costs more than it gains
 * (docs/threads.md). */
static enum bn_arbiter_policy choose_policy(const struct bn_arbiter_place *place)
{
    if (!wants_arbiter())
        return BN_ARBITER_OPEN;
    if (bn_option_is_set(BN_OPTION_MPI_ARBITER))
        return (enum bn_arbiter_policy)bn_option_number(BN_OPTION_MPI_ARBITER);
    return place->core_count / place->processes < 2 ? BN_ARBITER_MUTEX : BN_ARBITER_DRIVEN;
}

static bool is_spawned(void)
{
    MPI_Comm parent = bn_handles.no_comm;
    bn_below.Comm_get_parent(&parent);
    return parent != bn_handles.no_comm;
}

/* Spawned processes have ranks in a world of their own, so a number that is unlikely to clash is made from the process
 * id. */
static int number_of_process(int rank)
{
    return is_spawned() ? rank + ((int)getpid() << 8) : rank;
}

static enum bn_gate_state state_of_wish(void)
{
    return self.wish == BN_MPI_THREADS_LEARN ? BN_GATE_LEARNS : wants_arbiter() ? BN_GATE_ARBITRATES : BN_GATE_COUNTS;
}

/* Instruments slow down only calls that go through the arbiter, so they are off when ways are compared. */
static bool wants_instruments(void)
{
    return self.wish == BN_MPI_THREADS_COUNT ||
           (self.wish == BN_MPI_THREADS_ARBITRATE && bn_threads_report_is_wanted());
}

/* Without MPI_THREAD_MULTIPLE no two threads call MPI at once, unless one of them is our progress thread. */
static bool is_for_one(int required)
{
    return wants_arbiter() && required != MPI_THREAD_MULTIPLE && !wants_progress();
}

static void begin(int required)
{
    int rank;
    if (self.wish == BN_MPI_THREADS_OFF)
        return;
    bn_below.Comm_rank(bn_handles.world, &rank);
    if (is_spawned())
        bn_files_of_spawned(getpid()); /* only the first process writes a file */
    MPI_Comm node;
    bn_below.Comm_split_type(bn_handles.world, MPI_COMM_TYPE_SHARED, rank, bn_handles.no_info, &node);
    struct bn_arbiter_place place = look_at_place(node);
    bn_direct_begin(node, wants_arbiter());
    bn_below.Comm_free(&node);
    bn_below.Comm_dup(bn_handles.world, &self.messages);
    bn_turns_begin(number_of_process(rank));
    bn_names_begin();
    bn_typed_copies_begin();
    bn_gate_begin(state_of_wish(), choose_policy(&place), wants_instruments(), &place);
    if (is_for_one(required))
        bn_gate_settle_for_one();
    if (wants_progress())
        bn_progress_thread_begin();
}

/* The thread level to ask of the library below: arbitrated threads call one at a time; when learning, all at once. */
static int level_below(int required)
{
    if (!wants_arbiter() || (required != MPI_THREAD_MULTIPLE && !wants_progress()))
        return required;
    return self.wish == BN_MPI_THREADS_LEARN ? MPI_THREAD_MULTIPLE : MPI_THREAD_SERIALIZED;
}

/* Adapts to the thread level that the library has granted: does less if that is not enough. */
static void settle(int level, int provided)
{
    int rank;
    bn_below.Comm_rank(bn_handles.world, &rank);
    if (self.wish == BN_MPI_THREADS_LEARN && provided < MPI_THREAD_MULTIPLE) {
        if (level == MPI_THREAD_MULTIPLE && rank == 0)
            bn_log_warning("threads are arbitrated: the MPI library does not support MPI_THREAD_MULTIPLE, so there is "
                           "nothing to compare with");
        self.wish = BN_MPI_THREADS_ARBITRATE;
    }
    if (wants_arbiter() && provided < (level < MPI_THREAD_SERIALIZED ? level : MPI_THREAD_SERIALIZED)) {
        if (rank == 0)
            bn_log_warning("threads are not arbitrated: the MPI library does not support MPI_THREAD_SERIALIZED");
        self.wish = BN_MPI_THREADS_OFF;
    }
}

static int init_below(int *argc, char ***argv, int required, int *provided)
{
    if (!self.has_wish)
        read_options();
    int level = level_below(required);
    int result = bn_below.Init_thread(argc, argv, level, provided);
    if (result != MPI_SUCCESS)
        return result;
    settle(level, *provided);
    self.is_serialized = wants_arbiter() && *provided == MPI_THREAD_SERIALIZED && required == MPI_THREAD_MULTIPLE;
    if (self.is_serialized)
        *provided = MPI_THREAD_MULTIPLE;
    begin(required);
    return result;
}

static int call_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    bn_gate_look_around();
    return init_below(argc, argv, required, provided);
}

static int call_Init(int *argc, char ***argv)
{
    int provided;
    bn_gate_look_around();
    return init_below(argc, argv, MPI_THREAD_SINGLE, &provided);
}

static int call_Query_thread(int *provided)
{
    bn_gate_look_around();
    int result = bn_below.Query_thread(provided);
    if (result == MPI_SUCCESS && self.is_serialized)
        *provided = MPI_THREAD_MULTIPLE;
    return result;
}

/* No other thread calls MPI any more, except the progress thread. */
static int call_Finalize(void)
{
    bn_gate_look_around();
    if (bn_gate_state > BN_GATE_OPEN) {
        bn_progress_thread_end();
        bn_gate_end();
        bn_direct_part();
        bn_threads_report_write(self.wish == BN_MPI_THREADS_LEARN);
        bn_names_end();
        bn_typed_copies_end();
        bn_direct_finish();
        bn_below.Comm_free(&self.messages);
    }
    return bn_below.Finalize();
}

BN_BOTH_NAMES(int, Init, (bn_gate_look_around(), bn_next_tool.Init), (int *argc, char ***argv), (argc, argv))

BN_BOTH_NAMES(int, Init_thread, (bn_gate_look_around(), bn_next_tool.Init_thread),
              (int *argc, char ***argv, int required, int *provided), (argc, argv, required, provided))

BN_BOTH_NAMES(int, Query_thread, bn_next_tool.Query_thread, (int *provided), (provided))

BN_BOTH_NAMES(int, Finalize, bn_next_tool.Finalize, (void), ())
