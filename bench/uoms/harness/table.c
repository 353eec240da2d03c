#include "output.h"
#include "port.h"

#include <math.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

static const char line[] =
    "#-----------------------------------------------------------------------------------------------";

static void print_sizes(FILE *file, const struct uoms_options *options)
{
    fprintf(file, "# Problem sizes         :");
    for (size_t i = 0; i < options->size_count; i++)
        fprintf(file, " %zu", options->sizes[i]);
    fprintf(file, "\n");
}

void uoms_table_header(FILE *file, const struct uoms_options *options, const struct uoms_plan *plan, int threads,
                       const char *masks)
{
    static const char *const caches[] = {"No", "Yes", "No, sources are modified"};
    struct utsname system;
    char text[64];
    time_t now = time(NULL);

    fprintf(file, "%s\n#    %s, version %s\n%s\n", line, uoms_title, UOMS_SUITE_VERSION, line);
    fprintf(file, "# Version               : %s\n", UOMS_SUITE_VERSION);
    if (strftime(text, sizeof text, "%a %b %e %H:%M:%S %Y", localtime(&now)) > 0)
        fprintf(file, "# Date                  : %s\n", text);
    if (uname(&system) == 0) {
        fprintf(file, "# Machine               : %s\n# System                : %s\n# Release               : %s\n",
                system.machine, system.sysname, system.release);
    }
    fprintf(file, "# Cache invalidation    : %s\n", caches[options->cache]);
    fprintf(file, "# Warm-up               : %s\n", options->warmup ? "Yes" : "No");
    print_sizes(file, options);
    uoms_sync_mode_name(options, text, sizeof text);
    fprintf(file, "# Synchronization mode  : %s\n", text);
    fprintf(file, "# Reduce operation      : %s\n", uoms_operator_name(options->reduce_op));
    if (options->root == UOMS_ROTATE)
        fprintf(file, "# Root                  : rotates\n");
    else
        fprintf(file, "# Root                  : %d\n", options->root);
    fprintf(file, "# Time from             : %s\n",
            options->sync == UOMS_SYNC_CLOCK     ? "synchronised clocks"
            : options->sync == UOMS_SYNC_MEETING ? "the harness's own barriers"
                                                 : "barriers");
    if (options->skew_ns > 0)
        fprintf(file, "# Skew                  : up to %.0f us\n", options->skew_ns / 1e3);
    if (options->batch > 0)
        fprintf(file, "# Calls in a repetition : at most %zu\n", options->batch);
    fprintf(file, "# Outliers              : %s\n", options->discards_outliers ? "DISCARDED" : "kept");
    fprintf(file, "# Threads               : %d\n", threads);
    fprintf(file, "# CPU masks             : %s\n", masks);
    fprintf(file, "# List of benchmarks    :\n");
    for (size_t i = 0; i < plan->bench_count; i++)
        fprintf(file, "#     %s\n", plan->benches[i]->name);
    fflush(file);
}

void uoms_table_begin(FILE *file, const struct uoms_options *options, const struct uoms_bench *bench, int threads,
                      const struct uoms_pair *pair, const char *algorithm)
{
    fprintf(file, "\n%s\n# Benchmarking %s\n# #processes = %d\n", line, bench->name, threads);
    if (pair != NULL)
        fprintf(file, "# CPUs %d and %d (%s)\n", pair->first, pair->second, uoms_distance_name(pair->distance));
    if (algorithm != NULL)
        fprintf(file, "# Algorithm %s\n", algorithm);
    fprintf(file, "%s\n%12s %13s %14s %14s %14s", line, "#bytes", "#repetitions", "t_min[nsec]", "t_max[nsec]",
            "t_avg[nsec]");
    if (bench->bandwidth != UOMS_NO_BANDWIDTH)
        fprintf(file, " %22s %14s %14s", "BW_aggregated[MB/sec]", "BW_min[MB/sec]", "BW_avg[MB/sec]");
    if (options->stats)
        fprintf(file, " %14s %14s %14s %14s %14s %14s %9s", "t_median[nsec]", "CI_low[nsec]", "CI_high[nsec]",
                "t_p95[nsec]", "t_p99[nsec]", "skew[nsec]", "outliers");
    fprintf(file, "\n");
}

/* Prints a number of the table, or - if there is none: two decimals below 100, where they are not noise */
static void print_number(FILE *file, int width, double number)
{
    if (isnan(number) || isinf(number))
        fprintf(file, " %*s", width, "-");
    else
        fprintf(file, " %*.*f", width, number < 100 ? 2 : 0, number);
}

static void print_bandwidth(FILE *file, int width, double number)
{
    if (isnan(number) || isinf(number))
        fprintf(file, " %*s", width, "-");
    else
        fprintf(file, " %*.2f", width, number);
}

void uoms_table_row(FILE *file, const struct uoms_options *options, const struct uoms_result *result)
{
    const struct uoms_summary *times = &result->slowest;
    fprintf(file, "%12zu %13zu", result->bytes, result->repetitions);
    print_number(file, 14, times->min);
    print_number(file, 14, times->max);
    print_number(file, 14, times->mean);
    if (result->bench->bandwidth != UOMS_NO_BANDWIDTH) {
        print_bandwidth(file, 22, result->bandwidth_max);
        print_bandwidth(file, 14, result->bandwidth_min);
        print_bandwidth(file, 14, result->bandwidth_mean);
    }
    if (options->stats) {
        print_number(file, 14, times->median);
        print_number(file, 14, times->low);
        print_number(file, 14, times->high);
        print_number(file, 14, times->p95);
        print_number(file, 14, times->p99);
        print_number(file, 14, result->skew);
        fprintf(file, " %9zu", times->outliers);
    }
    fprintf(file, "\n");
    if (result->verified == 0)
        fprintf(file, "# WRONG RESULT: the row above measures an operation whose result is wrong\n");
    if (options->discards_outliers && times->outliers > 0)
        fprintf(file, "# OUTLIERS DISCARDED: %zu of %zu\n", times->outliers, result->repetitions);
    if (result->late > 0)
        fprintf(file, "# LATE: %zu of %zu windows are left out, since a thread came late\n", result->late,
                result->repetitions);
    fflush(file);
}
