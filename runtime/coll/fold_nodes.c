/*
 * fold_nodes.c: reductions in which the leader of each node collects the values of its node, and leaders send their
 * sums to each other.
 *
 * A near member's value lies in its own slot; the sum of another node arrives in the leader's mail.  So data from the
 * network arrive while the leader collects from its node, each in one message without a request.  Results go back in
 * the same way.
 *
 * Nodes are numbered from the root's node on, which the root leads.  In a flat tree all nodes send their sums to the
 * root, or to all nodes; in a binomial tree, node v sends its sum to the node whose number is v without its lowest set
 * bit.
 */
#include "coll/algorithms.h"
#include "coll/fold.h"
#include "coll/plan.h"

#include <string.h>

struct nodes {
    const struct bn_hierarchy *hierarchy;
    int count;
    int of_root;
    int root;
    int mine; /* number of this node, counted from the root's node */
    bool is_flat;
};

static struct nodes nodes_of(const struct bn_team *team, const struct bn_plan *plan, int root)
{
    struct nodes nodes = {
        .hierarchy = plan->hierarchy,
        .count = bn_hierarchy_group_count(plan->hierarchy, BN_LEVEL_NODE),
        .of_root = bn_hierarchy_group_of(plan->hierarchy, BN_LEVEL_NODE, root),
        .root = root,
        .is_flat = plan->shape.parts[0].kind == BN_SHAPE_FLAT,
    };
    int own = bn_hierarchy_group_of(plan->hierarchy, BN_LEVEL_NODE, team->rank);
    nodes.mine = (own - nodes.of_root + nodes.count) % nodes.count;
    return nodes;
}

static int group_at(const struct nodes *nodes, int node)
{
    return (nodes->of_root + node) % nodes->count;
}

static int leader_of(const struct nodes *nodes, int node)
{
    return node == 0 ? nodes->root : bn_hierarchy_leader(nodes->hierarchy, BN_LEVEL_NODE, group_at(nodes, node));
}

/* The node to which this one sends its sum */
static int node_above(const struct nodes *nodes)
{
    return nodes->is_flat ? 0 : nodes->mine & (nodes->mine - 1);
}

/* The nodes below this one: in a flat tree, all nodes below the root's; in a binomial tree, those 1, 2, 4, ... further
 * on, as long as the distance is less than the lowest set bit. */
static int node_below(const struct nodes *nodes, int index)
{
    return nodes->is_flat ? index + 1 : nodes->mine + (1 << index);
}

static int count_below(const struct nodes *nodes)
{
    if (nodes->is_flat)
        return nodes->mine == 0 ? nodes->count - 1 : 0;
    int count = 0;
    while ((nodes->mine == 0 || 1 << count < (nodes->mine & -nodes->mine)) && node_below(nodes, count) < nodes->count)
        count++;
    return count;
}

/* Where a leader's sum lies in the mail.  Each leader has its own place, because members that the receiver no longer
 * waits for may be operations ahead. */
static size_t place_of(int leader)
{
    return (size_t)leader * sizeof(struct bn_partial);
}
_Static_assert(BN_TEAM_MAIL_MEMBERS * sizeof(struct bn_partial) <= BN_TEAM_MAIL_BYTES, "fits into the mail");

/* Sends the sum of this node and those below it to the leader of the node above. */
static void bring(struct bn_team *team, const struct nodes *nodes, const struct bn_partial *partial)
{
    int leader = leader_of(nodes, node_above(nodes));
    bn_mail_send(team, leader, place_of(team->rank), partial, sizeof *partial, BN_FOLD_SHOWN);
}

/* Called by the leader: the combined value of its node. */
static struct bn_partial collect_near(struct bn_team *team, const struct nodes *nodes, const struct bn_fold *fold)
{
    struct bn_partial result = bn_partial_own(fold);
    int group = group_at(nodes, nodes->mine);
    int begin = bn_hierarchy_group_begin(nodes->hierarchy, BN_LEVEL_NODE, group);
    int size = bn_hierarchy_group_size(nodes->hierarchy, BN_LEVEL_NODE, group);
    for (int position = begin; position < begin + size; position++) {
        int rank = bn_hierarchy_member_at(nodes->hierarchy, position);
        if (rank == team->rank)
            continue;
        const struct bn_partial shown = bn_partial_look(team, rank);
        bn_partial_add(&result, &shown, fold);
    }
    return result;
}

/* Waits for the sum that the leader of another node sends. */
static struct bn_partial brought(struct bn_team *team, int leader)
{
    struct bn_partial sum;
    bn_mail_await(team, team->rank, leader, BN_FOLD_SHOWN);
    memcpy(&sum, bn_mail_at(team, team->rank) + place_of(leader), sizeof sum);
    return sum;
}

/* Returns the result, at the root only. */
static struct bn_partial fold_up(struct bn_team *team, const struct nodes *nodes, const struct bn_fold *fold)
{
    if (leader_of(nodes, nodes->mine) != team->rank) {
        const struct bn_partial own = bn_partial_own(fold);
        bn_partial_show(team, &own);
        return own;
    }
    struct bn_partial result = collect_near(team, nodes, fold);
    for (int below = 0; below < count_below(nodes); below++) {
        const struct bn_partial sum = brought(team, leader_of(nodes, node_below(nodes, below)));
        bn_partial_add(&result, &sum, fold);
    }
    if (nodes->mine != 0)
        bring(team, nodes, &result);
    return result;
}

void bn_reduce_over_nodes(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call)
{
    if (call->fold->keeps_order) {
        bn_reduce_push(team, plan, call);
        return;
    }
    const struct nodes nodes = nodes_of(team, plan, call->root);
    bn_team_begin(team);
    const struct bn_partial result = fold_up(team, &nodes, call->fold);
    if (team->rank == call->root)
        bn_partial_finish(&result, call->fold);
}

/* Puts a result where its node polls: into the slot of the leader. */
static void tell(struct bn_team *team, int leader, const struct bn_partial *result)
{
    bn_slot_hand_over(team, leader, bn_slot_room(team, leader, sizeof *result), result, sizeof *result, BN_FOLD_TOLD);
}

/* Up to the root and down again: the leader of the node above tells those below. */
static void fold_through_root(struct bn_team *team, const struct nodes *nodes, const struct bn_fold *fold, int leader)
{
    struct bn_partial result = fold_up(team, nodes, fold);
    if (leader != team->rank)
        return;
    if (nodes->mine == 0) {
        tell(team, team->rank, &result);
    } else {
        bn_slot_await_from(team, team->rank, leader_of(nodes, node_above(nodes)), BN_FOLD_TOLD);
        bn_slot_take(team, team->rank, &result, sizeof result);
    }
    for (int below = count_below(nodes); below > 0; below--)
        tell(team, leader_of(nodes, node_below(nodes, below - 1)), &result);
}

/* Every leader sends to all others, and combines in the order of nodes, so that all get bitwise the same result.  The
 * messages overlap, so they take about as long as one, whereas a tree needs several, one after the other. */
static void fold_at_all(struct bn_team *team, const struct nodes *nodes, const struct bn_fold *fold, int leader)
{
    if (leader != team->rank) {
        const struct bn_partial own = bn_partial_own(fold);
        bn_partial_show(team, &own);
        return;
    }
    struct bn_partial result = {.is_given = false};
    const struct bn_partial sum = collect_near(team, nodes, fold);
    for (int distance = 1; distance < nodes->count; distance++)
        bn_mail_send(team, leader_of(nodes, (nodes->mine + distance) % nodes->count), place_of(team->rank), &sum,
                     sizeof sum, BN_FOLD_SHOWN);
    for (int node = 0; node < nodes->count; node++) {
        const struct bn_partial next = node == nodes->mine ? sum : brought(team, leader_of(nodes, node));
        bn_partial_add(&result, &next, fold);
    }
    tell(team, team->rank, &result);
}

void bn_reduce_all_over_nodes(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call)
{
    if (call->fold->keeps_order) {
        bn_reduce_all_push(team, plan, call);
        return;
    }
    const struct nodes nodes = nodes_of(team, plan, call->root);
    int leader = leader_of(&nodes, nodes.mine);
    struct bn_partial result;
    bn_team_begin(team);
    if (nodes.is_flat)
        fold_at_all(team, &nodes, call->fold, leader);
    else
        fold_through_root(team, &nodes, call->fold, leader);
    bn_slot_await(team, leader, BN_FOLD_TOLD);
    bn_slot_take(team, leader, &result, sizeof result);
    bn_partial_finish(&result, call->fold);
}
