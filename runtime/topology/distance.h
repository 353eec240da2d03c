/*
 * distance.h: the distance between two members.
 */
#ifndef BN_TOPOLOGY_DISTANCE_H
#define BN_TOPOLOGY_DISTANCE_H

#include "topology/hierarchy.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * The innermost level that two members are known to share, an enum bn_level from 0 (same core, and a member to itself)
 * to BN_LEVEL_CLUSTER.  Symmetric, and an ultrametric: d(a, c) <= max(d(a, b), d(b, c)).  Members whose place is
 * unknown count as being as far apart as is possible.
 *
 * @cost At most BN_LEVEL_COUNT pairs of loads.
 */
static inline enum bn_level bn_distance(const struct bn_hierarchy *hierarchy, int a, int b)
{
    int level = BN_LEVEL_CORE;
    if (a == b)
        return BN_LEVEL_CORE;
    while (level < BN_LEVEL_CLUSTER && bn_hierarchy_group_of(hierarchy, (enum bn_level)level, a) !=
                                           bn_hierarchy_group_of(hierarchy, (enum bn_level)level, b))
        ++level;
    return (enum bn_level)level;
}

#ifdef __cplusplus
}
#endif

#endif
