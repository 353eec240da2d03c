/* measure.h: runs one benchmark with one size until the result is good enough.  All calls are collective. */
#ifndef UOMS_MEASURE_H
#define UOMS_MEASURE_H

#include "bench.h"
#include "clock.h"
#include "cpus.h"
#include "meeting.h"
#include "options.h"
#include "stats.h"

/* The result of one benchmark and size.  Samples and summaries are thread 0's; times in nanoseconds. */
struct uoms_result {
    const struct uoms_bench *bench;
    size_t bytes;
    int threads;
    const char *algorithm;        /* the one that ran; null if not known */
    int is_forced;                /* -algorithm chose it */
    const struct uoms_pair *pair; /* null if threads run where they were placed */
    int verified;                 /* 1 right, 0 wrong, -1 not checked */
    size_t repetitions; /* per thread, including late windows, but not series that were repeated with more slack */
    long batch;         /* operations in each */
    size_t late;        /* windows to which a thread came late; -sync clock */
    const double *raw;  /* [thread * repetitions + i], as in stats.h */
    struct uoms_summary slowest;
    struct uoms_imb imb;
    double skew;
    double bandwidth_max, bandwidth_min, bandwidth_mean; /* 10^6 bytes per second; NaN if none */
};

/* One per thread */
struct uoms_meter {
    const struct uoms_options *options;
    int thread, threads;
    struct uoms_clock clock;
    struct uoms_meeting meeting; /* open with -sync meeting */
    int is_near;                 /* all threads are on one machine */
    int is_crowded;              /* there are more threads than processors, so waiting threads yield */
    double slack_ns;             /* from agreeing on a window to its start */
    unsigned iteration;
    double *mine, *raw, *slowest, *scratch;
};

/* Zero, or non-zero if there is no memory for the samples. */
int uoms_meter_start(struct uoms_meter *meter, const struct uoms_options *options);
void uoms_meter_finish(struct uoms_meter *meter);

/*
 * Checks one operation with each root that -root selects.  Returns the number of wrong bytes, the same on all threads;
 * thread 0 reports the first on standard error.
 */
size_t uoms_verify(struct uoms_meter *meter, struct uoms_run *run);

/* Measures; the result's raw samples stay valid until the next call.  On threads other than 0 only repetitions and
 * batch are set. */
void uoms_measure(struct uoms_meter *meter, struct uoms_run *run, struct uoms_result *result_p);

#endif
