#include "threads/report.h"

#include "base/log.h"
#include "base/options.h"
#include "host/files.h"
#include "host/wish.h"
#include "platform/locale.h"
#include "threads/direct.h"
#include "threads/gate.h"

#include <stdio.h>
#include <stdlib.h>

bool bn_threads_report_is_wanted(void)
{
    return bn_wish_is_made(BN_OPTION_MPI_THREADS_REPORT);
}

static double mean_us(uint64_t ns, uint64_t count)
{
    return count > 0 ? (double)ns / (double)count / 1e3 : 0;
}

static double share_of_progress(const struct bn_watch_record *record)
{
    uint64_t all = record->acquisitions[BN_PATH_MAIN] + record->acquisitions[BN_PATH_PROGRESS];
    return all > 0 ? (double)record->acquisitions[BN_PATH_PROGRESS] / (double)all : 0;
}

static double mean_dangling(const struct bn_watch_record *record)
{
    return record->dangling_samples > 0 ? (double)record->dangling / (double)record->dangling_samples : 0;
}

static const char *const path_names[BN_PATH_COUNT] = {[BN_PATH_MAIN] = "new work", [BN_PATH_PROGRESS] = "progress"};

/* What was learned about a use; the sum over several processes */
struct learned {
    uint64_t processes; /* those that have learned something */
    uint64_t past;      /* of these, those that bypass the arbiter */
    uint64_t trials;
    uint64_t per_second[2]; /* through the arbiter, and bypassing it */
};

/* Sums over all processes */
struct facts {
    int processes;
    bool learns;
    uint64_t direct;
    uint64_t of_one; /* processes in which no two threads call MPI at once */
    struct bn_watch_record record;
    struct learned learned[BN_USE_COUNT];
};

static const char *const use_names[BN_USE_COUNT] = {
    [BN_USE_STREAM] = "streams", [BN_USE_MESSAGE] = "messages", [BN_USE_TRANSFER] = "transfers"};

static void write_learned(FILE *file, const struct learned learned[BN_USE_COUNT])
{
    fprintf(file, "  %-10s %14s %14s %14s %14s\n", "learned", "arbiter, k/s", "past it, k/s", "trials", "take it past");
    for (int use = 0; use < BN_USE_COUNT; use++) {
        if (learned[use].processes > 0)
            fprintf(file, "  %-10s %14.1f %14.1f %14llu %11llu/%llu\n", use_names[use],
                    (double)learned[use].per_second[0] / 1e3, (double)learned[use].per_second[1] / 1e3,
                    (unsigned long long)learned[use].trials, (unsigned long long)learned[use].past,
                    (unsigned long long)learned[use].processes);
        else
            fprintf(file, "  %-10s too few of them to compare: past the arbiter\n", use_names[use]);
    }
}

static void write_arbitrated(FILE *file, const struct bn_watch_record *record, bool counts)
{
    uint64_t all = record->acquisitions[0] + record->acquisitions[1];
    fprintf(file, "  %-10s %14s %14s %14s\n", "calls", "times inside", "waited, us",
            counts ? "and was, us" : "was, us");
    for (int path = 0; path < BN_PATH_COUNT; path++)
        fprintf(file, "  %-10s %14llu %14.3f %14.3f\n", path_names[path],
                (unsigned long long)record->acquisitions[path],
                mean_us(record->wait_ns[path], record->acquisitions[path]),
                mean_us(record->hold_ns[path], record->acquisitions[path]));
    fprintf(file, "  progress in %.1f %% of all, contended %.1f %%\n", 100 * share_of_progress(record),
            100 * (double)record->contended / (double)(all > 0 ? all : 1));
    fprintf(file, "  bias of arbitration (1 is fair): same thread %.2f, same socket %.2f\n", bn_watch_core_bias(record),
            bn_watch_socket_bias(record));
    if (record->dangling_samples > 0)
        fprintf(file, "  requests that were complete and not freed: %.2f on average\n", mean_dangling(record));
}

static void write_table(FILE *file, const struct facts *facts)
{
    bool counts = bn_gate_arbiter.policy == BN_ARBITER_OPEN;
    fprintf(file, "banyan: threads in MPI: %d process%s of up to %llu threads, %s%s\n", facts->processes,
            facts->processes == 1 ? "" : "es", (unsigned long long)facts->record.most_threads,
            counts          ? "the library's own way"
            : facts->learns ? "arbitrated, or past that where it is faster, policy "
                            : "arbitrated, policy ",
            counts ? "" : bn_arbiter_policy_name(bn_gate_arbiter.policy));
    if (facts->learns)
        write_learned(file, facts->learned);
    else
        write_arbitrated(file, &facts->record, counts);
    if (facts->of_one > 0)
        fprintf(file, "  processes without MPI_THREAD_MULTIPLE, whose messages went past the arbiter: %llu\n",
                (unsigned long long)facts->of_one);
    if (facts->direct > 0)
        fprintf(file, "  calls of windows that went past MPI and the arbiter: %llu\n",
                (unsigned long long)facts->direct);
}

static void write_learned_json(FILE *file, const struct learned learned[BN_USE_COUNT])
{
    for (int use = 0; use < BN_USE_COUNT; use++)
        fprintf(file,
                ",\n  \"%s\": {\"processes\": %llu, \"past\": %llu, \"trials\": %llu, \"arbiter_per_s\": %llu, "
                "\"past_per_s\": %llu}",
                use_names[use], (unsigned long long)learned[use].processes, (unsigned long long)learned[use].past,
                (unsigned long long)learned[use].trials, (unsigned long long)learned[use].per_second[0],
                (unsigned long long)learned[use].per_second[1]);
}

static void write_arbitrated_json(FILE *file, const struct bn_watch_record *record)
{
    static const char *const names[BN_PATH_COUNT] = {[BN_PATH_MAIN] = "main", [BN_PATH_PROGRESS] = "progress"};
    for (int path = 0; path < BN_PATH_COUNT; path++)
        fprintf(file, ",\n  \"%s\": {\"acquisitions\": %llu, \"wait_us\": %.6f, \"hold_us\": %.6f}", names[path],
                (unsigned long long)record->acquisitions[path],
                mean_us(record->wait_ns[path], record->acquisitions[path]),
                mean_us(record->hold_ns[path], record->acquisitions[path]));
    fprintf(file, ",\n  \"contended\": %llu, \"progress_share\": %.6f, \"core_bias\": %.6f, \"socket_bias\": %.6f",
            (unsigned long long)record->contended, share_of_progress(record), bn_watch_core_bias(record),
            bn_watch_socket_bias(record));
    if (record->dangling_samples > 0)
        fprintf(file, ",\n  \"dangling\": %.6f, \"dangling_samples\": %llu", mean_dangling(record),
                (unsigned long long)record->dangling_samples);
}

static void write_json(FILE *file, const void *context)
{
    const struct facts *facts = context;
    fprintf(file, "{\"schema\": \"banyan-mpi-threads-1\", \"policy\": \"%s\", \"processes\": %d, \"threads\": %llu",
            bn_arbiter_policy_name(bn_gate_arbiter.policy), facts->processes,
            (unsigned long long)facts->record.most_threads);
    if (facts->learns)
        write_learned_json(file, facts->learned);
    else
        write_arbitrated_json(file, &facts->record);
    fprintf(file, ",\n  \"of_one\": %llu, \"direct\": %llu}\n", (unsigned long long)facts->of_one,
            (unsigned long long)facts->direct);
}

static void write_to_file(const char *wished, const struct facts *facts)
{
    char name[PATH_MAX];
    bn_files_name(name, wished);
    if (!bn_files_write(name, write_json, facts))
        bn_log_error("the report cannot be written to %s: %m; name another file in BANYAN_MPI_THREADS_REPORT=json:FILE",
                     name);
}

static void write_report(const struct facts *facts)
{
    const char *name = bn_wish_json_file(BN_OPTION_MPI_THREADS_REPORT);
    struct bn_locale locale = bn_locale_use_plain();
    if (name)
        write_to_file(name, facts);
    else
        write_table(stderr, facts);
    bn_locale_restore(locale);
}

/* These structures consist of uint64_t only, so they are summed as arrays. */
static void add_learned(struct learned sum[BN_USE_COUNT])
{
    struct learned own[BN_USE_COUNT];
    for (int use = 0; use < BN_USE_COUNT; use++) {
        const struct bn_trial *trial = &bn_gate_trials[use];
        own[use] = (struct learned){.processes = trial->trials > 0,
                                    .past = trial->trials > 0 && trial->choice == BN_TRIAL_SECOND,
                                    .trials = trial->trials,
                                    .per_second = {trial->per_second[0], trial->per_second[1]}};
    }
    bn_below.Reduce(own, sum, BN_USE_COUNT * (int)(sizeof *own / sizeof(uint64_t)), bn_handles.number, bn_handles.sum,
                    0, bn_handles.world);
}

void bn_threads_report_write(bool learns)
{
    int rank;
    struct facts facts = {.learns = learns};
    if (!bn_threads_report_is_wanted())
        return;
    bn_below.Comm_rank(bn_handles.world, &rank);
    bn_below.Comm_size(bn_handles.world, &facts.processes);
    struct bn_watch_record own = bn_watch_read(&bn_gate_arbiter.watch);
    uint64_t is_of_one = bn_gate_settles_for_one();
    bn_below.Reduce(&is_of_one, &facts.of_one, 1, bn_handles.number, bn_handles.sum, 0, bn_handles.world);
    bn_below.Reduce(&bn_direct_count, &facts.direct, 1, bn_handles.number, bn_handles.sum, 0, bn_handles.world);
    add_learned(facts.learned);
    struct bn_watch_record *records = rank == 0 ? malloc((size_t)facts.processes * sizeof *records) : NULL;
    int has_room = rank != 0 || records, all_have = 0;
    bn_below.Allreduce(&has_room, &all_have, 1, bn_handles.integer, bn_handles.smallest, bn_handles.world);
    if (all_have)
        bn_below.Gather(&own, (int)sizeof own, bn_handles.byte, records, (int)sizeof own, bn_handles.byte, 0,
                        bn_handles.world);
    for (int i = 0; all_have && rank == 0 && i < facts.processes; i++)
        bn_watch_record_add(&facts.record, &records[i]);
    free(records);
    if (all_have && rank == 0)
        write_report(&facts);
}
