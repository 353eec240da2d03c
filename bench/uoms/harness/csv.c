#include "output.h"

#include <math.h>

void uoms_csv_header(FILE *file)
{
    fprintf(
        file,
        "benchmark,operation,threads,bytes,repetitions,batch,t_min_ns,t_max_ns,t_avg_ns,bw_max,bw_min,bw_avg,"
        "t_median_ns,ci_low_ns,ci_high_ns,t_p95_ns,t_p99_ns,skew_ns,outliers,outliers_discarded,late,"
        "imb_t_min_ns,imb_t_max_ns,imb_t_avg_ns,verified,sync_mode,reduce_op,cache,algorithm,cpu_first,cpu_second\n");
}

static void put_number(FILE *file, double number)
{
    if (isnan(number) || isinf(number))
        fprintf(file, ",");
    else
        fprintf(file, ",%.6g", number);
}

void uoms_csv_row(FILE *file, const struct uoms_options *options, const struct uoms_result *result)
{
    const struct uoms_summary *times = &result->slowest;
    const double numbers[] = {times->min,
                              times->max,
                              times->mean,
                              result->bandwidth_max,
                              result->bandwidth_min,
                              result->bandwidth_mean,
                              times->median,
                              times->low,
                              times->high,
                              times->p95,
                              times->p99,
                              result->skew};
    char mode[64];

    fprintf(file, "%s,%s,%d,%zu,%zu,%ld", result->bench->name, result->bench->operation, result->threads, result->bytes,
            result->repetitions, result->batch);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        put_number(file, numbers[i]);
    fprintf(file, ",%zu,%d,%zu", times->outliers, options->discards_outliers, result->late);
    put_number(file, result->imb.min);
    put_number(file, result->imb.max);
    put_number(file, result->imb.mean);
    uoms_sync_mode_name(options, mode, sizeof mode);
    fprintf(file, ",%s,%s,%s,%s,%s",
            result->verified < 0 ? ""
            : result->verified   ? "yes"
                                 : "NO",
            result->bench->flags & UOMS_SYNC_MODES ? mode : "",
            result->bench->flags & UOMS_REDUCES ? uoms_operator_name(options->reduce_op) : "",
            uoms_cache_name(options->cache), result->algorithm != NULL ? result->algorithm : "");
    if (result->pair != NULL)
        fprintf(file, ",%d,%d\n", result->pair->first, result->pair->second);
    else
        fprintf(file, ",,\n");
    fflush(file);
}
