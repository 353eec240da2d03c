/*
 * fold_push.c: reductions over trees in which results are pushed: the children of a member accumulate theirs in its
 * slot, one after the other, and the member waits only for the last one.
 *
 * So a slot has one writer at a time, the child whose turn it is.  Turns follow the order of the subtrees in the tree's
 * order of members, so that the result does not depend on timing.
 *
 * If one tree serves all roots, the root, when it is its turn, adds nothing to the slot of the member above it, and the
 * tree's own root comes before the root's other children.
 */
#include "coll/algorithms.h"
#include "coll/fold.h"
#include "coll/plan.h"

/* Accumulated values of the children of a member: of subtrees before the member itself, and after it */
struct sums {
    struct bn_partial before, behind;
};
_Static_assert(sizeof(struct sums) <= (size_t)BN_FLAG_PAYLOAD_BYTES, "both fit beside a flag");

static uint32_t step_of(int turn)
{
    return (uint32_t)turn + BN_FOLD_SHOWN;
}

static void bring(struct bn_team *team, const struct bn_plan *plan, const struct bn_branch *branch, int parent,
                  int turn, const struct bn_partial *partial, const struct bn_fold *fold)
{
    struct sums sums = {.before = {.is_given = false}, .behind = {.is_given = false}};
    bool is_behind = branch->tree->first > bn_shape_index_of(plan->hierarchy, &plan->shape, parent);
    if (turn > 0) {
        bn_slot_await(team, parent, step_of(turn - 1));
        bn_slot_take(team, parent, &sums, sizeof sums);
    }
    bn_partial_add(is_behind ? &sums.behind : &sums.before, partial, fold);
    bn_slot_fill(team, parent, &sums, sizeof sums, step_of(turn));
}

/* Waits for all children, and returns the value of the subtree. */
static struct bn_partial collect(struct bn_team *team, const struct bn_branch *branch, const struct bn_fold *fold)
{
    int child_count = branch->tree->child_count + (branch->extra_child >= 0);
    const struct bn_partial own = bn_partial_own(fold);
    struct sums sums;
    if (child_count == 0)
        return own;
    bn_slot_await(team, team->rank, step_of(child_count - 1));
    bn_slot_take(team, team->rank, &sums, sizeof sums);
    bn_partial_add(&sums.before, &own, fold);
    bn_partial_add(&sums.before, &sums.behind, fold);
    return sums.before;
}

/* Pushes values up to the root.  Returns the result at the root, elsewhere the value of the subtree. */
static struct bn_partial push_up(struct bn_team *team, const struct bn_plan *plan, const struct bn_branch *branch,
                                 const struct bn_call *call)
{
    bool is_handed_over = branch->root >= 0;
    bool is_tree_root = branch->tree->parent < 0;
    if (is_handed_over && branch->parent < 0) {
        const struct bn_partial nothing = {.is_given = false};
        bring(team, plan, branch, branch->tree->parent, branch->turn, &nothing, call->fold);
    }
    const struct bn_partial result = collect(team, branch, call->fold);
    if (branch->parent >= 0) {
        int turn = branch->turn + (is_handed_over && branch->parent == call->root && !is_tree_root);
        bring(team, plan, branch, branch->parent, turn, &result, call->fold);
    }
    return result;
}

/* If one tree serves all roots, its subtrees are in rank order only for its own root. */
static bool can_keep_order(const struct bn_plan *plan, const struct bn_branch *branch)
{
    return plan->is_in_rank_order && branch->root < 0;
}

void bn_reduce_push(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call)
{
    const struct bn_branch branch = bn_branch_of(team, plan, call->root);
    if (call->fold->keeps_order && !can_keep_order(plan, &branch)) {
        bn_reduce_flat(team, plan, call);
        return;
    }
    bn_team_begin(team);
    const struct bn_partial result = push_up(team, plan, &branch, call);
    if (branch.parent < 0)
        bn_partial_finish(&result, call->fold);
}

/* Pushes up, and down again: a member's slot may be written by its parent once the member has passed on its content. */
void bn_reduce_all_push(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call)
{
    const struct bn_branch branch = bn_branch_of(team, plan, call->root);
    if (call->fold->keeps_order && !can_keep_order(plan, &branch)) {
        bn_reduce_all_flat(team, plan, call);
        return;
    }
    int index = 0;
    bn_team_begin(team);
    struct bn_partial result = push_up(team, plan, &branch, call);
    if (branch.parent >= 0) {
        bn_slot_await_from(team, team->rank, branch.parent, BN_FOLD_TOLD);
        bn_slot_take(team, team->rank, &result, sizeof result);
    }
    for (int child = bn_branch_next(&branch, &index); child >= 0; child = bn_branch_next(&branch, &index))
        bn_slot_fill(team, child, &result, sizeof result, BN_FOLD_TOLD);
    bn_partial_finish(&result, call->fold);
}
