/*
 * exchange_nodes.c: exchange in which a member sends all blocks of its whole node for one member of another node.
 *
 * A member of another node gets all blocks from this node from one sender, with one flag; as far as possible, different
 * receivers have different senders.  All members begin with the node after their own, so that a node receives from one
 * other node at a time.
 *
 * Small blocks go to the mail of the receiver, in one message and without a request; it takes them from there.  Larger
 * ones go directly to dst, once the receiver has announced that it has entered: packed if the ranks of the node are
 * consecutive, else block by block.
 *
 * Steps: ENTERED, a member's data may be accessed; BROUGHT, the member no longer accesses data of its node, or its
 * blocks have arrived.
 */
#include "coll/algorithms.h"
#include "coll/node.h"
#include "coll/plan.h"
#include "platform/copy.h"

enum { ENTERED = 1, BROUGHT = 2 };

/* Most bytes that are packed for one message; more go block by block. */
enum { PACKED_BYTES = 128 << 10 };

/* A call, as one member sees it */
struct exchange {
    struct bn_team *team;
    const struct bn_hierarchy *hierarchy;
    const struct bn_call *call;
    struct bn_node mine;
    int node_count;
    int index; /* index of the member in its node */
    bool is_by_mail;
};

static int rank_at(const struct exchange *exchange, int position)
{
    return bn_hierarchy_member_at(exchange->hierarchy, position);
}

static struct bn_node node_behind(const struct exchange *exchange, int distance)
{
    return bn_node_behind(exchange->hierarchy, &exchange->mine, distance);
}

/* The member of a node that sends to this one */
static int bringer_of(const struct exchange *exchange, const struct bn_node *from)
{
    return rank_at(exchange, from->begin + exchange->index % bn_node_size(from));
}

/* The end of the run of positions from begin on whose ranks are consecutive and whose blocks can be packed together */
static int run_end(const struct exchange *exchange, const struct bn_node *node, int begin)
{
    int end = begin + 1;
    while (end < node->end && (size_t)(end + 1 - begin) * exchange->call->nbytes <= PACKED_BYTES &&
           rank_at(exchange, end) == rank_at(exchange, end - 1) + 1)
        end++;
    return end;
}

/* Tells the members that send to this one that they may. */
static void tell_bringers(const struct exchange *exchange)
{
    for (int distance = exchange->node_count - 1; distance > 0; distance--) {
        const struct bn_node from = node_behind(exchange, distance);
        bn_team_tell(exchange->team, bringer_of(exchange, &from), ENTERED);
    }
}

/* Packs the blocks for a rank from positions [begin, end) of this node. */
static const unsigned char *pack(const struct exchange *exchange, int rank, int begin, int end, unsigned char *packed)
{
    const struct bn_call *call = exchange->call;
    size_t block = (size_t)rank * call->nbytes;
    if (end == begin + 1)
        return bn_call_src(exchange->team, call, rank_at(exchange, begin)) + block;
    for (int position = begin; position < end; position++)
        bn_copy(packed + (size_t)(position - begin) * call->nbytes,
                bn_call_src(exchange->team, call, rank_at(exchange, position)) + block, call->nbytes);
    return packed;
}

static void bring_to_mail(const struct exchange *exchange, int rank)
{
    unsigned char packed[BN_TEAM_WIDE_MAIL_BYTES / 2];
    const struct bn_node *mine = &exchange->mine;
    size_t nbytes = exchange->call->nbytes;
    const unsigned char *blocks = pack(exchange, rank, mine->begin, mine->end, packed);
    bn_mail_send(exchange->team, rank, (size_t)mine->begin * nbytes, blocks, bn_node_bytes(mine, nbytes), BROUGHT);
}

static void bring_to_dst(const struct exchange *exchange, int rank)
{
    unsigned char packed[PACKED_BYTES];
    const struct bn_node *mine = &exchange->mine;
    size_t nbytes = exchange->call->nbytes;
    unsigned char *dst = bn_call_dst(exchange->team, exchange->call, rank);
    for (int begin = mine->begin, end; begin < mine->end; begin = end) {
        end = run_end(exchange, mine, begin);
        const unsigned char *blocks = pack(exchange, rank, begin, end, packed);
        unsigned char *place = dst + (size_t)rank_at(exchange, begin) * nbytes;
        size_t size_bytes = (size_t)(end - begin) * nbytes;
        if (end < mine->end)
            bn_flag_hand_over_part(place, blocks, size_bytes);
        else
            bn_team_hand_over(exchange->team, rank, place, blocks, size_bytes, BROUGHT);
    }
}

static void bring_to(const struct exchange *exchange, int rank)
{
    if (exchange->is_by_mail) {
        bring_to_mail(exchange, rank);
        return;
    }
    if (exchange->call->in == BN_SYNC_MY)
        bn_team_hear_told(exchange->team, rank, ENTERED);
    bring_to_dst(exchange, rank);
}

static void bring_to_nodes(const struct exchange *exchange)
{
    for (int distance = 1; distance < exchange->node_count; distance++) {
        const struct bn_node to = node_behind(exchange, distance);
        for (int index = exchange->index; index < bn_node_size(&to); index += bn_node_size(&exchange->mine))
            bring_to(exchange, rank_at(exchange, to.begin + index));
    }
}

/* Copies the blocks of one node that have arrived by mail to their places. */
static void take(const struct exchange *exchange, const struct bn_node *from)
{
    struct bn_team *team = exchange->team;
    size_t nbytes = exchange->call->nbytes;
    const unsigned char *mail = bn_mail_at(team, team->rank);
    unsigned char *dst = bn_call_dst(team, exchange->call, team->rank);
    for (int position = from->begin; position < from->end; position++)
        bn_copy(dst + (size_t)rank_at(exchange, position) * nbytes, mail + (size_t)position * nbytes, nbytes);
}

static void take_from_nodes(const struct exchange *exchange)
{
    for (int distance = exchange->node_count - 1; distance > 0; distance--) {
        const struct bn_node from = node_behind(exchange, distance);
        bn_mail_await(exchange->team, exchange->team->rank, bringer_of(exchange, &from), BROUGHT);
        if (exchange->is_by_mail)
            take(exchange, &from);
    }
}

static void take_from_own_node(const struct exchange *exchange)
{
    const struct bn_call *call = exchange->call;
    struct bn_team *team = exchange->team;
    unsigned char *dst = bn_call_dst(team, call, team->rank);
    for (int position = exchange->mine.begin; position < exchange->mine.end; position++) {
        int rank = rank_at(exchange, position);
        bn_copy(dst + (size_t)rank * call->nbytes, bn_call_src(team, call, rank) + (size_t)team->rank * call->nbytes,
                call->nbytes);
    }
}

static void carry_out(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call, bool is_by_mail)
{
    const struct bn_hierarchy *hierarchy = plan->hierarchy;
    struct exchange exchange = {
        .team = team,
        .hierarchy = hierarchy,
        .call = call,
        .mine = bn_node_of(hierarchy, team->rank),
        .node_count = bn_hierarchy_group_count(hierarchy, BN_LEVEL_NODE),
        .is_by_mail = is_by_mail,
    };
    exchange.index = bn_hierarchy_position_of(hierarchy, team->rank) - exchange.mine.begin;
    bn_operation_enter(team, call->in);
    bn_team_begin_wide(team, is_by_mail ? (size_t)team->size * call->nbytes : 0);
    bn_team_say_to_node(team, ENTERED);
    if (call->in == BN_SYNC_MY && !is_by_mail)
        tell_bringers(&exchange);
    if (call->in == BN_SYNC_MY)
        bn_node_hear(team, hierarchy, &exchange.mine, ENTERED);
    bring_to_nodes(&exchange);
    take_from_own_node(&exchange);
    bn_team_say_to_node(team, BROUGHT);
    take_from_nodes(&exchange);
    if (call->out == BN_SYNC_MY)
        bn_node_hear(team, hierarchy, &exchange.mine, BROUGHT);
    bn_operation_leave(team, call->out);
}

void bn_exchange_over_nodes(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call)
{
    carry_out(team, plan, call, false);
}

void bn_exchange_over_nodes_mail(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call)
{
    carry_out(team, plan, call, true);
}
