/*
 * fold_nodes.c: reductions in which the leader of a node looks at the values of its node, and leaders bring theirs to each other.
 *
 * A value of a near member lies in the member's own slot, those of other nodes are put together in the leader's: so what comes over the
 * network arrives while the leader looks at its node, and the first node below brings its sum in one message, without asking.  The
 * others, of which there are log(nodes), take turns, the smallest subtree first.
 *
 * Nodes are counted from the root's node on, which the root leads: node v brings its sum to v without its lowest bit.
 */
#include "coll/algorithms.h"
#include "coll/fold.h"

struct nodes {
    const struct bn_hierarchy *hierarchy;
    int count;
    int of_root;
    int root;
    int mine; /* counted from the root's */
};

static struct nodes nodes_of(const struct bn_team *team, const struct bn_plan *plan, int root)
{
    struct nodes nodes = {
        .hierarchy = plan->hierarchy,
        .count = bn_hierarchy_group_count(plan->hierarchy, BN_LEVEL_NODE),
        .of_root = bn_hierarchy_group_of(plan->hierarchy, BN_LEVEL_NODE, root),
        .root = root,
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

/* Nodes 1, 2, 4, ... further on are below a node, as long as that is less than its lowest bit. */
static int count_below(const struct nodes *nodes)
{
    int count = 0;
    while ((nodes->mine == 0 || 1 << count < (nodes->mine & -nodes->mine)) && nodes->mine + (1 << count) < nodes->count)
        count++;
    return count;
}

static uint32_t step_of(int turn)
{
    return (uint32_t)turn + BN_FOLD_SHOWN;
}

/* Puts the sum of this node, and of those below it, to those that were brought to the leader of the node above before. */
static void bring(struct bn_team *team, const struct nodes *nodes, const struct bn_partial *partial, const struct bn_fold *fold)
{
    int turn = __builtin_ctz((unsigned)nodes->mine);
    int leader = leader_of(nodes, nodes->mine - (1 << turn));
    struct bn_partial sum = {.is_given = false};
    if (turn > 0) {
        bn_slot_await(team, leader, step_of(turn - 1));
        bn_slot_take(team, leader, &sum, sizeof sum);
    }
    bn_partial_add(&sum, partial, fold);
    bn_slot_fill(team, leader, &sum, sizeof sum, step_of(turn));
}

/* The value of this node, and of those below it; at its leader */
static struct bn_partial collect(struct bn_team *team, const struct nodes *nodes, const struct bn_fold *fold)
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
    int below = count_below(nodes);
    if (below > 0) {
        struct bn_partial sum;
        bn_slot_await(team, team->rank, step_of(below - 1));
        bn_slot_take(team, team->rank, &sum, sizeof sum);
        bn_partial_add(&result, &sum, fold);
    }
    return result;
}

/* The result at the root */
static struct bn_partial fold_up(struct bn_team *team, const struct nodes *nodes, const struct bn_fold *fold)
{
    if (leader_of(nodes, nodes->mine) != team->rank) {
        const struct bn_partial own = bn_partial_own(fold);
        bn_partial_show(team, &own);
        return own;
    }
    const struct bn_partial result = collect(team, nodes, fold);
    if (nodes->mine != 0)
        bring(team, nodes, &result, fold);
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

/* And down again: the leader of the node above writes a leader's slot when the leader has brought what was in it; the whole node looks there. */
void bn_reduce_all_over_nodes(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call)
{
    if (call->fold->keeps_order) {
        bn_reduce_all_push(team, plan, call);
        return;
    }
    const struct nodes nodes = nodes_of(team, plan, call->root);
    bn_team_begin(team);
    struct bn_partial result = fold_up(team, &nodes, call->fold);
    int leader = leader_of(&nodes, nodes.mine);
    if (team->rank == call->root) {
        bn_slot_fill(team, team->rank, &result, sizeof result, BN_FOLD_TOLD);
    } else {
        bn_slot_await(team, leader, BN_FOLD_TOLD);
        bn_slot_take(team, leader, &result, sizeof result);
    }
    for (int below = leader == team->rank ? count_below(&nodes) : 0; below > 0; below--)
        bn_slot_fill(team, leader_of(&nodes, nodes.mine + (1 << (below - 1))), &result, sizeof result, BN_FOLD_TOLD);
    bn_partial_finish(&result, call->fold);
}
