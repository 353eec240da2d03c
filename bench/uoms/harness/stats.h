/* stats.h: statistics of a set of samples.  Pure functions; times in nanoseconds. */
#ifndef UOMS_STATS_H
#define UOMS_STATS_H

#include <stddef.h>

/* Over the samples that are numbers; every field is NaN if there are none, low and high are NaN for fewer than 6
 * samples. */
struct uoms_summary {
    size_t count;
    double min, max, mean, median;
    double low, high; /* 95 % interval of the median */
    double p95, p99;
    size_t outliers; /* beyond 3 interquartile ranges from the quartiles */
};

/* IMB's definition: the mean over iterations for each thread, then minimum, maximum and mean of these over threads */
struct uoms_imb {
    double min, max, mean;
};

/*
 * Summarises count samples.  scratch has room for count.  With discards set, outliers are counted and then left out of
 * everything else.
 */
void uoms_summarise(const double *samples, size_t count, int discards, double *scratch, struct uoms_summary *summary_p);

/*
 * Order statistics that enclose the median with a probability of at least 95 %: sorted[*low_p] to sorted[*high_p],
 * counted from 0.  Exact for independent samples of any distribution.  Returns zero, and writes nothing, for fewer than
 * 6 samples, where there are none.
 */
int uoms_median_ranks(size_t count, size_t *low_p, size_t *high_p);

/* The value below which the given fraction of sorted samples is, interpolated between neighbours */
double uoms_quantile(const double *sorted, size_t count, double fraction);

/*
 * raw[t * count + i] is thread t's time for iteration i, NaN for an invalid one, negative for a thread that did not
 * take part.  Computes the slowest thread of each iteration; NaN if any thread's time is.
 */
void uoms_slowest(const double *raw, int threads, size_t count, double *slowest);

/* From the same array; threads that did not take part are left out. */
void uoms_imb(const double *raw, int threads, size_t count, struct uoms_imb *imb_p);

/* Median over iterations of slowest minus fastest thread; NaN if only one takes part.  scratch has room for count. */
double uoms_skew(const double *raw, int threads, size_t count, double *scratch);

#endif
