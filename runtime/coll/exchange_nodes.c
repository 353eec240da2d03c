/*
 * exchange_nodes.c: exchange in which a member brings what its whole node has for one member of each other node.
 *
 * A member of another node gets all that comes from here by one member, another one for each as far as there are as
 * many, with one flag.  Everybody begins with the next node, so that a node hears from one other at a time.
 *
 * Small blocks go to the mail of the receiver, in one message and without asking; it takes them from there.  Larger
 * ones go to their places in dst, once the receiver has told that it has entered: packed, where the ranks of a node
 * follow each other, else block by block.
 *
 * Steps: ENTERED, a member's data may be touched; BROUGHT, those of its node are no longer.
 */
#include "coll/algorithms.h"
#include "coll/node.h"
#include "coll/plan.h"
#include "platform/copy.h"

enum { ENTERED = 1, BROUGHT = 2 };

/* What is packed for one message; more goes block by block. */
enum { PACKED_BYTES = 128 << 10 };

/* A call, as one member sees it */
struct exchange {
    struct bn_team *team;
    const struct bn_hierarchy *hierarchy;
    const struct bn_call *call;
    struct bn_node mine;
    int node_count;
    int index; /* of the member in its node */
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

/* The member of a node that brings to this one */
static int bringer_of(const struct exchange *exchange, const struct bn_node *from)
{
    return rank_at(exchange, from->begin + exchange->index % bn_node_size(from));
}

/* The end of the positions of a node from begin on whose ranks follow each other, as far as their blocks can be
 * packed */
static int run_end(const struct exchange *exchange, const struct bn_node *node, int begin)
{
    int end = begin + 1;
    while (end < node->end && (size_t)(end + 1 - begin) * exchange->call->nbytes <= PACKED_BYTES &&
           rank_at(exchange, end) == rank_at(exchange, end - 1) + 1)
        end++;
    return end;
}

/* Tells those who bring to this member that they may. */
static void tell_bringers(const struct exchange *exchange)
{
    for (int distance = exchange->node_count - 1; distance > 0; distance--) {
        const struct bn_node from = node_behind(exchange, distance);
        bn_team_tell(exchange->team, bringer_of(exchange, &from), ENTERED);
    }
}

/* Blocks for a rank from positions [begin, end) of this node, one behind the other */
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

/* Blocks of one node that have come by mail, to their places */
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
