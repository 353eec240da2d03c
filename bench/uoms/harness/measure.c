#include "measure.h"

#include "cache.h"
#include "now.h"
#include "plan.h"
#include "port.h"

#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_REPETITIONS = 6, WARMUP = 5 };

/* Far more than a message between machines takes; if that is not enough, threads are late because they lack a core. */
static const double MOST_SLACK_NS = 20e6;

int uoms_meter_start(struct uoms_meter *meter, const struct uoms_options *options)
{
    size_t room = options->repetitions < LEAST_REPETITIONS ? LEAST_REPETITIONS : options->repetitions;
    memset(meter, 0, sizeof *meter);
    meter->options = options;
    meter->thread = port_thread();
    meter->threads = port_threads();
    meter->slack_ns = 5e3 * meter->threads;
    meter->is_near = port_threads_on_node() == meter->threads;
    uoms_clock_examine(&meter->clock);
    meter->mine = malloc(room * sizeof(double));
    meter->slowest = malloc(room * sizeof(double));
    meter->scratch = malloc(room * sizeof(double));
    meter->raw = malloc(room * sizeof(double) * (meter->thread == 0 ? (size_t)meter->threads : 1));
    return meter->mine == NULL || meter->slowest == NULL || meter->scratch == NULL || meter->raw == NULL;
}

void uoms_meter_finish(struct uoms_meter *meter)
{
    free(meter->mine);
    free(meter->slowest);
    free(meter->scratch);
    free(meter->raw);
}

/* The largest of all threads' values, on all threads */
static double largest_of_all(struct uoms_meter *meter, double value)
{
    port_gather(&value, sizeof value, meter->raw);
    if (meter->thread == 0) {
        for (int t = 1; t < meter->threads; t++)
            value = meter->raw[t] > value ? meter->raw[t] : value;
    }
    port_broadcast(&value, sizeof value);
    return value;
}

static int takes_part(const struct uoms_bench *bench, int thread)
{
    return thread == 0 || !(bench->flags & UOMS_ALONE);
}

/* ---- Before each operation ---- */

static void choose_root(const struct uoms_options *options, struct uoms_run *run, unsigned iteration)
{
    run->root = options->root == UOMS_ROTATE ? (int)(iteration % (unsigned)run->threads) : options->root;
}

static void set_caches(const struct uoms_options *options, struct uoms_run *run)
{
    if (options->cache == UOMS_HOT)
        return;
    /* The barrier is needed because this work would delay a thread on the same core that is still in the last
     * operation. */
    port_barrier();
    for (size_t i = 0; i < sizeof run->regions / sizeof run->regions[0]; i++) {
        size_t size_bytes = run->regions[i].per_byte * run->bytes;
        if (run->regions[i].data == NULL)
            continue;
        if (options->cache == UOMS_COLD)
            uoms_cache_evict(run->regions[i].data, size_bytes);
        else
            uoms_cache_read(run->regions[i].data, size_bytes);
    }
    if (options->cache == UOMS_MODIFIED && run->bench->prepare != NULL)
        run->bench->prepare(run);
}

/* The delay of a thread in an iteration, which all threads compute alike */
static double delay_ns(const struct uoms_options *options, int thread, unsigned iteration)
{
    unsigned mixed = (iteration * 0x9E3779B1u) ^ ((unsigned)thread * 0x85EBCA77u);
    mixed ^= mixed >> 15;
    mixed *= 0x2C1B3C6Du;
    mixed ^= mixed >> 13;
    return options->skew_ns * (double)(mixed % 1000u) / 999.0;
}

/* If threads share cores, another thread may need this core to get there. */
static void wait_until(double time_ns, int gives_way)
{
    while (uoms_now_ns() < time_ns) {
        if (gives_way)
            sched_yield();
    }
}

/* ---- One sample ---- */

static double time_run(struct uoms_run *run, long count, double since_ns)
{
    double start = since_ns > 0 ? since_ns : uoms_now_ns();
    run->work_ns = 0;
    run->bench->run(run, count);
    double time = uoms_now_ns() - start - run->work_ns;
    return (time > 0 ? time : 0) / (double)count;
}

static double sample_behind_barrier(struct uoms_meter *meter, struct uoms_run *run, long count)
{
    const struct uoms_options *options = meter->options;
    if (options->sync == UOMS_SYNC_MEETING)
        uoms_meet(&meter->meeting);
    else
        port_barrier();
    if (!takes_part(run->bench, run->thread))
        return -1;
    if (options->skew_ns == 0)
        return time_run(run, count, 0);

    /* Time counts from the arrival of the last thread that takes part; one that finishes before that takes no time. */
    double start = uoms_now_ns();
    double latest = 0;
    for (int t = 0; t < run->threads && takes_part(run->bench, t); t++) {
        double delay = delay_ns(options, t, meter->iteration);
        latest = delay > latest ? delay : latest;
    }
    wait_until(start + delay_ns(options, run->thread, meter->iteration), 0);
    double time = time_run(run, count, start) - latest / (double)count;
    return time > 0 ? time : 0;
}

static double sample_in_window(struct uoms_meter *meter, struct uoms_run *run, long count)
{
    double start = uoms_now_ns() + meter->slack_ns;
    port_barrier();
    port_broadcast(&start, sizeof start);
    start += meter->clock.offset_ns;
    int is_late = uoms_now_ns() > start;
    wait_until(start, meter->is_crowded);
    if (!takes_part(run->bench, run->thread))
        return is_late ? NAN : -1;
    double time = time_run(run, count, start);
    return is_late ? NAN : time;
}

static double take_sample(struct uoms_meter *meter, struct uoms_run *run, long count)
{
    meter->iteration++;
    run->seed = meter->iteration;
    choose_root(meter->options, run, meter->iteration);
    set_caches(meter->options, run);
    return meter->options->sync == UOMS_SYNC_CLOCK ? sample_in_window(meter, run, count)
                                                   : sample_behind_barrier(meter, run, count);
}

/* ---- How many ---- */

/* After a series of windows: increases the slack if threads came late.  Returns whether most of the series was lost and
 * should be repeated */
static int adapt_slack(struct uoms_meter *meter, size_t first, size_t count)
{
    double late = 0;
    for (size_t i = first; i < first + count; i++)
        late += isnan(meter->mine[i]);
    late = largest_of_all(meter, late);
    if (late <= (double)count / 10 || meter->slack_ns >= MOST_SLACK_NS)
        return 0;
    meter->slack_ns *= 2;
    return late > (double)count / 2;
}

/* Samples that agree up to the clock's resolution are not more precise than that. */
static int is_precise(struct uoms_meter *meter, size_t count, long batch)
{
    double step = meter->clock.step_ns / (double)batch;
    int precise = 0;
    port_gather(meter->mine, count * sizeof(double), meter->raw);
    if (meter->thread == 0) {
        struct uoms_summary summary;
        uoms_slowest(meter->raw, meter->threads, count, meter->slowest);
        uoms_summarise(meter->slowest, count, meter->options->discards_outliers, meter->scratch, &summary);
        precise = (summary.high - summary.low + step) / 2 <= meter->options->precision * summary.median;
    }
    port_broadcast(&precise, sizeof precise);
    return precise;
}

/* How many more samples to take; 0 if there are enough */
static size_t next_bout(struct uoms_meter *meter, size_t taken, double elapsed_ns, long batch)
{
    const struct uoms_options *options = meter->options;
    double left_ns = options->time_s * 1e9 - elapsed_ns;
    size_t most = options->repetitions - (taken < options->repetitions ? taken : options->repetitions);
    size_t bout = 2 * taken;

    if (taken == 0)
        return most < 2 ? most : 2;
    if (options->precision > 0 && taken >= LEAST_REPETITIONS && is_precise(meter, taken, batch))
        return 0;
    if (left_ns <= 0)
        bout = 0;
    else if ((double)bout > left_ns / (elapsed_ns / (double)taken))
        bout = (size_t)(left_ns / (elapsed_ns / (double)taken));
    if (taken + bout < LEAST_REPETITIONS)
        bout = LEAST_REPETITIONS - taken;
    return bout < most ? bout : most;
}

static size_t take_samples(struct uoms_meter *meter, struct uoms_run *run, long batch)
{
    double start = uoms_now_ns();
    double elapsed = 0;
    size_t taken = 0;
    size_t bout;
    while ((bout = next_bout(meter, taken, elapsed, batch)) > 0) {
        for (size_t i = 0; i < bout; i++)
            meter->mine[taken + i] = take_sample(meter, run, batch);
        if (meter->options->sync != UOMS_SYNC_CLOCK || !adapt_slack(meter, taken, bout))
            taken += bout;
        elapsed = largest_of_all(meter, uoms_now_ns() - start);
    }
    return taken;
}

static void set_bandwidth(struct uoms_result *result)
{
    double threads = result->threads;
    double factor = result->bench->bandwidth == UOMS_TIMES_ONE       ? 1
                    : result->bench->bandwidth == UOMS_TIMES_THREADS ? threads
                    : result->bench->bandwidth == UOMS_TIMES_SQUARE  ? threads * threads
                                                                     : NAN;
    double volume = factor * (double)result->bytes * 1e3; /* bytes per nanosecond are 10^3 times 10^6 per second */
    result->bandwidth_max = volume / result->slowest.min;
    result->bandwidth_min = volume / result->slowest.max;
    result->bandwidth_mean = volume / result->slowest.mean;
}

void uoms_measure(struct uoms_meter *meter, struct uoms_run *run, struct uoms_result *result_p)
{
    long batch = uoms_plan_batch(meter->options, run->bench, run->bytes, run->threads, meter->is_near);
    if (meter->options->warmup) {
        size_t warmups = meter->options->warmups > 0 ? meter->options->warmups : WARMUP;
        for (size_t i = 0; i < warmups; i++)
            take_sample(meter, run, batch);
    }
    size_t count = take_samples(meter, run, batch);

    result_p->bench = run->bench;
    result_p->bytes = run->bytes;
    result_p->threads = run->threads;
    result_p->repetitions = count;
    result_p->batch = batch;
    port_gather(meter->mine, count * sizeof(double), meter->raw);
    if (meter->thread != 0)
        return;
    result_p->raw = meter->raw;
    uoms_slowest(meter->raw, meter->threads, count, meter->slowest);
    uoms_summarise(meter->slowest, count, meter->options->discards_outliers, meter->scratch, &result_p->slowest);
    result_p->late = 0;
    for (size_t i = 0; i < count; i++)
        result_p->late += isnan(meter->slowest[i]) ? 1 : 0;
    uoms_imb(meter->raw, meter->threads, count, &result_p->imb);
    result_p->skew = uoms_skew(meter->raw, meter->threads, count, meter->scratch);
    set_bandwidth(result_p);
}

/* ---- Checking ---- */

struct fault {
    double wrong;
    double place;
    unsigned bad, good;
};

/* Thread 0 reports which thread found what. */
static double report_faults(struct uoms_meter *meter, const struct uoms_run *run, const struct fault *mine)
{
    struct fault *all = NULL;
    double total = 0;
    if (meter->thread == 0 && (all = malloc((size_t)meter->threads * sizeof *all)) == NULL)
        port_abort(1);
    port_gather(mine, sizeof *mine, all);
    for (int t = 0; meter->thread == 0 && t < meter->threads; t++) {
        if (all[t].wrong > 0 && total == 0)
            fprintf(stderr,
                    "%s: wrong result: %s, %zu bytes, root %d: thread %d has %.0f wrong bytes, the first at %.0f: "
                    "0x%02x in place of 0x%02x\n",
                    uoms_command, run->bench->name, run->bytes, run->root, t, all[t].wrong, all[t].place, all[t].bad,
                    all[t].good);
        total += all[t].wrong;
    }
    free(all);
    port_broadcast(&total, sizeof total);
    return total;
}

size_t uoms_verify(struct uoms_meter *meter, struct uoms_run *run)
{
    int roots = (run->bench->flags & UOMS_ROOTED) && meter->options->root == UOMS_ROTATE ? run->threads : 1;
    double total = 0;
    for (int i = 0; i < roots; i++) {
        struct fault fault = {0, 0, 0, 0};
        meter->iteration++;
        run->seed = meter->iteration;
        run->root = meter->options->root == UOMS_ROTATE ? i : meter->options->root;
        run->bench->prepare(run);
        if (run->bench->clear != NULL)
            run->bench->clear(run);
        port_barrier();
        if (takes_part(run->bench, run->thread))
            run->bench->run(run, 1);
        port_barrier();
        fault.wrong = (double)run->bench->check(run);
        fault.place = (double)run->bad_place;
        fault.bad = run->bad_value;
        fault.good = run->good_value;
        total += report_faults(meter, run, &fault);
    }
    return (size_t)total;
}
