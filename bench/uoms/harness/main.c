/*
 * main.c: a run from beginning to end, the same on all threads.  All errors that can be detected are reported before
 * anything runs; only thread 0 prints and writes files.  Exit status: 0, 1 if a result was wrong or a file could not be
 * written, 2 for a wrong command line.
 */
#include "files.h"
#include "memory.h"
#include "now.h"
#include "output.h"
#include "port.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MASK_ROOM = 128, MOST_PAIRS = 4096, MOST_ALGORITHMS = 256, MESSAGE_ROOM = 600 };

struct session {
    struct uoms_options options;
    struct uoms_plan plan;
    struct uoms_meter meter;
    struct uoms_pair *pairs; /* null if threads stay where they are */
    size_t pair_count;
    const struct uoms_pair *default_pair; /* where the threads were placed; null if that is not a pair */
    FILE *table, *csv;                    /* null if not requested, and on all threads but 0 */
    struct uoms_json json;
    size_t wrong_count;
    double done, total; /* measurements */
    double start_ns;
};

static void list_benches(void)
{
    static const char *const factors[] = {"-", "1", "THREADS", "THREADS^2"};
    printf("%-30s %-24s %-14s %-10s %s\n", "benchmark", "operation", "group", "bandwidth", "notes");
    for (const struct uoms_bench *bench = uoms_benches; bench->name != NULL; bench++) {
        char unit[48] = "";
        if ((bench->flags & UOMS_SIZED) && bench->unit > 1)
            snprintf(unit, sizeof unit, "sizes: multiples of %zu", bench->unit);
        printf("%-30s %-24s %-14s %-10s %s%s\n", bench->name, bench->operation, bench->group, factors[bench->bandwidth],
               bench->missing != NULL ? "MISSING: " : "", bench->missing != NULL ? bench->missing : unit);
    }
}

/* ---- Progress, on standard error ---- */

static void show_progress(struct session *session, const struct uoms_bench *bench, size_t bytes)
{
    if (session->meter.thread != 0 || session->options.progress == UOMS_PROGRESS_OFF)
        return;
    double elapsed = (uoms_now_ns() - session->start_ns) / 1e9;
    /* At first only the time limit of a size is known. */
    double each = session->done >= 5 ? elapsed / session->done : session->options.time_s;
    double left = (session->total - session->done) * each;
    int in_place = session->options.progress == UOMS_PROGRESS_IN_PLACE;
    fprintf(stderr, "%s[%3.0f %%, %.0f of %.0f, about %.0f s left] %s %zu%s", in_place ? "\r\033[K" : "",
            100 * session->done / session->total, session->done, session->total, left, bench->name, bytes,
            in_place ? "" : "\n");
    fflush(stderr);
}

static void end_progress(const struct session *session)
{
    if (session->meter.thread == 0 && session->options.progress == UOMS_PROGRESS_IN_PLACE)
        fprintf(stderr, "\r\033[K");
}

/* ---- Sizes and algorithms ---- */

static void write_everywhere(struct session *session, const struct uoms_result *result)
{
    if (session->table != NULL)
        uoms_table_row(session->table, &session->options, result);
    if (session->csv != NULL)
        uoms_csv_row(session->csv, &session->options, result);
    uoms_write_result(&session->json, &session->options, result);
}

/* Runs all sizes of a benchmark that is set up, with the present placement of threads and algorithm */
static void run_sizes(struct session *session, struct uoms_run *run, const size_t *sizes, size_t size_count,
                      const struct uoms_pair *pair, const char *algorithm)
{
    static signed char verified[UOMS_MOST_SIZES];
    for (size_t i = 0; i < size_count; i++) {
        verified[i] = -1;
        run->bytes = sizes[i];
        if (session->options.verify && run->bench->check != NULL) {
            size_t wrong = uoms_verify(&session->meter, run);
            verified[i] = wrong == 0;
            session->wrong_count += wrong > 0;
        }
    }
    if (!session->options.measure)
        return;
    if (session->table != NULL)
        uoms_table_begin(session->table, &session->options, run->bench, run->threads, pair, algorithm);
    for (size_t i = 0; i < size_count; i++) {
        struct uoms_result result;
        run->bytes = sizes[i];
        show_progress(session, run->bench, run->bytes);
        if (run->bench->prepare != NULL)
            run->bench->prepare(run);
        uoms_measure(&session->meter, run, &result);
        result.verified = verified[i];
        result.pair = pair;
        result.is_forced = algorithm != NULL;
        result.algorithm =
            algorithm != NULL ? algorithm : port_algorithm(run->bench->operation, run->bytes, &session->options);
        if (session->meter.thread == 0)
            write_everywhere(session, &result);
        session->done++;
    }
}

/* The algorithms of a benchmark that -algorithm selects; none if it has none of them */
static size_t chosen_algorithms(const struct session *session, const struct uoms_bench *bench,
                                const char *names[MOST_ALGORITHMS])
{
    const char *wanted = session->options.algorithm;
    size_t chosen = 0;
    if (wanted == NULL)
        return 0;
    size_t count = port_algorithms(bench->operation, names, MOST_ALGORITHMS);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(wanted, "all") == 0 || uoms_matches(wanted, names[i]))
            names[chosen++] = names[i];
    }
    return chosen;
}

/* Every benchmark in the plan must have the algorithm of -algorithm NAME. */
static int check_algorithm(const struct session *session, char *message, size_t room)
{
    static const char *names[MOST_ALGORITHMS];
    const char *wanted = session->options.algorithm;
    if (wanted == NULL || strcmp(wanted, "all") == 0)
        return 0;
    for (size_t b = 0; b < session->plan.bench_count; b++) {
        const struct uoms_bench *bench = session->plan.benches[b];
        if (chosen_algorithms(session, bench, names) == 0) {
            size_t count = port_algorithms(bench->operation, names, MOST_ALGORITHMS);
            snprintf(message, room, "%s has no algorithm '%s' that could be chosen%s%s", bench->name, wanted,
                     count > 0 ? "; it has, for one, " : "", count > 0 ? names[0] : "");
            return 1;
        }
    }
    return 0;
}

/* Those of the sizes that an algorithm supports; returns how many */
static size_t supported_sizes(const struct uoms_bench *bench, const char *algorithm, const size_t *sizes,
                              size_t size_count, size_t *supported)
{
    size_t limit = port_algorithm_limit(bench->operation, algorithm);
    size_t count = 0;
    for (size_t i = 0; i < size_count; i++) {
        if (sizes[i] <= limit)
            supported[count++] = sizes[i];
    }
    return count;
}

/* Runs all sizes with the present placement of threads: with each algorithm that -algorithm selects, or with the
 * system's own choice if that is none */
static void run_placed(struct session *session, struct uoms_run *run, const size_t *sizes, size_t size_count,
                       const struct uoms_pair *pair)
{
    static const char *names[MOST_ALGORITHMS];
    static size_t some[UOMS_MOST_SIZES];
    const char *operation = run->bench->operation;
    size_t count = chosen_algorithms(session, run->bench, names);
    for (size_t i = 0; i < count; i++) {
        size_t fitting = supported_sizes(run->bench, names[i], sizes, size_count, some);
        if (fitting > 0 && port_use_algorithm(operation, names[i]) == 0)
            run_sizes(session, run, some, fitting, pair, names[i]);
        else
            session->done += (double)fitting;
        port_use_algorithm(operation, NULL);
    }
    if (count == 0)
        run_sizes(session, run, sizes, size_count, pair, NULL);
}

/* ---- How many measurements ---- */

/* Those of run_placed */
static double count_placed(const struct session *session, const struct uoms_bench *bench, const size_t *sizes,
                           size_t size_count)
{
    static const char *names[MOST_ALGORITHMS];
    static size_t some[UOMS_MOST_SIZES];
    size_t count = chosen_algorithms(session, bench, names);
    size_t total = count == 0 ? size_count : 0;
    for (size_t i = 0; i < count; i++)
        total += supported_sizes(bench, names[i], sizes, size_count, some);
    return (double)total;
}

/* Those of the plan */
static double count_measurements(const struct session *session)
{
    static size_t sizes[UOMS_MOST_SIZES];
    double total = 0;
    for (size_t b = 0; b < session->plan.bench_count; b++) {
        const struct uoms_bench *bench = session->plan.benches[b];
        size_t size_count = uoms_plan_sizes(&session->options, bench, sizes);
        double count = count_placed(session, bench, sizes, size_count);
        if ((bench->flags & UOMS_PAIR) && session->pairs != NULL)
            count *= 1 + (double)session->pair_count - (session->default_pair != NULL);
        total += count;
    }
    return total;
}

/* ---- Pairs of processors ---- */

/* Binds both threads to a pair of processors.  Zero, or non-zero on both if one could not be bound. */
static int bind_pair(int thread, const struct uoms_pair *pair)
{
    int cpu = thread == 0 ? pair->first : pair->second;
    int failed = uoms_bind(cpu);
    int failures[2] = {0, 0};
    if (failed)
        fprintf(stderr, "%s: thread %d cannot be bound to CPU %d; CPUs %d and %d are left out\n", uoms_command, thread,
                cpu, pair->first, pair->second);
    port_gather(&failed, sizeof failed, failures);
    if (thread == 0)
        failed = failures[0] || failures[1];
    port_broadcast(&failed, sizeof failed);
    return failed;
}

static void run_pairs(struct session *session, struct uoms_run *run, const size_t *sizes, size_t size_count)
{
    for (size_t i = 0; i < session->pair_count; i++) {
        if (session->pairs[i].is_default)
            continue;
        if (bind_pair(run->thread, &session->pairs[i]) == 0)
            run_placed(session, run, sizes, size_count, &session->pairs[i]);
        else
            session->done += count_placed(session, run->bench, sizes, size_count);
        uoms_bind(-1);
    }
}

/* ---- One benchmark ---- */

/* Zero, or non-zero if there was no memory, which thread 0 has reported. */
static int run_bench(struct session *session, const struct uoms_bench *bench)
{
    static size_t sizes[UOMS_MOST_SIZES];
    size_t count = uoms_plan_sizes(&session->options, bench, sizes);
    struct uoms_run run;

    memset(&run, 0, sizeof run);
    run.bench = bench;
    run.options = &session->options;
    run.thread = session->meter.thread;
    run.threads = session->meter.threads;
    for (size_t i = 0; i < count; i++)
        run.bytes = sizes[i] > run.bytes ? sizes[i] : run.bytes;
    if (count == 0)
        return 0;
    if (bench->setup != NULL && bench->setup(&run) != 0) {
        if (run.thread == 0)
            fprintf(stderr, "%s: %s: no memory for %zu bytes\n", uoms_command, bench->name, run.bytes);
        return 1;
    }
    port_barrier();
    if (session->options.sync == UOMS_SYNC_CLOCK)
        uoms_clock_synchronise(&session->meter.clock);
    run_placed(session, &run, sizes, count, bench->flags & UOMS_PAIR ? session->default_pair : NULL);
    if ((bench->flags & UOMS_PAIR) && session->pairs != NULL)
        run_pairs(session, &run, sizes, count);
    port_barrier();
    if (bench->teardown != NULL)
        bench->teardown(&run);
    return 0;
}

/* ---- Before and after ---- */

static int refuse(int thread, const char *message)
{
    if (thread == 0)
        fprintf(stderr, "%s: %s\n", uoms_command, message);
    return 2;
}

/* Files are opened before anything runs.  All threads learn whether that succeeded. */
static int open_files(struct session *session, char *message, size_t room)
{
    const struct uoms_options *options = &session->options;
    const char *paths[UOMS_MOST_FILES] = {options->json, options->csv};
    FILE *files[UOMS_MOST_FILES] = {NULL, NULL};
    int failed = 0;

    message[0] = '\0';
    if (session->meter.thread == 0)
        failed = uoms_open_files(paths, files, message, room);
    session->json.file = files[0];
    session->csv = files[1];
    session->table = session->meter.thread == 0 && !options->quiet ? stdout : NULL;
    port_broadcast(&failed, sizeof failed);
    return failed;
}

/* Marks the pair where two threads with these masks are, if each may use only one processor. */
static void mark_default(struct uoms_pair *pairs, size_t count, const char *first_mask, const char *second_mask)
{
    char *end;
    long first = strtol(first_mask, &end, 10);
    if (end == first_mask || *end != '\0')
        return;
    long second = strtol(second_mask, &end, 10);
    if (end == second_mask || *end != '\0')
        return;
    for (size_t i = 0; i < count; i++)
        pairs[i].is_default = pairs[i].first == first && pairs[i].second == second;
}

/* With two threads on one machine, finds the pairs of processors for point-to-point benchmarks. */
static void find_pairs(struct session *session)
{
    static struct uoms_cpus cpus;
    char masks[2][MASK_ROOM];
    char merged[2 * MASK_ROOM + 2];
    size_t count = 0;

    if (session->meter.threads != 2 || !session->meter.is_near)
        return;
    char mine[MASK_ROOM];
    uoms_affinity_text(mine, sizeof mine);
    port_gather(mine, sizeof mine, masks);
    session->pairs = malloc(MOST_PAIRS * sizeof *session->pairs);
    if (session->pairs == NULL)
        port_abort(1);
    if (session->meter.thread == 0) {
        snprintf(merged, sizeof merged, "%s,%s", masks[0], masks[1]);
        uoms_cpus_read("", merged, &cpus);
        count = uoms_cpu_pairs(&cpus, session->options.all_pairs, session->pairs, MOST_PAIRS);
        mark_default(session->pairs, count, masks[0], masks[1]);
    }
    port_broadcast(&count, sizeof count);
    for (size_t i = 0; i < count; i++)
        port_broadcast(&session->pairs[i], sizeof session->pairs[i]);
    session->pair_count = count;
    for (size_t i = 0; i < count; i++) {
        if (session->pairs[i].is_default)
            session->default_pair = &session->pairs[i];
    }
}

/* Whether there are more threads than processors that they may use; the same on all threads. */
static int is_crowded(int thread, int threads)
{
    char mine[MASK_ROOM];
    char *masks = malloc((size_t)threads * MASK_ROOM);
    int near = port_threads_on_node();
    int crowded = 0;
    if (masks == NULL)
        port_abort(1);
    uoms_affinity_text(mine, sizeof mine);
    port_gather(mine, sizeof mine, masks);
    if (thread == 0) {
        char *list = malloc((size_t)threads * MASK_ROOM);
        size_t used = 0;
        if (list == NULL)
            port_abort(1);
        for (int t = 0; t < threads; t++)
            used += (size_t)sprintf(list + used, "%s%s", t > 0 ? "," : "", masks + (size_t)t * MASK_ROOM);
        crowded = (size_t)near > uoms_cpu_count(list);
        free(list);
    }
    free(masks);
    port_broadcast(&crowded, sizeof crowded);
    return crowded;
}

static void write_headers(struct session *session)
{
    double error = session->meter.clock.error_ns;
    int threads = session->meter.threads;
    char mine[MASK_ROOM];
    char *masks = malloc((size_t)threads * MASK_ROOM);
    char *joined = malloc((size_t)threads * MASK_ROOM + 1);
    double *errors = malloc((size_t)threads * sizeof *errors);

    if (masks == NULL || joined == NULL || errors == NULL)
        port_abort(1);
    uoms_affinity_text(mine, sizeof mine);
    port_gather(mine, sizeof mine, masks);
    port_gather(&error, sizeof error, errors);
    if (session->meter.thread == 0) {
        size_t used = 0;
        for (int t = 0; t < threads; t++) {
            used += (size_t)sprintf(joined + used, "%s%s", t > 0 ? " | " : "", masks + (size_t)t * MASK_ROOM);
            error = errors[t] > error ? errors[t] : error;
        }
        if (session->table != NULL)
            uoms_table_header(session->table, &session->options, &session->plan, threads, joined);
        if (session->csv != NULL)
            uoms_csv_header(session->csv);
        uoms_json_stream(&session->json, NULL, '{');
        uoms_json_text(&session->json, "format", "uoms-2");
        uoms_write_context(&session->json, &session->options, &session->meter.clock, error, threads, masks, MASK_ROOM);
        uoms_json_stream(&session->json, "results", '[');
    }
    free(masks);
    free(joined);
    free(errors);
}

static int complain_of(const char *path)
{
    fprintf(stderr, "%s: %s cannot be written%s%s\n", uoms_command, path, errno != 0 ? ": " : "",
            errno != 0 ? strerror(errno) : "");
    return 1;
}

/* Flushes a file; zero if everything was written. */
static int flush_file(FILE *file, const char *path)
{
    int was_lost = ferror(file); /* which does not tell why; another try does */
    errno = 0;
    if (was_lost)
        putc('\n', file);
    return fflush(file) != 0 || was_lost ? complain_of(path) : 0;
}

/* Closes a file, if it is not null; zero if everything was written. */
static int close_file(FILE *file, const char *path)
{
    int failed = file != NULL && flush_file(file, path);
    if (file != NULL && fclose(file) != 0 && !failed)
        failed = complain_of(path);
    return failed;
}

static int finish(struct session *session)
{
    int failed = 0;
    if (session->meter.thread == 0) {
        uoms_json_close(&session->json, ']');
        uoms_json_close(&session->json, '}');
        if (session->json.file != NULL)
            putc('\n', session->json.file);
        failed |= close_file(session->json.file, session->options.json);
        failed |= close_file(session->csv, session->options.csv);
        if (session->wrong_count > 0)
            fprintf(stderr, "%s: %zu results are WRONG\n", uoms_command, session->wrong_count);
        if (session->options.verify && !session->options.measure && session->wrong_count == 0 && session->table != NULL)
            printf("# All results are right\n");
    }
    port_broadcast(&failed, sizeof failed);
    return failed || session->wrong_count > 0;
}

static int run_session(struct session *session)
{
    char message[MESSAGE_ROOM];
    int thread = session->meter.thread;

    if (uoms_plan_make(&session->options, &session->plan, message, sizeof message))
        return refuse(thread, message);
    double available = uoms_memory_available("");
    port_broadcast(&available, sizeof available);
    if (uoms_plan_fits(&session->options, &session->plan, session->meter.threads, port_threads_on_node(), available,
                       message, sizeof message))
        return refuse(thread, message);
    if (check_algorithm(session, message, sizeof message))
        return refuse(thread, message);
    if (uoms_meter_start(&session->meter, &session->options)) {
        fprintf(stderr, "%s: no memory for %zu samples\n", uoms_command, session->options.repetitions);
        port_abort(1);
    }
    if (session->options.all_pairs && !session->meter.is_near)
        return refuse(thread, "-all_pairs: pairs of processors are those of one machine, and the threads are on two");
    session->meter.is_crowded = is_crowded(thread, session->meter.threads);
    if (session->options.sync == UOMS_SYNC_MEETING &&
        uoms_meeting_open(&session->meter.meeting, session->meter.is_crowded))
        return refuse(thread,
                      "-sync meeting: the threads share no memory; on several machines use -sync clock or barrier");
    if (open_files(session, message, sizeof message))
        return refuse(thread, message);
    if (session->options.sync == UOMS_SYNC_CLOCK)
        uoms_clock_synchronise(&session->meter.clock);
    find_pairs(session);
    write_headers(session);
    if (session->options.progress == UOMS_PROGRESS_AUTOMATIC)
        session->options.progress = isatty(2) ? UOMS_PROGRESS_IN_PLACE : UOMS_PROGRESS_OFF;
    session->total = count_measurements(session);
    session->start_ns = uoms_now_ns();
    for (size_t b = 0; b < session->plan.bench_count; b++) {
        if (run_bench(session, session->plan.benches[b]))
            port_abort(1);
    }
    end_progress(session);
    uoms_meeting_close(&session->meter.meeting);
    uoms_meter_finish(&session->meter);
    return finish(session);
}

static void print_version(void)
{
    char version[PORT_VERSION_BYTES];
    port_version(version);
    printf("%s %s over %s: %s\n", uoms_command, UOMS_SUITE_VERSION, port_system, version);
}

int main(int argc, char **argv)
{
    static struct session session;
    char message[MESSAGE_ROOM];
    int status = 0;

    if (port_start(&argc, &argv) != 0)
        return 1;
    int thread = port_thread();
    session.meter.thread = thread;
    session.meter.threads = port_threads();
    if (uoms_options_parse(argc, argv, session.meter.threads, &session.options, message, sizeof message))
        status = refuse(thread, message);
    else if (session.options.help && thread == 0)
        uoms_print_help(stdout);
    else if (session.options.version && thread == 0)
        print_version();
    else if (session.options.list && thread == 0)
        list_benches();
    else if (!session.options.help && !session.options.version && !session.options.list)
        status = run_session(&session);
    if (thread == 0 && flush_file(stdout, "standard output") && status == 0)
        status = 1;
    port_finish();
    return status;
}
