#include "threads/report.h"

#include "base/log.h"
#include "base/options.h"
#include "threads/direct.h"
#include "threads/gate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char json_prefix[] = "json:";

static const char *wish(void)
{
    const char *text = bn_option(BN_OPTION_MPI_THREADS_REPORT)->text;
    return text && strcmp(text, "0") != 0 && strcmp(text, "no") != 0 ? text : "";
}

bool bn_threads_report_is_wanted(void)
{
    return *wish() != '\0';
}

/* The file for JSON; null: a table is wanted */
static const char *json_file(void)
{
    return strncmp(wish(), json_prefix, strlen(json_prefix)) == 0 ? wish() + strlen(json_prefix) : NULL;
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

static void write_table(FILE *file, const struct bn_watch_record *record, int processes, uint64_t direct)
{
    bool counts = bn_gate_arbiter.policy == BN_ARBITER_OPEN;
    fprintf(file, "banyan: threads in MPI: %d process%s of up to %llu threads, %s%s\n", processes,
            processes == 1 ? "" : "es", (unsigned long long)record->most_threads,
            counts ? "the library's own way" : "arbitrated, policy ",
            counts ? "" : bn_arbiter_policy_name(bn_gate_arbiter.policy));
    fprintf(file, "  %-10s %14s %14s %14s\n", "calls", "times inside", "waited, us",
            counts ? "and was, us" : "was, us");
    for (int path = 0; path < BN_PATH_COUNT; path++)
        fprintf(file, "  %-10s %14llu %14.3f %14.3f\n", path_names[path],
                (unsigned long long)record->acquisitions[path],
                mean_us(record->wait_ns[path], record->acquisitions[path]),
                mean_us(record->hold_ns[path], record->acquisitions[path]));
    fprintf(file, "  progress in %.1f %% of all, contended %.1f %%\n", 100 * share_of_progress(record),
            100 * (double)record->contended /
                (double)(record->acquisitions[0] + record->acquisitions[1] > 0
                             ? record->acquisitions[0] + record->acquisitions[1]
                             : 1));
    fprintf(file, "  bias of arbitration (1 is fair): same thread %.2f, same socket %.2f\n", bn_watch_core_bias(record),
            bn_watch_socket_bias(record));
    if (record->dangling_samples > 0)
        fprintf(file, "  requests that were complete and not freed: %.2f on average\n", mean_dangling(record));
    if (direct > 0)
        fprintf(file, "  calls of windows that went past MPI and the arbiter: %llu\n", (unsigned long long)direct);
}

static void write_json(FILE *file, const struct bn_watch_record *record, int processes, uint64_t direct)
{
    static const char *const names[BN_PATH_COUNT] = {[BN_PATH_MAIN] = "main", [BN_PATH_PROGRESS] = "progress"};
    fprintf(file, "{\"schema\": \"banyan-mpi-threads-1\", \"policy\": \"%s\", \"processes\": %d, \"threads\": %llu",
            bn_arbiter_policy_name(bn_gate_arbiter.policy), processes, (unsigned long long)record->most_threads);
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
    fprintf(file, ",\n  \"direct\": %llu}\n", (unsigned long long)direct);
}

static void write_report(const struct bn_watch_record *record, int processes, uint64_t direct)
{
    const char *name = json_file();
    if (!name) {
        write_table(stderr, record, processes, direct);
        return;
    }
    FILE *file = fopen(name, "w");
    bool is_written = file != NULL;
    if (file) {
        write_json(file, record, processes, direct);
        is_written = !ferror(file);
        is_written &= fclose(file) == 0;
    }
    if (!is_written)
        bn_log_error("the report cannot be written to %s: %m; name another file in BANYAN_MPI_THREADS_REPORT=json:FILE",
                     name);
}

void bn_threads_report_write(void)
{
    int rank, size;
    uint64_t direct = 0;
    struct bn_watch_record own, sum = {0};
    if (!bn_threads_report_is_wanted())
        return;
    bn_real.Comm_rank(bn_handles.world, &rank);
    bn_real.Comm_size(bn_handles.world, &size);
    own = bn_watch_read(&bn_gate_arbiter.watch);
    bn_real.Reduce(&bn_direct_count, &direct, 1, bn_handles.number, bn_handles.sum, 0, bn_handles.world);
    struct bn_watch_record *records = rank == 0 ? malloc((size_t)size * sizeof *records) : NULL;
    int has_room = rank != 0 || records, all_have = 0;
    bn_real.Allreduce(&has_room, &all_have, 1, bn_handles.integer, bn_handles.smallest, bn_handles.world);
    if (all_have)
        bn_real.Gather(&own, (int)sizeof own, bn_handles.byte, records, (int)sizeof own, bn_handles.byte, 0,
                       bn_handles.world);
    for (int i = 0; all_have && rank == 0 && i < size; i++)
        bn_watch_record_add(&sum, &records[i]);
    free(records);
    if (all_have && rank == 0)
        write_report(&sum, size, direct);
}
