#include "output.h"

static void write_summary(struct uoms_json *json, const struct uoms_result *result)
{
    const struct uoms_summary *times = &result->slowest;
    uoms_json_number(json, "t_min", times->min);
    uoms_json_number(json, "t_max", times->max);
    uoms_json_number(json, "t_avg", times->mean);
    uoms_json_number(json, "median", times->median);
    uoms_json_number(json, "ci_low", times->low);
    uoms_json_number(json, "ci_high", times->high);
    uoms_json_number(json, "p95", times->p95);
    uoms_json_number(json, "p99", times->p99);
    uoms_json_number(json, "skew", result->skew);
    uoms_json_number(json, "bw_max", result->bandwidth_max);
    uoms_json_number(json, "bw_min", result->bandwidth_min);
    uoms_json_number(json, "bw_avg", result->bandwidth_mean);
    uoms_json_open(json, "imb", '{');
    uoms_json_number(json, "t_min", result->imb.min);
    uoms_json_number(json, "t_max", result->imb.max);
    uoms_json_number(json, "t_avg", result->imb.mean);
    uoms_json_close(json, '}');
}

void uoms_write_result(struct uoms_json *json, const struct uoms_options *options, const struct uoms_result *result)
{
    const struct uoms_bench *bench = result->bench;
    char mode[64];

    if (json->file == NULL)
        return;
    uoms_json_open(json, NULL, '{');
    uoms_json_text(json, "name", bench->name);
    uoms_json_text(json, "operation", bench->operation);
    uoms_json_text(json, "group", bench->group);
    uoms_json_count(json, "threads", (size_t)result->threads);
    uoms_json_count(json, "bytes", result->bytes);
    uoms_json_bool(json, "sized", (bench->flags & UOMS_SIZED) != 0);
    uoms_json_text(json, "algorithm", result->algorithm);
    uoms_json_bool(json, "forced", result->is_forced);
    if (bench->flags & UOMS_SYNC_MODES) {
        uoms_sync_mode_name(options, mode, sizeof mode);
        uoms_json_text(json, "sync_mode", mode);
    }
    if (bench->flags & UOMS_REDUCES)
        uoms_json_text(json, "reduce_op", uoms_operator_name(options->reduce_op));
    if (result->pair != NULL) {
        uoms_json_open(json, "pair", '{');
        uoms_json_count(json, "first", (size_t)result->pair->first);
        uoms_json_count(json, "second", (size_t)result->pair->second);
        uoms_json_count(json, "distance", (size_t)result->pair->distance);
        uoms_json_bool(json, "default", result->pair->is_default);
        uoms_json_text(json, "distance_name", uoms_distance_name(result->pair->distance));
        uoms_json_close(json, '}');
    }
    if (result->verified >= 0)
        uoms_json_bool(json, "verified", result->verified);
    uoms_json_count(json, "repetitions", result->repetitions);
    uoms_json_count(json, "batch", (size_t)result->batch);
    uoms_json_count(json, "late", result->late);
    uoms_json_count(json, "outliers", result->slowest.outliers);
    uoms_json_bool(json, "outliers_discarded", options->discards_outliers);
    write_summary(json, result);
    uoms_json_open(json, "raw", '[');
    for (int t = 0; t < result->threads; t++)
        uoms_json_times(json, NULL, result->raw + (size_t)t * result->repetitions, result->repetitions);
    uoms_json_close(json, ']');
    uoms_json_close(json, '}');
    fflush(json->file);
}
