/* json.c: the profile as JSON, as described in docs/profile.schema.json. */
#include "base/json.h"
#include "upc/profile/gather.h"

static const char *const distance_names[BN_DISTANCES] = {"own", "node", "far"};

static void write_sum(FILE *file, const struct bn_profile_sum *sum)
{
    fprintf(file, "\"calls\": %llu, \"bytes\": %llu, \"ms\": %.6f", (unsigned long long)sum->calls,
            (unsigned long long)sum->bytes, sum->ns / 1e6);
}

static void write_distances(FILE *file, const struct bn_profile_operation_sum *sum)
{
    fputs(", \"to\": {", file);
    for (int distance = 0; distance < BN_DISTANCES; distance++)
        fprintf(file, "%s\"%s\": {\"calls\": %llu, \"bytes\": %llu}", distance > 0 ? ", " : "",
                distance_names[distance], (unsigned long long)sum->calls_to[distance],
                (unsigned long long)sum->bytes_to[distance]);
    fputc('}', file);
}

static void write_threads(FILE *file, const struct bn_profile_sum *shares, int threads)
{
    fputs(",\n      \"threads\": {\"calls\": [", file);
    for (int thread = 0; thread < threads; thread++)
        fprintf(file, "%s%llu", thread > 0 ? ", " : "", (unsigned long long)shares[thread].calls);
    fputs("], \"bytes\": [", file);
    for (int thread = 0; thread < threads; thread++)
        fprintf(file, "%s%llu", thread > 0 ? ", " : "", (unsigned long long)shares[thread].bytes);
    fputs("], \"ms\": [", file);
    for (int thread = 0; thread < threads; thread++)
        fprintf(file, "%s%.6f", thread > 0 ? ", " : "", shares[thread].ns / 1e6);
    fputs("]}", file);
}

static void write_ways(FILE *file, const struct bn_profile *profile, enum bn_profile_operation operation)
{
    int count = 0;
    for (size_t i = 0; i < profile->way_count; i++) {
        const struct bn_profile_way_sum *way = &profile->ways[i];
        if (way->operation != operation)
            continue;
        fprintf(file, "%s{\"way\": ", count++ > 0 ? ", " : ",\n      \"ways\": [");
        bn_json_write_string(file, way->name);
        fputs(", ", file);
        write_sum(file, &way->sum);
        fputc('}', file);
    }
    if (count > 0)
        fputc(']', file);
}

static void write_operations(FILE *file, const struct bn_profile *profile)
{
    const char *separator = "";
    fputs("  \"operations\": [", file);
    for (int operation = 0; operation < BN_PROFILE_OPERATIONS; operation++) {
        const struct bn_profile_operation_sum *sum = &profile->operations[operation];
        if (sum->all.calls == 0)
            continue;
        fprintf(file, "%s\n    {\"operation\": \"%s\", \"group\": \"%s\", ", separator,
                bn_profile_name((enum bn_profile_operation)operation),
                bn_profile_group((enum bn_profile_operation)operation));
        write_sum(file, &sum->all);
        write_distances(file, sum);
        write_threads(file, &profile->shares[operation * profile->thread_count], profile->thread_count);
        write_ways(file, profile, (enum bn_profile_operation)operation);
        fputc('}', file);
        separator = ",";
    }
    fputs("\n  ],\n", file);
}

static void write_places(FILE *file, const struct bn_profile *profile)
{
    fputs("  \"places\": [", file);
    for (size_t i = 0; i < profile->place_count; i++) {
        const struct bn_profile_place *place = &profile->places[i];
        if (place->text[0] == '\0')
            continue;
        fprintf(file, "%s\n    {\"place\": ", i > 0 ? "," : "");
        bn_json_write_string(file, place->text);
        fprintf(file, ", \"operation\": \"%s\", ", bn_profile_name(place->operation));
        write_sum(file, &place->sum);
        fputc('}', file);
    }
    fputs("\n  ],\n", file);
}

/* Writes a row for each thread that bytes come from. */
static void write_matrix(FILE *file, const struct bn_profile *profile)
{
    int threads = profile->thread_count;
    fputs("  \"moved_bytes\": [", file);
    for (int from = 0; from < threads; from++) {
        fprintf(file, "%s\n    [", from > 0 ? "," : "");
        for (int to = 0; to < threads; to++)
            fprintf(file, "%s%llu", to > 0 ? ", " : "",
                    (unsigned long long)(profile->flows[to * threads + from].taken_bytes +
                                         profile->flows[from * threads + to].given_bytes));
        fputc(']', file);
    }
    fputs("\n  ]\n", file);
}

void bn_profile_write_json(FILE *file, const struct bn_profile *profile)
{
    fputs("{\"schema\": \"banyan-profile-1\", \"program\": ", file);
    bn_json_write_string(file, profile->program);
    fprintf(file, ", \"threads\": %d, \"nodes\": %d, \"ended_early\": %s,\n  \"node_of_thread\": [",
            profile->thread_count, profile->node_count, profile->is_early ? "true" : "false");
    for (int thread = 0; thread < profile->thread_count; thread++)
        fprintf(file, "%s%d", thread > 0 ? ", " : "", profile->nodes[thread]);
    fputs("],\n  \"seconds\": [", file);
    for (int thread = 0; thread < profile->thread_count; thread++)
        fprintf(file, "%s%.6f", thread > 0 ? ", " : "", profile->seconds[thread]);
    fprintf(file,
            "],\n  \"messages_between_nodes\": {\"gets\": %llu, \"get_bytes\": %llu, \"puts\": %llu, \"put_bytes\": "
            "%llu},\n",
            (unsigned long long)profile->gets, (unsigned long long)profile->get_bytes,
            (unsigned long long)profile->puts, (unsigned long long)profile->put_bytes);
    write_operations(file, profile);
    write_places(file, profile);
    write_matrix(file, profile);
    fputs("}\n", file);
}
