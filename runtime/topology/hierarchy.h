/*
 * hierarchy.h: the members of a team, in groups that share a part of the machine: switch, node, ..., cache, core.
 *
 * Members are counted from 0: threads of a job, or ranks of a team.  The hierarchy puts them in an order in which every
 * group of every level is contiguous; a member's index in this order is its position.  Within a group, the groups of
 * the next level are ordered by their lowest members (in a node those near the network adapter come first), and so are
 * the members of the innermost groups.  The first member of a group in this order is its leader.  So the leader of a
 * group is also the leader of its first subgroup, and if threads are placed in blocks, positions equal member numbers.
 *
 * Groups of a level are numbered in that order: the groups of one outer group have consecutive numbers.  A member whose
 * place is unknown at a level forms a group of its own there.
 *
 * The struct is plain data in one block of memory without pointers: one process can build it in shared memory for all
 * to use.  It does not change once built, and any thread may call the functions below.
 */
#ifndef BN_TOPOLOGY_HIERARCHY_H
#define BN_TOPOLOGY_HIERARCHY_H

#include "base/status.h"
#include "topology/level.h"
#include "topology/place.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { BN_HIERARCHY_MEMBER_MAX = 1 << 24 };

struct bn_hierarchy_level {
    uint32_t group_count;
    uint32_t group_of; /* index in words of the group of each member */
    uint32_t first; /* index in words of the position of the first member of each group, and of the end of the last */
};

/* Use the functions below instead of the fields. */
struct bn_hierarchy {
    uint32_t member_count;
    uint32_t word_count;
    bool is_in_member_order;                          /* positions are member numbers */
    struct bn_hierarchy_level levels[BN_LEVEL_COUNT]; /* levels with the same groups share their tables */
    uint32_t words[]; /* member at each position, position of each member, tables of the levels */
};

/* The most bytes that a hierarchy of member_count members can need, wherever the members are. */
size_t bn_hierarchy_max_bytes(int member_count);

/**
 * Builds a hierarchy in memory, which has bn_hierarchy_max_bytes(member_count) bytes, aligned to 8.
 *
 * @param places One per member.
 * @errors BN_ERR_MEMORY: no room for temporary tables; reported.
 * @cost   O(members) time; the pages of memory that are not needed are not touched.
 */
bn_status_t bn_hierarchy_build(const struct bn_place *places, int member_count, void *memory);

/** The same in newly allocated memory of the exact size; free() releases it. */
bn_status_t bn_hierarchy_create(const struct bn_place *places, int member_count, struct bn_hierarchy **hierarchy_p);

/* The actual size of a hierarchy in bytes. */
size_t bn_hierarchy_size_bytes(const struct bn_hierarchy *hierarchy);

static inline int bn_hierarchy_member_count(const struct bn_hierarchy *hierarchy)
{
    return (int)hierarchy->member_count;
}

/* ---- Order ---- */

static inline int bn_hierarchy_member_at(const struct bn_hierarchy *hierarchy, int position)
{
    return (int)hierarchy->words[position];
}

static inline int bn_hierarchy_position_of(const struct bn_hierarchy *hierarchy, int member)
{
    return (int)hierarchy->words[hierarchy->member_count + (uint32_t)member];
}

/* ---- Groups; level may be BN_LEVEL_CLUSTER, which has only group 0 ---- */

static inline int bn_hierarchy_group_count(const struct bn_hierarchy *hierarchy, enum bn_level level)
{
    return level == BN_LEVEL_CLUSTER ? 1 : (int)hierarchy->levels[level].group_count;
}

static inline int bn_hierarchy_group_of(const struct bn_hierarchy *hierarchy, enum bn_level level, int member)
{
    return level == BN_LEVEL_CLUSTER ? 0 : (int)hierarchy->words[hierarchy->levels[level].group_of + (uint32_t)member];
}

/* Position of the first member of a group; with group + 1, its end. */
static inline int bn_hierarchy_group_begin(const struct bn_hierarchy *hierarchy, enum bn_level level, int group)
{
    if (level == BN_LEVEL_CLUSTER)
        return group * (int)hierarchy->member_count;
    return (int)hierarchy->words[hierarchy->levels[level].first + (uint32_t)group];
}

static inline int bn_hierarchy_group_size(const struct bn_hierarchy *hierarchy, enum bn_level level, int group)
{
    return bn_hierarchy_group_begin(hierarchy, level, group + 1) - bn_hierarchy_group_begin(hierarchy, level, group);
}

/* The leader of a group: its lowest member, or the lowest of those near the network adapter. */
static inline int bn_hierarchy_leader(const struct bn_hierarchy *hierarchy, enum bn_level level, int group)
{
    return bn_hierarchy_member_at(hierarchy, bn_hierarchy_group_begin(hierarchy, level, group));
}

/* The group of an outer level that a group of an inner level lies in. */
static inline int bn_hierarchy_outer_group(const struct bn_hierarchy *hierarchy, enum bn_level inner, int group,
                                           enum bn_level outer)
{
    return bn_hierarchy_group_of(hierarchy, outer, bn_hierarchy_leader(hierarchy, inner, group));
}

/* The number of the first group of an inner level that lies in a group of an outer level; the others follow. */
static inline int bn_hierarchy_first_subgroup(const struct bn_hierarchy *hierarchy, enum bn_level outer, int group,
                                              enum bn_level inner)
{
    return bn_hierarchy_group_of(hierarchy, inner, bn_hierarchy_leader(hierarchy, outer, group));
}

/* How many groups of an inner level lie in a group of an outer level. */
static inline int bn_hierarchy_subgroup_count(const struct bn_hierarchy *hierarchy, enum bn_level outer, int group,
                                              enum bn_level inner)
{
    int last = bn_hierarchy_member_at(hierarchy, bn_hierarchy_group_begin(hierarchy, outer, group + 1) - 1);
    return bn_hierarchy_group_of(hierarchy, inner, last) + 1 -
           bn_hierarchy_first_subgroup(hierarchy, outer, group, inner);
}

#ifdef __cplusplus
}
#endif

#endif
