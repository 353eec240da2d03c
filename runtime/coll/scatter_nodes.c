/*
 * scatter_nodes.c: scatter over nodes in which the root pushes the blocks to members of other nodes.
 *
 * Small blocks of a node go together to the mail of its leader, larger ones each to the mail of their receiver; that
 * needs no permission, because mail is always free.  Still larger ones go directly to dst, once the member has
 * announced that it has entered; the part that fits into the mail is sent before.  In the root's node members read the
 * root's data.
 *
 * Steps: ENTERED, a member's data may be accessed, or its packet has arrived; TAKEN, a member of the root's node has
 * its block.
 */
#include "coll/algorithms.h"
#include "coll/node.h"
#include "coll/plan.h"
#include "platform/copy.h"

enum { ENTERED = 1, TAKEN = 2 };

/* Copies the blocks at positions [begin, end) from an array in the order of ranks to one in the order of positions. */
static void pack(const struct bn_hierarchy *hierarchy, unsigned char *packed, const unsigned char *blocks, int begin,
                 int end, size_t nbytes)
{
    for (int position = begin; position < end; position++)
        bn_copy(packed + (size_t)(position - begin) * nbytes,
                blocks + (size_t)bn_hierarchy_member_at(hierarchy, position) * nbytes, nbytes);
}

static void send_to_leaders(struct bn_team *team, const struct bn_hierarchy *hierarchy, const struct bn_node *mine,
                            const struct bn_call *call)
{
    unsigned char *packed = bn_mail_at(team, team->rank); /* nobody sends to the root's mail */
    int count = bn_hierarchy_group_count(hierarchy, BN_LEVEL_NODE);
    for (int distance = 1; distance < count; distance++) {
        const struct bn_node to = bn_node_behind(hierarchy, mine, distance);
        pack(hierarchy, packed, bn_call_src_at_root(team, call), to.begin, to.end, call->nbytes);
        bn_mail_send(team, to.leader, 0, packed, bn_node_bytes(&to, call->nbytes), ENTERED);
    }
}

static const unsigned char *block_of(const struct bn_team *team, const struct bn_call *call, int rank)
{
    return bn_call_src_at_root(team, call) + (size_t)rank * call->nbytes;
}

static void send_to_mail(struct bn_team *team, const struct bn_call *call, int rank)
{
    bn_mail_send(team, rank, 0, block_of(team, call, rank), call->nbytes, ENTERED);
}

/* How much of a block goes to the mail instead of dst, before the receiver has announced that it has entered */
static size_t head_bytes(const struct bn_call *call)
{
    if (call->in != BN_SYNC_MY)
        return 0;
    return call->nbytes < BN_TEAM_MAIL_BYTES ? call->nbytes : BN_TEAM_MAIL_BYTES;
}

static void send_to_dst(struct bn_team *team, const struct bn_call *call, int rank)
{
    const unsigned char *block = block_of(team, call, rank);
    size_t head = head_bytes(call);
    if (call->in == BN_SYNC_MY) {
        bn_flag_hand_over_part(bn_mail_at(team, rank), block, head);
        bn_team_hear_told(team, rank, ENTERED);
    }
    bn_team_hand_over(team, rank, bn_call_dst(team, call, rank) + head, block + head, call->nbytes - head, ENTERED);
}

/* Sends each member of another node its block. */
static void send_to_members(struct bn_team *team, const struct bn_hierarchy *hierarchy, const struct bn_node *mine,
                            const struct bn_call *call,
                            void (*send)(struct bn_team *, const struct bn_call *, int rank))
{
    for (int distance = 1; distance < team->size; distance++) {
        int rank = bn_team_rotate(team, team->rank, distance);
        if (bn_hierarchy_group_of(hierarchy, BN_LEVEL_NODE, rank) != mine->index)
            send(team, call, rank);
    }
}

enum way { TO_LEADERS, TO_MAIL, TO_DST };

static void send_blocks(struct bn_team *team, const struct bn_hierarchy *hierarchy, const struct bn_node *mine,
                        const struct bn_call *call, enum way way)
{
    if (way == TO_LEADERS)
        send_to_leaders(team, hierarchy, mine, call);
    else
        send_to_members(team, hierarchy, mine, call, way == TO_MAIL ? send_to_mail : send_to_dst);
}

/* In a member of another node: receives what the root has sent. */
static void receive(struct bn_team *team, const struct bn_hierarchy *hierarchy, const struct bn_node *mine,
                    const struct bn_call *call, enum way way)
{
    int receiver = way == TO_LEADERS ? mine->leader : team->rank;
    int place = way == TO_LEADERS ? bn_hierarchy_position_of(hierarchy, team->rank) - mine->begin : 0;
    size_t in_mail = way == TO_DST ? head_bytes(call) : call->nbytes;
    if (way == TO_DST && call->in == BN_SYNC_MY)
        bn_team_tell(team, call->root, ENTERED);
    bn_mail_await(team, receiver, call->root, ENTERED);
    bn_copy(bn_call_dst(team, call, team->rank), bn_mail_at(team, receiver) + (size_t)place * call->nbytes, in_mail);
}

/* In the root's node, including the root */
static void take_near(struct bn_team *team, const struct bn_hierarchy *hierarchy, const struct bn_node *mine,
                      const struct bn_call *call)
{
    bool is_root = team->rank == call->root;
    if (!is_root && call->in == BN_SYNC_MY)
        bn_team_hear(team, call->root, ENTERED);
    bn_copy(bn_call_dst(team, call, team->rank), block_of(team, call, team->rank), call->nbytes);
    if (call->out != BN_SYNC_MY)
        return;
    if (is_root)
        bn_node_hear(team, hierarchy, mine, TAKEN);
    else
        bn_team_say_to_node(team, TAKEN);
}

static void scatter(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call, enum way way)
{
    const struct bn_hierarchy *hierarchy = plan->hierarchy;
    const struct bn_node mine = bn_node_of(hierarchy, team->rank);
    bn_operation_enter(team, call->in);
    bn_team_begin(team);
    if (team->rank == call->root) {
        bn_team_say_to_node(team, ENTERED);
        send_blocks(team, hierarchy, &mine, call, way);
    }
    if (mine.index == bn_node_of(hierarchy, call->root).index)
        take_near(team, hierarchy, &mine, call);
    else
        receive(team, hierarchy, &mine, call, way);
    bn_operation_leave(team, call->out);
}

void bn_scatter_by_mail(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call)
{
    scatter(team, plan, call, TO_LEADERS);
}

void bn_scatter_flat_mail(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call)
{
    scatter(team, plan, call, TO_MAIL);
}

void bn_scatter_flat_push(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call)
{
    scatter(team, plan, call, TO_DST);
}
