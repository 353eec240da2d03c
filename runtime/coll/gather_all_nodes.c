/*
 * gather_all_nodes.c: gather_all in which each block enters each other node once, in one step.
 *
 * A member puts its block to one member of each other node, its holder there; as far as possible, members of one node
 * have different holders.  Then the members of a node copy from each other the blocks that these hold.  So puts to all
 * nodes are in flight at the same time, nobody waits for a message before sending its own, and a block is copied on
 * while others are still in flight.
 *
 * Steps: ARRIVED tells a holder that a block has arrived; DONE, a member no longer accesses data of its node.  Teams
 * too large for mail have no flags for ARRIVED; a barrier makes sure that all blocks have arrived.
 */
#include "coll/algorithms.h"
#include "coll/node.h"
#include "coll/plan.h"
#include "platform/copy.h"

enum { ARRIVED = 1, DONE = 2 };

/* The member of a node that holds the blocks of members with this index in other nodes */
static int holder_of(const struct bn_hierarchy *hierarchy, const struct bn_node *node, int index)
{
    return bn_hierarchy_member_at(hierarchy, node->begin + index % bn_node_size(node));
}

/* Puts this member's block to all other nodes, starting with the next one. */
static void push_to_nodes(struct bn_team *team, const struct bn_hierarchy *hierarchy, const struct bn_node *mine,
                          const struct bn_call *call)
{
    int count = bn_hierarchy_group_count(hierarchy, BN_LEVEL_NODE);
    int index = bn_hierarchy_position_of(hierarchy, team->rank) - mine->begin;
    const unsigned char *src = bn_call_src(team, call, team->rank);
    for (int distance = 1; distance < count; distance++) {
        const struct bn_node to = bn_node_behind(hierarchy, mine, distance);
        int holder = holder_of(hierarchy, &to, index);
        unsigned char *dst = bn_call_dst(team, call, holder) + (size_t)team->rank * call->nbytes;
        if (team->mail)
            bn_team_hand_over(team, holder, dst, src, call->nbytes, ARRIVED);
        else
            bn_copy(dst, src, call->nbytes);
    }
}

/* Copies from src of the members of this node, its own last. */
static void pull_near(const struct bn_team *team, const struct bn_hierarchy *hierarchy, const struct bn_node *mine,
                      const struct bn_call *call)
{
    unsigned char *dst = bn_call_dst(team, call, team->rank);
    int size = bn_node_size(mine);
    int index = bn_hierarchy_position_of(hierarchy, team->rank) - mine->begin;
    for (int distance = 1; distance <= size; distance++) {
        int owner = bn_hierarchy_member_at(hierarchy, mine->begin + (index + distance) % size);
        bn_copy(dst + (size_t)owner * call->nbytes, bn_call_src(team, call, owner), call->nbytes);
    }
}

/* Copies from dst of the holders, in the order of arrival: the node before this one has sent to this one first. */
static void pull_far(struct bn_team *team, const struct bn_hierarchy *hierarchy, const struct bn_node *mine,
                     const struct bn_call *call)
{
    unsigned char *dst = bn_call_dst(team, call, team->rank);
    for (int distance = bn_hierarchy_group_count(hierarchy, BN_LEVEL_NODE) - 1; distance > 0; distance--) {
        const struct bn_node from = bn_node_behind(hierarchy, mine, distance);
        for (int position = from.begin; position < from.end; position++) {
            int owner = bn_hierarchy_member_at(hierarchy, position);
            int holder = holder_of(hierarchy, mine, position - from.begin);
            size_t offset = (size_t)owner * call->nbytes;
            if (team->mail)
                bn_mail_await(team, holder, owner, ARRIVED);
            if (holder != team->rank)
                bn_copy(dst + offset, bn_call_dst(team, call, holder) + offset, call->nbytes);
        }
    }
}

/* Others write to a member before they know that it has entered, so MYSYNC at entry involves everybody. */
void bn_gather_all_over_nodes(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call)
{
    const struct bn_hierarchy *hierarchy = plan->hierarchy;
    const struct bn_node mine = bn_node_of(hierarchy, team->rank);
    bn_operation_enter_all(team, call->in);
    bn_team_begin(team);
    push_to_nodes(team, hierarchy, &mine, call);
    pull_near(team, hierarchy, &mine, call); /* overlaps with the puts in flight */
    if (!team->mail)
        bn_team_barrier(team);
    pull_far(team, hierarchy, &mine, call);
    if (call->out == BN_SYNC_MY) {
        bn_team_say_to_node(team, DONE);
        bn_node_hear(team, hierarchy, &mine, DONE);
    }
    bn_operation_leave(team, call->out);
}
