/* stats.h: what a set of samples says.  Pure functions; times in nanoseconds. */
#ifndef UOMS_STATS_H
#define UOMS_STATS_H

#include <stddef.h>

/* Of the samples that are numbers; every field is a NaN if there are none, low and high are below 6 samples. */
struct uoms_summary {
    size_t count;
    double min, max, mean, median;
    double low, high; /* 95 % interval of the median */
    double p95, p99;
    size_t outliers; /* beyond 3 interquartile ranges from the quartiles */
};

/* IMB's definition: the mean over iterations of each thread, then these over threads */
struct uoms_imb {
    double min, max, mean;
};

/*
 * Summarises count samples.  scratch has room for count.  With discards set, outliers are counted and then left out of
 * everything else.
 */
void uoms_summarise(const double *samples, size_t count, int discards, double *scratch, struct uoms_summary *summary_p);

/*
 * Order statistics that hold the median with at least 95 %: sorted[*low_p] to sorted[*high_p], counted from 0.  Exact
 * for independent samples of any distribution.  Zero, and nothing written, below 6 samples, where there are none.
 */
int uoms_median_ranks(size_t count, size_t *low_p, size_t *high_p);

/* Value below which the fraction lies of sorted samples, between neighbours by interpolation */
double uoms_quantile(const double *sorted, size_t count, double fraction);

/*
 * raw[t * count + i] is thread t's time for iteration i, NaN for an invalid one, negative for a thread that had no
 * part. Slowest thread of each iteration; NaN if any thread's is.
 */
void uoms_slowest(const double *raw, int threads, size_t count, double *slowest);

/* The same array; threads without part are left out. */
void uoms_imb(const double *raw, int threads, size_t count, struct uoms_imb *imb_p);

/* Median over iterations of slowest minus fastest thread; NaN if only one takes part.  scratch has room for count. */
double uoms_skew(const double *raw, int threads, size_t count, double *scratch);

#endif
