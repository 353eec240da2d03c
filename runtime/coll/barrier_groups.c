#include "coll/barrier_groups.h"

#include "base/log.h"

#include <stdlib.h>

/* Innermost level first; its groups consist of members */
static const enum bn_level levels[] = {BN_LEVEL_CACHE, BN_LEVEL_NUMA, BN_LEVEL_NODE, BN_LEVEL_CLUSTER};
enum { LEVEL_COUNT = sizeof levels / sizeof levels[0] };

static int part_count(const struct bn_hierarchy *hierarchy, int level, int group)
{
    if (level == 0)
        return bn_hierarchy_group_size(hierarchy, levels[0], group);
    return bn_hierarchy_subgroup_count(hierarchy, levels[level], group, levels[level - 1]);
}

static int first_part(const struct bn_hierarchy *hierarchy, int level, int group)
{
    return bn_hierarchy_first_subgroup(hierarchy, levels[level], group, levels[level - 1]);
}

/* The member in whose lines a group of several parts counts */
static uint32_t line_of(const struct bn_hierarchy *hierarchy, int level, int group)
{
    int position = bn_hierarchy_group_begin(hierarchy, levels[level], group) + 1;
    if (level > 0)
        position = bn_hierarchy_group_begin(hierarchy, levels[level - 1], first_part(hierarchy, level, group) + 1);
    return (uint32_t)bn_hierarchy_member_at(hierarchy, position);
}

/* Whether one of the parts of a group is a single member */
static bool has_members(const struct bn_hierarchy *hierarchy, int level, int group)
{
    if (level == 0)
        return true;
    int first = first_part(hierarchy, level, group);
    for (int part = first; part < first + part_count(hierarchy, level, group); part++) {
        if (bn_hierarchy_group_size(hierarchy, levels[level - 1], part) == 1)
            return true;
    }
    return false;
}

/* Lists the lines of groups at which members wait, and returns their number; lines may be null. */
static int list_lines(const struct bn_hierarchy *hierarchy, uint32_t *lines)
{
    int count = 0;
    for (int level = 0; level < LEVEL_COUNT; level++) {
        for (int group = 0; group < bn_hierarchy_group_count(hierarchy, levels[level]); group++) {
            if (part_count(hierarchy, level, group) < 2 || !has_members(hierarchy, level, group))
                continue;
            if (lines)
                lines[count] = line_of(hierarchy, level, group);
            count++;
        }
    }
    return count;
}

bn_status_t bn_barrier_groups_make(const struct bn_hierarchy *hierarchy, int rank, struct bn_barrier_tree *tree_p)
{
    int line_count = list_lines(hierarchy, NULL);
    struct bn_barrier_group *path = calloc(LEVEL_COUNT, sizeof *path);
    uint32_t *lines = calloc((size_t)line_count + 1, sizeof *lines);
    *tree_p = (struct bn_barrier_tree){.path = path, .lines = lines, .line_count = line_count};
    if (!path || !lines) {
        bn_log_error("there is no memory for the groups of a barrier");
        bn_barrier_groups_destroy(tree_p);
        return BN_ERR_MEMORY;
    }
    list_lines(hierarchy, lines);
    for (int level = 0; level < LEVEL_COUNT; level++) {
        int group = bn_hierarchy_group_of(hierarchy, levels[level], rank);
        int parts = part_count(hierarchy, level, group);
        if (parts >= 2)
            path[tree_p->path_length++] = (struct bn_barrier_group){line_of(hierarchy, level, group), (uint32_t)parts};
    }
    return BN_OK;
}

void bn_barrier_groups_destroy(struct bn_barrier_tree *tree)
{
    free((void *)(uintptr_t)tree->path);
    free((void *)(uintptr_t)tree->lines);
    *tree = (struct bn_barrier_tree){.path_length = 0};
}
