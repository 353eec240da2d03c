/*
 * by_mail.c: gather, gather_all and exchange of small blocks over nodes: one message from a node to another, sent
 * without a request.
 *
 * The blocks of a node travel together, in the order of the hierarchy: from the leader of a node to the mail of the
 * other node's leader or of the root, which is always free.  Inside a node, members read each other's data and mail as
 * on one machine.  The mail of one operation holds one block per member, or per pair of members.
 *
 * Steps: ENTERED, a member's data may be accessed, or its packet has arrived; TAKEN, its leader has copied the data of
 * its node.
 */
#include "coll/algorithms.h"
#include "coll/node.h"
#include "coll/plan.h"
#include "platform/copy.h"

enum { ENTERED = 1, TAKEN = 2 };

/* Copies blocks from an array in the order of positions, [begin, end), to one in the order of ranks. */
static void unpack(const struct bn_hierarchy *hierarchy, unsigned char *blocks, const unsigned char *packed, int begin,
                   int end, size_t nbytes)
{
    for (int position = begin; position < end; position++)
        bn_copy(blocks + (size_t)bn_hierarchy_member_at(hierarchy, position) * nbytes,
                packed + (size_t)(position - begin) * nbytes, nbytes);
}

/* Called by the leader: copies the blocks of its node to their places in its own mail. */
static void collect(struct bn_team *team, const struct bn_hierarchy *hierarchy, const struct bn_node *node,
                    const struct bn_call *call)
{
    unsigned char *mail = bn_mail_at(team, team->rank);
    if (call->in == BN_SYNC_MY)
        bn_node_hear(team, hierarchy, node, ENTERED);
    for (int position = node->begin; position < node->end; position++)
        bn_copy(mail + (size_t)position * call->nbytes,
                bn_call_src(team, call, bn_hierarchy_member_at(hierarchy, position)), call->nbytes);
}

/* ---- Gather ---- */

static void take_packets(struct bn_team *team, const struct bn_hierarchy *hierarchy, const struct bn_node *mine,
                         const struct bn_call *call)
{
    int count = bn_hierarchy_group_count(hierarchy, BN_LEVEL_NODE);
    for (int distance = 1; distance < count; distance++) {
        const struct bn_node from = bn_node_behind(hierarchy, mine, distance);
        bn_mail_await(team, team->rank, from.leader, ENTERED);
        unpack(hierarchy, bn_call_dst_at_root(team, call),
               bn_mail_at(team, team->rank) + (size_t)from.begin * call->nbytes, from.begin, from.end, call->nbytes);
    }
}

/* In the root's node each member writes its own block. */
static void gather_near(struct bn_team *team, const struct bn_hierarchy *hierarchy, const struct bn_node *mine,
                        const struct bn_call *call)
{
    bool is_root = team->rank == call->root;
    if (is_root)
        bn_team_say_to_node(team, ENTERED);
    else if (call->in == BN_SYNC_MY)
        bn_team_hear(team, call->root, ENTERED);
    unsigned char *blocks = bn_call_dst_at_root(team, call);
    bn_copy(blocks + (size_t)team->rank * call->nbytes, bn_call_src(team, call, team->rank), call->nbytes);
    if (is_root)
        take_packets(team, hierarchy, mine, call);
    if (is_root && call->out == BN_SYNC_MY)
        bn_node_hear(team, hierarchy, mine, TAKEN);
    else if (!is_root)
        bn_team_say_to_node(team, TAKEN);
}

static void gather_far(struct bn_team *team, const struct bn_hierarchy *hierarchy, const struct bn_node *mine,
                       const struct bn_call *call)
{
    size_t offset = (size_t)mine->begin * call->nbytes;
    if (team->rank != mine->leader) {
        bn_team_say_to_node(team, ENTERED);
        if (call->out == BN_SYNC_MY)
            bn_team_hear(team, mine->leader, TAKEN);
        return;
    }
    collect(team, hierarchy, mine, call);
    bn_team_say_to_node(team, TAKEN);
    bn_mail_send(team, call->root, offset, bn_mail_at(team, team->rank) + offset, bn_node_bytes(mine, call->nbytes),
                 ENTERED);
}

void bn_gather_by_mail(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call)
{
    const struct bn_node mine = bn_node_of(plan->hierarchy, team->rank);
    bn_operation_enter(team, call->in);
    bn_team_begin_wide(team, (size_t)team->size * call->nbytes);
    if (mine.index == bn_node_of(plan->hierarchy, call->root).index)
        gather_near(team, plan->hierarchy, &mine, call);
    else
        gather_far(team, plan->hierarchy, &mine, call);
    bn_operation_leave(team, call->out);
}

/* ---- Gather_all ---- */

/* Leaders exchange the blocks of their nodes; afterwards the mail of each leader holds all blocks. */
static void share(struct bn_team *team, const struct bn_hierarchy *hierarchy, const struct bn_node *mine, size_t nbytes)
{
    size_t offset = (size_t)mine->begin * nbytes;
    int count = bn_hierarchy_group_count(hierarchy, BN_LEVEL_NODE);
    for (int distance = 1; distance < count; distance++)
        bn_mail_send(team, bn_node_behind(hierarchy, mine, distance).leader, offset,
                     bn_mail_at(team, team->rank) + offset, bn_node_bytes(mine, nbytes), ENTERED);
    for (int distance = 1; distance < count; distance++)
        bn_mail_await(team, team->rank, bn_node_behind(hierarchy, mine, distance).leader, ENTERED);
}

void bn_gather_all_by_mail(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call)
{
    const struct bn_hierarchy *hierarchy = plan->hierarchy;
    const struct bn_node mine = bn_node_of(hierarchy, team->rank);
    bn_operation_enter(team, call->in);
    bn_team_begin_wide(team, (size_t)team->size * call->nbytes);
    if (team->rank == mine.leader) {
        collect(team, hierarchy, &mine, call);
        share(team, hierarchy, &mine, call->nbytes);
        bn_team_say_to_node(team, TAKEN);
    } else {
        bn_team_say_to_node(team, ENTERED);
        bn_team_hear(team, mine.leader, TAKEN);
    }
    unpack(hierarchy, bn_call_dst(team, call, team->rank), bn_mail_at(team, mine.leader), 0, team->size, call->nbytes);
    bn_operation_leave(team, call->out);
}

/* ---- Exchange ---- */

/* Called by the leader: sends each other node the blocks for its members, grouped by receiver. */
static void send_pairs(struct bn_team *team, const struct bn_hierarchy *hierarchy, const struct bn_node *mine,
                       const struct bn_call *call)
{
    unsigned char packed[BN_TEAM_MAIL_BYTES];
    int count = bn_hierarchy_group_count(hierarchy, BN_LEVEL_NODE);
    for (int distance = 1; distance < count; distance++) {
        const struct bn_node to = bn_node_behind(hierarchy, mine, distance);
        unsigned char *end = packed;
        for (int receiver = to.begin; receiver < to.end; receiver++) {
            size_t block = (size_t)bn_hierarchy_member_at(hierarchy, receiver) * call->nbytes;
            for (int sender = mine->begin; sender < mine->end; sender++, end += call->nbytes)
                bn_copy(end, bn_call_src(team, call, bn_hierarchy_member_at(hierarchy, sender)) + block, call->nbytes);
        }
        bn_mail_send(team, to.leader, (size_t)mine->begin * bn_node_bytes(&to, call->nbytes), packed,
                     (size_t)(end - packed), ENTERED);
    }
}

/* Takes this member's blocks from the packets that its leader has received. */
static void take_pairs(struct bn_team *team, const struct bn_hierarchy *hierarchy, const struct bn_node *mine,
                       const struct bn_call *call)
{
    unsigned char *dst = bn_call_dst(team, call, team->rank);
    int place = bn_hierarchy_position_of(hierarchy, team->rank) - mine->begin;
    int count = bn_hierarchy_group_count(hierarchy, BN_LEVEL_NODE);
    for (int distance = 1; distance < count; distance++) {
        const struct bn_node from = bn_node_behind(hierarchy, mine, distance);
        size_t packet = (size_t)from.begin * bn_node_bytes(mine, call->nbytes);
        bn_mail_await(team, mine->leader, from.leader, ENTERED);
        unpack(hierarchy, dst,
               bn_mail_at(team, mine->leader) + packet + (size_t)place * bn_node_bytes(&from, call->nbytes), from.begin,
               from.end, call->nbytes);
    }
}

void bn_exchange_by_mail(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call)
{
    const struct bn_hierarchy *hierarchy = plan->hierarchy;
    const struct bn_node mine = bn_node_of(hierarchy, team->rank);
    unsigned char *dst = bn_call_dst(team, call, team->rank);
    size_t block = (size_t)team->rank * call->nbytes;
    bn_operation_enter(team, call->in);
    bn_team_begin(team);
    bn_team_say_to_node(team, ENTERED);
    if (call->in == BN_SYNC_MY)
        bn_node_hear(team, hierarchy, &mine, ENTERED);
    if (team->rank == mine.leader)
        send_pairs(team, hierarchy, &mine, call);
    for (int position = mine.begin; position < mine.end; position++) {
        int rank = bn_hierarchy_member_at(hierarchy, position);
        bn_copy(dst + (size_t)rank * call->nbytes, bn_call_src(team, call, rank) + block, call->nbytes);
    }
    bn_team_say_to_node(team, TAKEN);
    take_pairs(team, hierarchy, &mine, call);
    if (call->out == BN_SYNC_MY)
        bn_node_hear(team, hierarchy, &mine, TAKEN);
    bn_operation_leave(team, call->out);
}
