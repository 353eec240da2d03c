#include "topology/hierarchy.h"

#include "base/log.h"

#include <stdlib.h>
#include <string.h>

const char *bn_level_name(enum bn_level level)
{
    static const char *const names[BN_LEVEL_CLUSTER + 1] = {"core",  "cache", "die",    "numa",   "socket",
                                                            "board", "node",  "switch", "cluster"};
    return names[level];
}

size_t bn_hierarchy_max_bytes(int member_count)
{
    size_t words_per_level = 2 * (size_t)member_count + 1;
    return sizeof(struct bn_hierarchy) +
           sizeof(uint32_t) * (2 * (size_t)member_count + BN_LEVEL_COUNT * words_per_level);
}

size_t bn_hierarchy_size_bytes(const struct bn_hierarchy *hierarchy)
{
    return sizeof *hierarchy + hierarchy->word_count * sizeof hierarchy->words[0];
}

/* ---- Dividing a group into the parts of the next level ---- */

enum { NO_BUCKET = -1 };

/* A part of the group that is being divided */
struct bucket {
    uint32_t part;
    uint32_t begin; /* within the group; while members are being counted, their number */
    bool is_near_network;
};

/* Temporary tables of the division; each has room for all members. */
struct scratch {
    struct bucket *buckets; /* in the order of their lowest members */
    uint32_t *bucket_of;    /* of each member of the group */
    uint32_t *sorted;
    int32_t *table; /* hash table with open addressing, from parts to buckets */
};

static uint32_t hash(uint32_t part)
{
    return (part * 0x9E3779B1u) >> 7;
}

/* The slot of the table that holds the bucket of a part, or that will hold it */
static uint32_t find_slot(const struct scratch *scratch, uint32_t mask, uint32_t part)
{
    uint32_t slot = hash(part) & mask;
    while (scratch->table[slot] != NO_BUCKET && scratch->buckets[scratch->table[slot]].part != part)
        slot = (slot + 1) & mask;
    return slot;
}

static uint32_t table_slots(uint32_t count)
{
    uint32_t slots = 4;
    while (slots < 2 * count)
        slots *= 2;
    return slots;
}

/* Fills buckets and bucket_of; returns the number of buckets. */
static uint32_t sort_into_buckets(struct scratch *scratch, const uint32_t *members, uint32_t count,
                                  const struct bn_place *places, int level)
{
    uint32_t mask = table_slots(count) - 1;
    uint32_t bucket_count = 0;
    memset(scratch->table, 0xff, (mask + 1) * sizeof scratch->table[0]);
    for (uint32_t i = 0; i < count; ++i) {
        const struct bn_place *place = &places[members[i]];
        uint32_t part = place->parts[level];
        uint32_t slot = find_slot(scratch, mask, part);
        uint32_t bucket = bucket_count;
        if (part != BN_PLACE_UNKNOWN && scratch->table[slot] != NO_BUCKET) {
            bucket = (uint32_t)scratch->table[slot];
        } else {
            scratch->buckets[bucket_count++] = (struct bucket){.part = part};
            if (part != BN_PLACE_UNKNOWN)
                scratch->table[slot] = (int32_t)bucket;
        }
        scratch->buckets[bucket].begin++;
        scratch->buckets[bucket].is_near_network |= place->is_near_network && level < BN_LEVEL_NODE;
        scratch->bucket_of[i] = bucket;
    }
    return bucket_count;
}

/* Sorts the members of a group by their parts; writes the positions where parts begin, starting at first. */
static uint32_t divide(struct scratch *scratch, uint32_t *members, uint32_t begin, uint32_t count,
                       const struct bn_place *places, int level, uint32_t *first)
{
    if (count == 1) {
        first[0] = begin;
        return 1;
    }
    uint32_t bucket_count = sort_into_buckets(scratch, members + begin, count, places, level);
    uint32_t next = 0;
    uint32_t group = 0;
    for (int pass = 0; pass < 2; ++pass) {
        for (uint32_t i = 0; i < bucket_count; ++i) {
            struct bucket *bucket = &scratch->buckets[i];
            if (bucket->is_near_network != (pass == 0))
                continue;
            uint32_t size = bucket->begin;
            bucket->begin = next;
            first[group++] = begin + next;
            next += size;
        }
    }
    for (uint32_t i = 0; i < count; ++i)
        scratch->sorted[scratch->buckets[scratch->bucket_of[i]].begin++] = members[begin + i];
    memcpy(members + begin, scratch->sorted, count * sizeof members[0]);
    return bucket_count;
}

/* ---- Levels ---- */

/*
 * Divides the groups of the outer level, whose beginnings are given, and writes the beginnings of the new ones, and the
 * end.  Members move only within their groups, so the outer levels stay valid.
 */
static uint32_t divide_all(struct scratch *scratch, uint32_t *members, const uint32_t *outer_first,
                           uint32_t outer_count, const struct bn_place *places, int level, uint32_t *first)
{
    uint32_t group_count = 0;
    for (uint32_t outer = 0; outer < outer_count; ++outer)
        group_count += divide(scratch, members, outer_first[outer], outer_first[outer + 1] - outer_first[outer], places,
                              level, first + group_count);
    first[group_count] = outer_first[outer_count];
    return group_count;
}

static void number_members(const uint32_t *members, const uint32_t *first, uint32_t group_count, uint32_t *group_of)
{
    for (uint32_t group = 0; group < group_count; ++group) {
        for (uint32_t position = first[group]; position < first[group + 1]; ++position)
            group_of[members[position]] = group;
    }
}

static void build(struct bn_hierarchy *hierarchy, const struct bn_place *places, struct scratch *scratch)
{
    uint32_t count = hierarchy->member_count;
    uint32_t *members = hierarchy->words;
    uint32_t *positions = members + count;
    const uint32_t everybody[] = {0, count};
    const uint32_t *outer_first = everybody;
    struct bn_hierarchy_level outer = {.group_count = 1};
    bool has_tables = false;
    uint32_t next = 2 * count;
    for (uint32_t member = 0; member < count; ++member)
        members[member] = member;
    for (int level = BN_LEVEL_COUNT - 1; level >= 0; --level) {
        uint32_t *first = hierarchy->words + next;
        uint32_t group_count = divide_all(scratch, members, outer_first, outer.group_count, places, level, first);
        if (!has_tables || group_count != outer.group_count) {
            outer = (struct bn_hierarchy_level){
                .group_count = group_count, .group_of = next + group_count + 1, .first = next};
            outer_first = first;
            next = outer.group_of + count;
            has_tables = true;
        }
        hierarchy->levels[level] = outer;
    }
    hierarchy->word_count = next;
    hierarchy->is_in_member_order = true;
    for (uint32_t position = 0; position < count; ++position) {
        positions[members[position]] = position;
        hierarchy->is_in_member_order &= members[position] == position;
    }
    for (int level = 0; level < BN_LEVEL_COUNT; ++level) {
        const struct bn_hierarchy_level *tables = &hierarchy->levels[level];
        if (level == 0 || tables->first != hierarchy->levels[level - 1].first)
            number_members(members, hierarchy->words + tables->first, tables->group_count,
                           hierarchy->words + tables->group_of);
    }
}

bn_status_t bn_hierarchy_build(const struct bn_place *places, int member_count, void *memory)
{
    bn_assert(member_count >= 1 && member_count <= BN_HIERARCHY_MEMBER_MAX);
    size_t count = (size_t)member_count;
    struct scratch scratch = {
        .buckets = malloc(count * sizeof *scratch.buckets),
        .bucket_of = malloc(count * sizeof *scratch.bucket_of),
        .sorted = malloc(count * sizeof *scratch.sorted),
        .table = malloc(table_slots((uint32_t)count) * sizeof *scratch.table),
    };
    bn_status_t status = BN_ERR_MEMORY;
    if (scratch.buckets && scratch.bucket_of && scratch.sorted && scratch.table) {
        struct bn_hierarchy *hierarchy = memory;
        *hierarchy = (struct bn_hierarchy){.member_count = (uint32_t)member_count};
        build(hierarchy, places, &scratch);
        status = BN_OK;
    } else {
        bn_log_error("no memory to sort %d threads by their places", member_count);
    }
    free(scratch.buckets);
    free(scratch.bucket_of);
    free(scratch.sorted);
    free(scratch.table);
    return status;
}

bn_status_t bn_hierarchy_create(const struct bn_place *places, int member_count, struct bn_hierarchy **hierarchy_p)
{
    void *memory = malloc(bn_hierarchy_max_bytes(member_count));
    if (!memory) {
        bn_log_error("no memory for the hierarchy of %d threads", member_count);
        return BN_ERR_MEMORY;
    }
    bn_status_t status = bn_hierarchy_build(places, member_count, memory);
    if (status != BN_OK) {
        free(memory);
        return status;
    }
    void *cut = realloc(memory, bn_hierarchy_size_bytes(memory));
    *hierarchy_p = cut ? cut : memory;
    return BN_OK;
}
