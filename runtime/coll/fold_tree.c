/*
 * fold_tree.c: reductions over trees: each member publishes the value of its subtree, and its parent reads it.
 */
#include "coll/algorithms.h"
#include "coll/fold_doubling.h"
#include "coll/plan.h"

/* A tree keeps the order of values if its subtrees are ranges of ranks. */
static bool keeps_order(const struct bn_plan *plan, int root)
{
    return plan->is_in_rank_order && (plan->tree_count > 1 || plan->tree_root == root);
}

/* The child with the first subtree at or after index, or null */
static const struct bn_tree_child *next_child(const struct bn_tree *tree, int index)
{
    const struct bn_tree_child *next = NULL;
    for (int i = 0; i < tree->child_count; i++) {
        const struct bn_tree_child *child = &tree->children[i];
        if (child->first >= index && (!next || child->first < next->first))
            next = child;
    }
    return next;
}

static int end_of(const struct bn_tree *tree)
{
    return tree->first + tree->count;
}

/* Combines the values of the subtree's members before end, in rank order. end must not lie inside a child's subtree. */
static struct bn_partial fold_in_order(struct bn_team *team, const struct bn_tree *tree, int end,
                                       const struct bn_fold *fold, const struct bn_partial *own)
{
    struct bn_partial result = {.is_given = false};
    int index = tree->first;
    while (index < end) {
        const struct bn_tree_child *child = next_child(tree, index);
        if (child && child->first == index) {
            struct bn_partial other = bn_partial_look(team, child->rank);
            bn_partial_add(&result, &other, fold);
            index += child->count;
        } else {
            bn_partial_add(&result, own, fold);
            index++;
        }
    }
    return result;
}

/* The same if order does not matter: combines the children in the order in which they are served. */
static struct bn_partial fold_as_served(struct bn_team *team, const struct bn_branch *branch,
                                        const struct bn_fold *fold, const struct bn_partial *own)
{
    struct bn_partial result = *own;
    int index = 0;
    for (int child = bn_branch_next(branch, &index); child >= 0; child = bn_branch_next(branch, &index)) {
        struct bn_partial other = bn_partial_look(team, child);
        bn_partial_add(&result, &other, fold);
    }
    return result;
}

static struct bn_partial fold_subtree(struct bn_team *team, const struct bn_branch *branch, const struct bn_fold *fold)
{
    const struct bn_partial own = bn_partial_own(fold);
    if (fold->keeps_order)
        return fold_in_order(team, branch->tree, end_of(branch->tree), fold, &own);
    return fold_as_served(team, branch, fold, &own);
}

void bn_reduce_tree(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call)
{
    if (call->fold->keeps_order && !keeps_order(plan, call->root)) {
        bn_reduce_flat(team, plan, call);
        return;
    }
    struct bn_branch branch = bn_branch_of(team, plan, call->root);
    bn_team_begin(team);
    struct bn_partial result = fold_subtree(team, &branch, call->fold);
    if (branch.parent < 0)
        bn_partial_finish(&result, call->fold);
    else
        bn_partial_show(team, &result);
}

/* Up the tree, and down again: a member's slot can be reused for the result, because its parent has read it by then. */
void bn_reduce_all_tree(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call)
{
    if (call->fold->keeps_order && !keeps_order(plan, call->root)) {
        bn_reduce_all_flat(team, plan, call);
        return;
    }
    struct bn_branch branch = bn_branch_of(team, plan, call->root);
    int index = 0;
    bn_team_begin(team);
    struct bn_partial result = fold_subtree(team, &branch, call->fold);
    if (branch.parent >= 0) {
        bn_partial_show(team, &result);
        bn_slot_await(team, branch.parent, BN_FOLD_TOLD);
        bn_slot_take(team, branch.parent, &result, sizeof result);
    }
    if (bn_branch_next(&branch, &index) >= 0)
        bn_slot_fill(team, team->rank, &result, sizeof result, BN_FOLD_TOLD);
    bn_partial_finish(&result, call->fold);
}

/* Given the combined value of everything before this member's subtree, tells each child before end the value of
 * everything before that child's subtree, and returns the value of everything before the member itself. own is the
 * member's value. */
static struct bn_partial tell_children(struct bn_team *team, const struct bn_tree *tree, int end,
                                       const struct bn_fold *fold, const struct bn_partial *own,
                                       struct bn_partial before)
{
    struct bn_partial own_before = {.is_given = false};
    int index = tree->first;
    while (index < end) {
        const struct bn_tree_child *child = next_child(tree, index);
        if (!child || child->first != index) {
            own_before = before;
            bn_partial_add(&before, own, fold);
            index++;
            continue;
        }
        struct bn_partial other = bn_partial_look(team, child->rank);
        bn_slot_fill(team, child->rank, &before, sizeof before, BN_FOLD_TOLD);
        bn_partial_add(&before, &other, fold);
        index += child->count;
    }
    return own_before;
}

/* Publishes the value of this member's subtree, and returns the value of everything before the subtree, as told by the
 * parent. */
static struct bn_partial ask_parent(struct bn_team *team, const struct bn_tree *tree, const struct bn_fold *fold,
                                    const struct bn_partial *own)
{
    struct bn_partial before;
    const struct bn_partial all = fold_in_order(team, tree, end_of(tree), fold, own);
    bn_partial_show(team, &all);
    bn_slot_await_from(team, team->rank, tree->parent, BN_FOLD_TOLD);
    bn_slot_take(team, team->rank, &before, sizeof before);
    return before;
}

/* Up the tree, then down with the prefixes: a member's slot is filled first by the member, then by its parent. */
void bn_prefix_tree(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call)
{
    if (!plan->is_in_rank_order) {
        bn_prefix_flat(team, plan, call);
        return;
    }
    const struct bn_tree *tree = bn_branch_of(team, plan, plan->tree_root).tree;
    const struct bn_partial own = bn_partial_own(call->fold);
    struct bn_partial before = {.is_given = false};
    bn_team_begin(team);
    if (tree->parent >= 0)
        before = ask_parent(team, tree, call->fold, &own);
    before = tell_children(team, tree, end_of(tree), call->fold, &own, before);
    bn_partial_finish(&before, call->fold);
}

static int leader_of_node(const struct bn_plan *plan, int node)
{
    return bn_hierarchy_leader(plan->hierarchy, BN_LEVEL_NODE, node);
}

/*
 * Up the tree within each node, then dissemination between the leaders, which takes log(nodes) rounds instead of going
 * up and down a tree, then down within each node.  In the tree of the first member, the leaders are the first members
 * of their nodes, and the members of other nodes below a leader come after those of its own node.
 */
void bn_prefix_nodes(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call)
{
    if (!plan->is_in_rank_order) {
        bn_prefix_flat(team, plan, call);
        return;
    }
    const struct bn_tree *tree = bn_branch_of(team, plan, plan->tree_root).tree;
    const struct bn_partial own = bn_partial_own(call->fold);
    int node = bn_hierarchy_group_of(plan->hierarchy, BN_LEVEL_NODE, team->rank);
    int node_end = bn_hierarchy_group_begin(plan->hierarchy, BN_LEVEL_NODE, node + 1);
    int end = end_of(tree) < node_end ? end_of(tree) : node_end;
    struct bn_partial before;
    bn_team_begin(team);
    if (leader_of_node(plan, node) == team->rank) {
        const struct bn_row row = {plan, leader_of_node, node,
                                   bn_hierarchy_group_count(plan->hierarchy, BN_LEVEL_NODE)};
        const struct bn_partial all = fold_in_order(team, tree, end, call->fold, &own);
        before = bn_fold_disseminate(team, &row, call->fold, &all);
    } else {
        before = ask_parent(team, tree, call->fold, &own);
    }
    before = tell_children(team, tree, end, call->fold, &own, before);
    bn_partial_finish(&before, call->fold);
}
