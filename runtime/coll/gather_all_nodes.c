/*
 * gather_all_nodes.c: gather_all in which each block enters each other node once, in one step.
 *
 * A member brings its block to one member of each other node, its holder there, which is another one for each member
 * here as far as there are as many; then the members of a node copy from each other what these have.  So puts to all
 * nodes are under way at the same time, nobody waits for a message before it sends its own, and a block is copied on
 * while others are still on their way.
 *
 * Steps: ARRIVED, told to a holder, its block is there; DONE, a member touches no data of its node any more.  Teams too
 * large for mail have no flags for the first: a barrier says that all blocks are there.
 */
#include "coll/algorithms.h"
#include "coll/node.h"
#include "coll/plan.h"
#include "platform/copy.h"

enum { ARRIVED = 1, DONE = 2 };

/* The member of a node that gets the blocks of those at an index in their nodes */
static int holder_of(const struct bn_hierarchy *hierarchy, const struct bn_node *node, int index)
{
    return bn_hierarchy_member_at(hierarchy, node->begin + index % bn_node_size(node));
}

/* To all other nodes, from the next one on */
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

/* From src of the members of this node, its own last */
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

/* From dst of their holders, as they arrive: the node before this one has sent to it first. */
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

/* Others write to a member before they know that it has entered, so MYSYNC asks for everybody there. */
void bn_gather_all_over_nodes(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call)
{
    const struct bn_hierarchy *hierarchy = plan->hierarchy;
    const struct bn_node mine = bn_node_of(hierarchy, team->rank);
    bn_operation_enter_all(team, call->in);
    bn_team_begin(team);
    push_to_nodes(team, hierarchy, &mine, call);
    pull_near(team, hierarchy, &mine, call); /* while the network carries what was put */
    if (!team->mail)
        bn_team_barrier(team);
    pull_far(team, hierarchy, &mine, call);
    if (call->out == BN_SYNC_MY) {
        bn_team_say_to_node(team, DONE);
        bn_node_hear(team, hierarchy, &mine, DONE);
    }
    bn_operation_leave(team, call->out);
}
