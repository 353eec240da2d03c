/* table.c: the profile as a readable table, on one screen. */
#include "upc/profile/gather.h"

#include <stdlib.h>
#include <string.h>

enum { NUMBER_BYTES = 24, PLACES = 8, MATRIX_THREADS = 8 };

/* 1,234,567, or 12.3 M if that is too long */
static const char *count_text(char text[NUMBER_BYTES], uint64_t count)
{
    static const char units[] = "MGTPE";
    if (count < 10000000) {
        snprintf(text, NUMBER_BYTES, "%llu", (unsigned long long)count);
        return text;
    }
    double number = (double)count / 1e6;
    int unit = 0;
    for (; number >= 1000; number /= 1000)
        unit++;
    snprintf(text, NUMBER_BYTES, "%.1f %c", number, units[unit]);
    return text;
}

static const char *bytes_text(char text[NUMBER_BYTES], uint64_t bytes)
{
    static const char *const units[] = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};
    double number = (double)bytes;
    int unit = 0;
    for (; number >= 1000; number /= 1000)
        unit++;
    snprintf(text, NUMBER_BYTES, unit == 0 ? "%.0f %s" : "%.1f %s", number, units[unit]);
    return text;
}

static const char *ms_text(char text[NUMBER_BYTES], double ns)
{
    double ms = ns / 1e6;
    snprintf(text, NUMBER_BYTES, ms < 0.1 ? "%.4f" : ms < 100 ? "%.2f" : "%.0f", ms);
    return text;
}

static int compare(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* Minimum, median and maximum of the threads' values, and the ratio of maximum to mean */
struct spread {
    double min, median, max, imbalance;
};

static struct spread spread_of(double *values, int count)
{
    double sum = 0;
    qsort(values, (size_t)count, sizeof *values, compare);
    for (int i = 0; i < count; i++)
        sum += values[i];
    return (struct spread){
        .min = values[0],
        .median = (values[(count - 1) / 2] + values[count / 2]) / 2,
        .max = values[count - 1],
        .imbalance = sum > 0 ? values[count - 1] * count / sum : 0,
    };
}

static void write_distances(FILE *file, const struct bn_profile_operation_sum *sum)
{
    bool has_bytes = sum->bytes_to[BN_TO_SELF] + sum->bytes_to[BN_TO_NODE] + sum->bytes_to[BN_TO_FAR] > 0;
    const uint64_t *to = has_bytes ? sum->bytes_to : sum->calls_to;
    double all = (double)(to[BN_TO_SELF] + to[BN_TO_NODE] + to[BN_TO_FAR]);
    for (int distance = 0; distance < BN_DISTANCES; distance++) {
        if (all > 0) /* else there are no calls */
            fprintf(file, "%*.0f", distance == BN_TO_NODE ? 5 : 4, 100.0 * (double)to[distance] / all);
    }
}

static void write_ways(FILE *file, const struct bn_profile *profile, enum bn_profile_operation operation)
{
    char calls[NUMBER_BYTES], ms[NUMBER_BYTES];
    for (size_t i = 0; i < profile->way_count; i++) {
        const struct bn_profile_way_sum *way = &profile->ways[i];
        if (way->operation == operation)
            fprintf(file, "  by %-40s %8s calls, mean %s ms\n", way->name, count_text(calls, way->sum.calls),
                    ms_text(ms, way->sum.ns / (double)way->sum.calls));
    }
}

static void write_operations(FILE *file, const struct bn_profile *profile, double *values)
{
    fprintf(file, "%-18s %8s %8s %-23s %4s %s\n", "", "", "", "  time of a thread, ms", "max/", "    % to");
    fprintf(file, "%-18s %8s %8s %7s %7s %7s %4s %s\n", "operation", "calls", "bytes", "min", "median", "max", "mean",
            "own node far");
    for (int operation = 0; operation < BN_PROFILE_OPERATIONS; operation++) {
        const struct bn_profile_operation_sum *sum = &profile->operations[operation];
        char calls[NUMBER_BYTES], bytes[NUMBER_BYTES], min[NUMBER_BYTES], median[NUMBER_BYTES], max[NUMBER_BYTES];
        if (sum->all.calls == 0)
            continue;
        for (int thread = 0; thread < profile->thread_count; thread++)
            values[thread] = profile->shares[operation * profile->thread_count + thread].ns;
        struct spread spread = spread_of(values, profile->thread_count);
        fprintf(file, "%-18s %8s %8s ", bn_profile_name((enum bn_profile_operation)operation),
                count_text(calls, sum->all.calls), sum->all.bytes > 0 ? bytes_text(bytes, sum->all.bytes) : "-");
        if (sum->all.ns > 0)
            fprintf(file, "%7s %7s %7s %4.1f", ms_text(min, spread.min), ms_text(median, spread.median),
                    ms_text(max, spread.max), spread.imbalance);
        else
            fprintf(file, "%7s %7s %7s %4s", "-", "-", "-", "");
        write_distances(file, sum);
        fputc('\n', file);
        write_ways(file, profile, (enum bn_profile_operation)operation);
    }
}

/* Truncates a path that is too long at the front: keeps as many folders as fit. */
static const char *tail(const char *text, size_t most)
{
    const char *next;
    while (strlen(text) > most && (next = strchr(text, '/')))
        text = next + 1;
    size_t bytes = strlen(text);
    return bytes > most ? text + bytes - most : text;
}

static void write_places(FILE *file, const struct bn_profile *profile, double all_ns)
{
    enum { WIDTH = 42 };
    bool has_lines = false;
    if (profile->place_count == 0 || all_ns <= 0)
        return;
    fprintf(file, "\n%-*s %-18s %8s %7s\n", WIDTH, "place in the program", "operation", "calls", "time");
    for (size_t i = 0; i < profile->place_count && i < PLACES; i++) {
        const struct bn_profile_place *place = &profile->places[i];
        char calls[NUMBER_BYTES];
        has_lines |= place->has_line;
        fprintf(file, "%-*s %-18s %8s %5.1f %%\n", WIDTH, tail(place->text, WIDTH), bn_profile_name(place->operation),
                count_text(calls, place->sum.calls), 100 * place->sum.ns / all_ns);
    }
    if (!has_lines)
        fputs("Compile with upcc -g to see lines.\n", file);
}

static uint64_t moved(const struct bn_profile *profile, int from, int to)
{
    int threads = profile->thread_count;
    return profile->flows[to * threads + from].taken_bytes + profile->flows[from * threads + to].given_bytes;
}

static void write_matrix(FILE *file, const struct bn_profile *profile)
{
    int threads = profile->thread_count;
    uint64_t all = 0;
    char bytes[NUMBER_BYTES];
    for (int i = 0; i < threads * threads; i++)
        all += profile->flows[i].taken_bytes + profile->flows[i].given_bytes;
    if (threads > MATRIX_THREADS || threads == 1 || all == 0)
        return;
    fprintf(file, "\nfrom\\to");
    for (int to = 0; to < threads; to++)
        fprintf(file, " %8d", to);
    fputc('\n', file);
    for (int from = 0; from < threads; from++) {
        fprintf(file, "%7d", from);
        for (int to = 0; to < threads; to++) {
            uint64_t here = moved(profile, from, to);
            fprintf(file, " %8s", here > 0 ? bytes_text(bytes, here) : ".");
        }
        fputc('\n', file);
    }
}

static bool is_empty(const struct bn_profile *profile)
{
    for (int operation = 0; operation < BN_PROFILE_OPERATIONS; operation++)
        if (profile->operations[operation].all.calls > 0)
            return false;
    return profile->gets + profile->puts == 0;
}

static void write_unseen(FILE *file)
{
    fputs("\nNot seen: shared objects that the program reads and writes in place (by = and\n"
          "the like), and atomics in place; upcc -inst makes programs that count them.\n",
          file);
}

void bn_profile_write_table(FILE *file, const struct bn_profile *profile)
{
    int threads = profile->thread_count;
    double *values = malloc((size_t)threads * sizeof *values);
    double all_ns = 0, all_seconds = 0, longest = 0;
    char gets[NUMBER_BYTES], get_bytes[NUMBER_BYTES], puts[NUMBER_BYTES], put_bytes[NUMBER_BYTES];
    if (!values)
        return;
    for (int thread = 0; thread < threads; thread++) {
        all_ns += bn_profile_thread_ns(profile, thread);
        all_seconds += profile->seconds[thread];
        longest = profile->seconds[thread] > longest ? profile->seconds[thread] : longest;
        values[thread] =
            profile->seconds[thread] > 0 ? bn_profile_thread_ns(profile, thread) / 1e7 / profile->seconds[thread] : 0;
    }
    struct spread shares = spread_of(values, threads);
    fprintf(file, "\nbanyan: profile of %s: %d thread%s on %d node%s, %.3f s", profile->program, threads,
            threads == 1 ? "" : "s", profile->node_count, profile->node_count == 1 ? "" : "s", longest);
    fprintf(file, profile->is_early ? ", ended by upc_global_exit\n" : "\n");
    if (is_empty(profile)) {
        fputs("It came to no barrier and no lock, and called no function that moves or\nallocates shared data.\n",
              file);
        write_unseen(file);
        free(values);
        return;
    }
    fprintf(file, "In what is below: %.1f %% of the time (threads: %.1f to %.1f %%)\n\n",
            all_seconds > 0 ? all_ns / 1e7 / all_seconds : 0, shares.min, shares.max);
    write_operations(file, profile, values);
    if (profile->gets + profile->puts > 0)
        fprintf(file, "messages between nodes: %s gets of %s, %s puts of %s\n", count_text(gets, profile->gets),
                bytes_text(get_bytes, profile->get_bytes), count_text(puts, profile->puts),
                bytes_text(put_bytes, profile->put_bytes));
    write_places(file, profile, all_ns);
    write_matrix(file, profile);
    if (profile->operations[BN_PROFILE_ACCESS].all.calls == 0)
        write_unseen(file);
    free(values);
}
