#include "stats.h"

#include <math.h>
#include <stdlib.h>

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

double uoms_quantile(const double *sorted, size_t count, double fraction)
{
    double place = fraction * (double)(count - 1);
    size_t below = (size_t)place;
    if (below + 1 >= count)
        return sorted[count - 1];
    return sorted[below] + (place - (double)below) * (sorted[below + 1] - sorted[below]);
}

int uoms_median_ranks(size_t count, size_t *low_p, size_t *high_p)
{
    /* P(fewer than k + 1 of count samples are below the median), summed until it would exceed 2.5 %.  In logarithms,
     * since 2^-count underflows. */
    double log_term = -(double)count * log(2.0);
    double tail = 0;
    size_t excluded = 0;

    while (excluded < count / 2) {
        tail += exp(log_term);
        if (tail > 0.025)
            break;
        log_term += log((double)(count - excluded) / (double)(excluded + 1));
        excluded++;
    }
    if (excluded == 0)
        return 0;
    *low_p = excluded - 1;
    *high_p = count - excluded;
    return 1;
}

static size_t copy_numbers(const double *samples, size_t count, double *numbers)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (!isnan(samples[i]))
            numbers[kept++] = samples[i];
    }
    return kept;
}

/* Counts outliers of sorted samples; if they are discarded, *first_p and *count_p become the range without them. */
static size_t find_outliers(const double *sorted, int discards, size_t *first_p, size_t *count_p)
{
    size_t count = *count_p;
    double lower = uoms_quantile(sorted, count, 0.25);
    double upper = uoms_quantile(sorted, count, 0.75);
    double reach = 3 * (upper - lower);
    size_t below = 0;
    size_t above = 0;
    while (below < count && sorted[below] < lower - reach)
        below++;
    while (above < count && sorted[count - 1 - above] > upper + reach)
        above++;
    if (discards) {
        *first_p = below;
        *count_p = count - below - above;
    }
    return below + above;
}

void uoms_summarise(const double *samples, size_t count, int discards, double *scratch, struct uoms_summary *summary_p)
{
    struct uoms_summary none = {0, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, 0};
    size_t kept = copy_numbers(samples, count, scratch);
    size_t first = 0;
    size_t low, high;

    *summary_p = none;
    if (kept == 0)
        return;
    qsort(scratch, kept, sizeof *scratch, compare_doubles);
    summary_p->outliers = find_outliers(scratch, discards, &first, &kept);

    const double *sorted = scratch + first;
    double sum = 0;
    for (size_t i = 0; i < kept; i++)
        sum += sorted[i];
    summary_p->count = kept;
    summary_p->min = sorted[0];
    summary_p->max = sorted[kept - 1];
    summary_p->mean = sum / (double)kept;
    summary_p->median = uoms_quantile(sorted, kept, 0.5);
    summary_p->p95 = uoms_quantile(sorted, kept, 0.95);
    summary_p->p99 = uoms_quantile(sorted, kept, 0.99);
    if (uoms_median_ranks(kept, &low, &high)) {
        summary_p->low = sorted[low];
        summary_p->high = sorted[high];
    }
}

void uoms_slowest(const double *raw, int threads, size_t count, double *slowest)
{
    for (size_t i = 0; i < count; i++) {
        slowest[i] = 0;
        for (int t = 0; t < threads; t++) {
            double time = raw[(size_t)t * count + i];
            if (isnan(time) || time > slowest[i])
                slowest[i] = time;
            if (isnan(time))
                break;
        }
    }
}

void uoms_imb(const double *raw, int threads, size_t count, struct uoms_imb *imb_p)
{
    double sum_of_means = 0;
    int parts = 0;
    imb_p->min = imb_p->max = imb_p->mean = NAN;
    for (int t = 0; t < threads; t++) {
        double sum = 0;
        size_t kept = 0;
        for (size_t i = 0; i < count; i++) {
            double time = raw[(size_t)t * count + i];
            if (!isnan(time) && time >= 0) {
                sum += time;
                kept++;
            }
        }
        if (kept == 0)
            continue;
        double mean = sum / (double)kept;
        if (parts == 0 || mean < imb_p->min)
            imb_p->min = mean;
        if (parts == 0 || mean > imb_p->max)
            imb_p->max = mean;
        sum_of_means += mean;
        parts++;
    }
    if (parts > 0)
        imb_p->mean = sum_of_means / parts;
}

double uoms_skew(const double *raw, int threads, size_t count, double *scratch)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        double fastest = INFINITY;
        double slowest = -INFINITY;
        int parts = 0;
        int valid = 1;
        for (int t = 0; t < threads; t++) {
            double time = raw[(size_t)t * count + i];
            valid = valid && !isnan(time);
            if (isnan(time) || time < 0)
                continue;
            parts++;
            fastest = time < fastest ? time : fastest;
            slowest = time > slowest ? time : slowest;
        }
        if (valid && parts > 1)
            scratch[kept++] = slowest - fastest;
    }
    if (kept == 0)
        return NAN;
    qsort(scratch, kept, sizeof *scratch, compare_doubles);
    return uoms_quantile(scratch, kept, 0.5);
}
