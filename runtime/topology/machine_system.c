/*
 * machine_system.c: reads this machine from the files of the system, if hwloc is missing.
 */
#include "base/log.h"
#include "topology/parts.h"

#include <stdlib.h>
#include <string.h>

enum { NUMA, SOCKET, CACHE, CORE, KIND_COUNT };

/* A pu with the numbers of the parts it lies in */
struct entry {
    int pu;
    int parts[KIND_COUNT];
    struct bn_pu_cache cache;
};

static bool is_region_in_one_socket(const struct entry *entries, int count)
{
    for (int i = 0; i < count; ++i) {
        for (int j = 0; j < i; ++j) {
            if (entries[i].parts[NUMA] == entries[j].parts[NUMA] &&
                entries[i].parts[SOCKET] != entries[j].parts[SOCKET])
                return false;
        }
    }
    return true;
}

static const int region_outside[KIND_COUNT] = {NUMA, SOCKET, CACHE, CORE};
static const int socket_outside[KIND_COUNT] = {SOCKET, NUMA, CACHE, CORE};

static int compare(const struct entry *a, const struct entry *b, const int order[KIND_COUNT])
{
    for (int i = 0; i < KIND_COUNT; ++i) {
        if (a->parts[order[i]] != b->parts[order[i]])
            return a->parts[order[i]] - b->parts[order[i]];
    }
    return a->pu - b->pu;
}

static int compare_region_outside(const void *a, const void *b)
{
    return compare(a, b, region_outside);
}

static int compare_socket_outside(const void *a, const void *b)
{
    return compare(a, b, socket_outside);
}

/* Adds parts for the runs of pus that agree in all of order[0..i]. */
static void add_parts(struct bn_machine_parts *parts, const struct entry *entries, int count,
                      const int order[KIND_COUNT])
{
    static const enum bn_object_kind kinds[KIND_COUNT] = {BN_OBJECT_NUMA, BN_OBJECT_SOCKET, BN_OBJECT_CACHE,
                                                          BN_OBJECT_CORE};
    int open[KIND_COUNT] = {0};
    for (int i = 0; i < count; ++i) {
        bool is_new = i == 0;
        bn_machine_parts_add_pu(parts, entries[i].pu);
        for (int at = 0; at < KIND_COUNT && !parts->is_out_of_memory; ++at) {
            int kind = order[at];
            is_new |= i > 0 && entries[i].parts[kind] != entries[i - 1].parts[kind];
            if (!is_new) {
                parts->objects[open[kind]].pu_count++;
                continue;
            }
            struct bn_machine_object object = {.kind = kinds[kind], .first_pu = i, .pu_count = 1};
            object.os_number = kind == CACHE ? -1 : entries[i].parts[kind];
            if (kind == CACHE) {
                object.cache_level = entries[i].cache.level;
                object.size_bytes = entries[i].cache.size_bytes;
            }
            open[kind] = bn_machine_parts_add(parts, object);
        }
    }
}

bn_status_t bn_machine_read_system(const char *root, const struct bn_pu_set *usable, struct bn_machine **machine_p)
{
    struct bn_pu_set affinity;
    struct bn_machine_parts parts = {0};
    struct bn_pu_place *places = malloc(BN_PU_MAX * sizeof *places);
    struct entry *entries = malloc(BN_PU_MAX * sizeof *entries);
    if (!places || !entries) {
        bn_log_error("no memory for the description of the machine");
        free(places);
        free(entries);
        return BN_ERR_MEMORY;
    }
    if (!usable) {
        bn_cpus_affinity(&affinity);
        usable = &affinity;
    }
    int count = bn_cpus_places(root, usable, places, BN_PU_MAX);
    for (int i = 0; i < count; ++i) {
        struct bn_pu_cache cache = bn_cpus_largest_cache(root, places[i].pu);
        entries[i] = (struct entry){.pu = places[i].pu, .cache = cache};
        entries[i].parts[NUMA] = places[i].numa;
        entries[i].parts[SOCKET] = bn_cpus_socket(root, places[i].pu);
        entries[i].parts[CACHE] = cache.first_pu;
        entries[i].parts[CORE] = places[i].core;
    }
    bool is_socket_outside = is_region_in_one_socket(entries, count);
    qsort(entries, (size_t)count, sizeof *entries, is_socket_outside ? compare_socket_outside : compare_region_outside);
    add_parts(&parts, entries, count, is_socket_outside ? socket_outside : region_outside);
    free(places);
    free(entries);
    return bn_machine_parts_finish(&parts, "system", machine_p);
}
