/*
 * scatter_nodes.c: scatter over nodes in which the root brings what members of other nodes get.
 *
 * The blocks of a node go together to the mail of its leader, or each to the mail of its member, which is free at any
 * time.  In the root's node members read its data.
 *
 * Steps: ENTERED, the root's data may be touched, or a packet is there; TAKEN, a member of the root's node has its block.
 */
#include "coll/algorithms.h"
#include "coll/node.h"
#include "platform/copy.h"

enum { ENTERED = 1, TAKEN = 2 };

/* Copies the blocks at positions [begin, end) from an array in the order of ranks to one in the order of positions. */
static void pack(const struct bn_hierarchy *hierarchy, unsigned char *packed, const unsigned char *blocks, int begin, int end,
                 size_t nbytes)
{
    for (int position = begin; position < end; position++)
        bn_copy(packed + (size_t)(position - begin) * nbytes,
                blocks + (size_t)bn_hierarchy_member_at(hierarchy, position) * nbytes, nbytes);
}

static void send_blocks(struct bn_team *team, const struct bn_hierarchy *hierarchy, const struct bn_node *mine,
                        const struct bn_call *call)
{
    unsigned char *packed = bn_mail_at(team, team->rank); /* which nobody sends to */
    int count = bn_hierarchy_group_count(hierarchy, BN_LEVEL_NODE);
    for (int distance = 1; distance < count; distance++) {
        const struct bn_node to = bn_node_behind(hierarchy, mine, distance);
        pack(hierarchy, packed, (const unsigned char *)call->src, to.begin, to.end, call->nbytes);
        bn_mail_send(team, to.leader, 0, packed, bn_node_bytes(&to, call->nbytes), ENTERED);
    }
}

/* To each member of another node its block, in its own mail */
static void send_to_members(struct bn_team *team, const struct bn_hierarchy *hierarchy, const struct bn_node *mine,
                            const struct bn_call *call)
{
    for (int distance = 1; distance < team->size; distance++) {
        int rank = bn_team_rotate(team, team->rank, distance);
        if (bn_hierarchy_group_of(hierarchy, BN_LEVEL_NODE, rank) != mine->index)
            bn_mail_send(team, rank, 0, (const unsigned char *)call->src + (size_t)rank * call->nbytes, call->nbytes, ENTERED);
    }
}

static void scatter(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call, bool is_to_each)
{
    const struct bn_hierarchy *hierarchy = plan->hierarchy;
    const struct bn_node mine = bn_node_of(hierarchy, team->rank);
    const unsigned char *blocks = (const unsigned char *)call->src;
    unsigned char *dst = bn_team_at(team, call->dst, team->rank);
    bool is_near = mine.index == bn_node_of(hierarchy, call->root).index;
    bn_operation_enter(team, call->in);
    bn_team_begin(team);
    if (team->rank == call->root) {
        bn_team_say_to_node(team, ENTERED);
        (is_to_each ? send_to_members : send_blocks)(team, hierarchy, &mine, call);
    } else if (is_near && call->in == BN_SYNC_MY) {
        bn_team_hear(team, call->root, ENTERED);
    }
    if (is_near) {
        bn_copy(dst, blocks + (size_t)team->rank * call->nbytes, call->nbytes);
    } else {
        int receiver = is_to_each ? team->rank : mine.leader;
        int place = is_to_each ? 0 : bn_hierarchy_position_of(hierarchy, team->rank) - mine.begin;
        bn_mail_await(team, receiver, call->root, ENTERED);
        bn_copy(dst, bn_mail_at(team, receiver) + (size_t)place * call->nbytes, call->nbytes);
    }
    if (is_near && call->out == BN_SYNC_MY) {
        if (team->rank == call->root)
            bn_node_hear(team, hierarchy, &mine, TAKEN);
        else
            bn_team_say_to_node(team, TAKEN);
    }
    bn_operation_leave(team, call->out);
}

void bn_scatter_by_mail(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call)
{
    scatter(team, plan, call, false);
}

void bn_scatter_flat_mail(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call)
{
    scatter(team, plan, call, true);
}
