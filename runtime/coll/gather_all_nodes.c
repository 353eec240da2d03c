/*
 * gather_all_nodes.c: gather_all in which each block enters each other node once, in one step.
 *
 * A member brings its block to one member of each other node, which is another one for each member here as far as there are as many; then
 * the members of a node copy from each other what these have.  So puts to all nodes are under way at the same time, and nobody
 * waits for a message before it sends its own.
 */
#include "coll/algorithms.h"
#include "platform/copy.h"

enum { DONE = 1 };

/* The member of a node that gets the blocks of those at an index in their nodes */
static int holder_of(const struct bn_hierarchy *hierarchy, int node, int index)
{
    int begin = bn_hierarchy_group_begin(hierarchy, BN_LEVEL_NODE, node);
    return bn_hierarchy_member_at(hierarchy, begin + index % bn_hierarchy_group_size(hierarchy, BN_LEVEL_NODE, node));
}

static int index_in_node(const struct bn_hierarchy *hierarchy, int rank)
{
    int node = bn_hierarchy_group_of(hierarchy, BN_LEVEL_NODE, rank);
    return bn_hierarchy_position_of(hierarchy, rank) - bn_hierarchy_group_begin(hierarchy, BN_LEVEL_NODE, node);
}

/* To all other nodes, from the next one on */
static void push_to_nodes(const struct bn_team *team, const struct bn_hierarchy *hierarchy, const struct bn_call *call)
{
    int node = bn_hierarchy_group_of(hierarchy, BN_LEVEL_NODE, team->rank);
    int node_count = bn_hierarchy_group_count(hierarchy, BN_LEVEL_NODE);
    int index = index_in_node(hierarchy, team->rank);
    const unsigned char *src = bn_team_at(team, call->src, team->rank);
    for (int distance = 1; distance < node_count; distance++) {
        int holder = holder_of(hierarchy, (node + distance) % node_count, index);
        bn_copy(bn_team_at(team, call->dst, holder) + (size_t)team->rank * call->nbytes, src, call->nbytes);
    }
}

/* Blocks of members of this node from their src, others from dst of whoever holds them */
static void pull_from_node(const struct bn_team *team, const struct bn_hierarchy *hierarchy, const struct bn_call *call)
{
    int node = bn_hierarchy_group_of(hierarchy, BN_LEVEL_NODE, team->rank);
    unsigned char *mine = bn_team_at(team, call->dst, team->rank);
    for (int distance = 0; distance < team->size; distance++) {
        int owner = bn_team_rotate(team, team->rank, distance);
        size_t offset = (size_t)owner * call->nbytes;
        bool is_near = bn_hierarchy_group_of(hierarchy, BN_LEVEL_NODE, owner) == node;
        int holder = is_near ? owner : holder_of(hierarchy, node, index_in_node(hierarchy, owner));
        if (is_near)
            bn_copy(mine + offset, bn_team_at(team, call->src, owner), call->nbytes);
        else if (holder != team->rank)
            bn_copy(mine + offset, bn_team_at(team, call->dst, holder) + offset, call->nbytes);
    }
}

/* From the barrier on a member's data are touched by its node alone. */
static void await_node(struct bn_team *team, const struct bn_hierarchy *hierarchy)
{
    int node = bn_hierarchy_group_of(hierarchy, BN_LEVEL_NODE, team->rank);
    int begin = bn_hierarchy_group_begin(hierarchy, BN_LEVEL_NODE, node);
    int end = begin + bn_hierarchy_group_size(hierarchy, BN_LEVEL_NODE, node);
    bn_team_say_to_node(team, DONE);
    for (int position = begin; position < end; position++)
        bn_team_hear(team, bn_hierarchy_member_at(hierarchy, position), DONE);
}

/* Others write to a member before they know that it has entered, so MYSYNC asks for everybody there. */
void bn_gather_all_over_nodes(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call)
{
    bn_operation_enter_all(team, call->in);
    bn_team_begin(team);
    push_to_nodes(team, plan->hierarchy, call);
    bn_team_barrier(team);
    pull_from_node(team, plan->hierarchy, call);
    if (call->out == BN_SYNC_MY)
        await_node(team, plan->hierarchy);
    bn_operation_leave(team, call->out);
}
