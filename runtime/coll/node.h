/*
 * node.h: a node of a hierarchy, as used by the algorithms between nodes.
 */
#ifndef BN_COLL_NODE_H
#define BN_COLL_NODE_H

#include "coll/team.h"

#ifdef __cplusplus
extern "C" {
#endif

struct bn_node {
    int index;
    int leader;
    int begin, end; /* positions of its members in the hierarchy */
};

static inline struct bn_node bn_node_at(const struct bn_hierarchy *hierarchy, int index)
{
    return (struct bn_node){
        .index = index,
        .leader = bn_hierarchy_leader(hierarchy, BN_LEVEL_NODE, index),
        .begin = bn_hierarchy_group_begin(hierarchy, BN_LEVEL_NODE, index),
        .end = bn_hierarchy_group_begin(hierarchy, BN_LEVEL_NODE, index + 1),
    };
}

static inline struct bn_node bn_node_of(const struct bn_hierarchy *hierarchy, int rank)
{
    return bn_node_at(hierarchy, bn_hierarchy_group_of(hierarchy, BN_LEVEL_NODE, rank));
}

/** The node that is distance further on, modulo the number of nodes. */
static inline struct bn_node bn_node_behind(const struct bn_hierarchy *hierarchy, const struct bn_node *node,
                                            int distance)
{
    return bn_node_at(hierarchy, (node->index + distance) % bn_hierarchy_group_count(hierarchy, BN_LEVEL_NODE));
}

static inline int bn_node_size(const struct bn_node *node)
{
    return node->end - node->begin;
}

/** Bytes of a block for each of its members */
static inline size_t bn_node_bytes(const struct bn_node *node, size_t nbytes)
{
    return (size_t)bn_node_size(node) * nbytes;
}

/** bn_team_hear, for all other members of the caller's node. */
static inline void bn_node_hear(struct bn_team *team, const struct bn_hierarchy *hierarchy, const struct bn_node *node,
                                uint32_t step)
{
    for (int position = node->begin; position < node->end; position++) {
        int rank = bn_hierarchy_member_at(hierarchy, position);
        if (rank != team->rank)
            bn_team_hear(team, rank, step);
    }
}

#ifdef __cplusplus
}
#endif

#endif
