/*
 * fold.c: reductions of one value of each member.
 *
 * Values travel beside flags, so nobody waits for those who take them.
 */
#include "coll/algorithms.h"

#include <stddef.h>
#include <string.h>

/* What a member shows: its value, that of its subtree; then what its parent tells it */
enum { SHOWN = 1, TOLD = 2, ROUNDS_MAX = 4 };

/* What lies in a slot */
struct shown {
    unsigned char value[BN_FOLD_MAX_BYTES] __attribute__((aligned(BN_FOLD_MAX_BYTES)));
    bool is_given;
};

static void show(struct bn_team *team, const struct bn_fold *fold)
{
    struct shown shown = {.is_given = fold->is_given};
    if (fold->is_given)
        memcpy(shown.value, fold->value, fold->size_bytes);
    bn_slot_fill(team, team->rank, &shown, sizeof shown, SHOWN);
}

static void look(struct bn_team *team, int rank, struct shown *shown)
{
    bn_slot_await(team, rank, SHOWN);
    bn_slot_take(team, rank, shown, sizeof *shown);
}

/* *left = *left op *right, where either may have no value */
static void add(struct shown *left, const struct shown *right, const struct bn_fold *fold)
{
    if (!right->is_given)
        return;
    if (left->is_given)
        fold->combine(left->value, right->value, fold);
    else
        *left = *right;
}

static void take_over(struct bn_fold *fold, const struct shown *result)
{
    fold->is_given = result->is_given;
    if (result->is_given)
        memcpy(fold->value, result->value, fold->size_bytes);
}

/* Combines what the first count members show, in their order. */
static void fold_first(struct bn_team *team, struct bn_fold *fold, int count)
{
    struct shown result = {.is_given = false};
    for (int rank = 0; rank < count; rank++) {
        struct shown shown;
        look(team, rank, &shown);
        add(&result, &shown, fold);
    }
    take_over(fold, &result);
}

void bn_reduce_flat(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call)
{
    (void)plan;
    bn_team_begin(team);
    show(team, call->fold);
    if (team->rank == call->root)
        fold_first(team, call->fold, team->size);
}

void bn_reduce_all_flat(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call)
{
    (void)plan;
    bn_team_begin(team);
    show(team, call->fold);
    fold_first(team, call->fold, team->size);
}

void bn_prefix_flat(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call)
{
    (void)plan;
    bn_team_begin(team);
    show(team, call->fold);
    fold_first(team, call->fold, team->rank);
}

/* ---- Trees ---- */

/* A tree keeps the order of values if its subtrees are ranges of ranks. */
static bool keeps_order(const struct bn_plan *plan, int root)
{
    return plan->is_in_rank_order && (plan->tree_count > 1 || plan->tree_root == root);
}

/* The child whose subtree comes next behind index, or null */
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

/* The value of the subtree, in the order of ranks */
static struct shown fold_in_order(struct bn_team *team, const struct bn_tree *tree, const struct bn_fold *fold,
                                  const struct shown *own)
{
    struct shown result = {.is_given = false};
    int index = tree->first;
    while (index < tree->first + tree->count) {
        struct shown other;
        const struct bn_tree_child *child = next_child(tree, index);
        if (child && child->first == index) {
            look(team, child->rank, &other);
            add(&result, &other, fold);
            index += child->count;
        } else {
            add(&result, own, fold);
            index++;
        }
    }
    return result;
}

/* The same where order does not matter: the children in the order in which they are served */
static struct shown fold_as_served(struct bn_team *team, const struct bn_branch *branch, const struct bn_fold *fold,
                                   const struct shown *own)
{
    struct shown result = *own;
    int index = 0;
    for (int child = bn_branch_next(branch, &index); child >= 0; child = bn_branch_next(branch, &index)) {
        struct shown other;
        look(team, child, &other);
        add(&result, &other, fold);
    }
    return result;
}

static struct shown fold_subtree(struct bn_team *team, const struct bn_branch *branch, const struct bn_fold *fold)
{
    struct shown own = {.is_given = fold->is_given};
    if (own.is_given)
        memcpy(own.value, fold->value, fold->size_bytes);
    return fold->keeps_order ? fold_in_order(team, branch->tree, fold, &own)
                             : fold_as_served(team, branch, fold, &own);
}

void bn_reduce_tree(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call)
{
    if (call->fold->keeps_order && !keeps_order(plan, call->root)) {
        bn_reduce_flat(team, plan, call);
        return;
    }
    struct bn_branch branch = bn_branch_of(team, plan, call->root);
    bn_team_begin(team);
    struct shown result = fold_subtree(team, &branch, call->fold);
    if (branch.parent < 0)
        take_over(call->fold, &result);
    else
        bn_slot_fill(team, team->rank, &result, sizeof result, SHOWN);
}

/* Up the tree, and down again: a slot is free for what is told when it has been looked at from above. */
void bn_reduce_all_tree(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call)
{
    if (call->fold->keeps_order && !keeps_order(plan, call->root)) {
        bn_reduce_all_flat(team, plan, call);
        return;
    }
    struct bn_branch branch = bn_branch_of(team, plan, call->root);
    int index = 0;
    bn_team_begin(team);
    struct shown result = fold_subtree(team, &branch, call->fold);
    if (branch.parent >= 0) {
        bn_slot_fill(team, team->rank, &result, sizeof result, SHOWN);
        bn_slot_await(team, branch.parent, TOLD);
        bn_slot_take(team, branch.parent, &result, sizeof result);
    }
    if (bn_branch_next(&branch, &index) >= 0)
        bn_slot_fill(team, team->rank, &result, sizeof result, TOLD);
    take_over(call->fold, &result);
}

/* Tells each child what comes before its subtree, given what comes before that of the member, and returns what comes
 * before the member itself.  own is its own value. */
static struct shown tell_children(struct bn_team *team, const struct bn_tree *tree, const struct bn_fold *fold,
                                  const struct shown *own, struct shown before)
{
    struct shown own_before = {.is_given = false};
    int index = tree->first;
    while (index < tree->first + tree->count) {
        const struct bn_tree_child *child = next_child(tree, index);
        if (!child || child->first != index) {
            own_before = before;
            add(&before, own, fold);
            index++;
            continue;
        }
        struct shown other;
        look(team, child->rank, &other);
        bn_slot_fill(team, child->rank, &before, sizeof before, TOLD);
        add(&before, &other, fold);
        index += child->count;
    }
    return own_before;
}

/* Up the tree, then down with what comes before: a member's slot is filled by itself first and by its parent then. */
void bn_prefix_tree(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call)
{
    if (!keeps_order(plan, call->root)) {
        bn_prefix_flat(team, plan, call);
        return;
    }
    const struct bn_branch branch = bn_branch_of(team, plan, call->root);
    struct shown own = {.is_given = call->fold->is_given};
    struct shown before = {.is_given = false};
    bn_team_begin(team);
    if (own.is_given)
        memcpy(own.value, call->fold->value, call->fold->size_bytes);
    if (branch.parent >= 0) {
        struct shown all = fold_in_order(team, branch.tree, call->fold, &own);
        bn_slot_fill(team, team->rank, &all, sizeof all, SHOWN);
        bn_slot_await(team, team->rank, TOLD);
        bn_slot_take(team, team->rank, &before, sizeof before);
    }
    before = tell_children(team, branch.tree, call->fold, &own, before);
    take_over(call->fold, &before);
}

/* ---- Doubling: in round k members 2^k apart look at each other ---- */

/* A slot has room for a value of each round, for whoever is late may still look at the first one. */
enum { ROUND_BYTES = offsetof(struct shown, is_given) + 8 };
_Static_assert((int)ROUNDS_MAX * (int)ROUND_BYTES <= (int)BN_FLAG_PAYLOAD_BYTES, "all rounds fit into a slot");

static void show_round(struct bn_team *team, int round, const struct shown *shown)
{
    bn_slot_fill_at(team, team->rank, (size_t)round * ROUND_BYTES, shown, ROUND_BYTES, (uint32_t)round + SHOWN);
}

static struct shown look_at_round(struct bn_team *team, int rank, int round)
{
    struct shown shown;
    bn_slot_await(team, rank, (uint32_t)round + SHOWN);
    bn_slot_take_at(team, rank, (size_t)round * ROUND_BYTES, &shown, ROUND_BYTES);
    return shown;
}

/* Members beyond the slots' room for rounds take the flat way. */
static bool fits_rounds(const struct bn_team *team)
{
    return team->size <= 1 << ROUNDS_MAX;
}

/* Prefix by dissemination: after round k a member has the values of the 2^(k+1) members up to itself. */
void bn_prefix_doubling(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call)
{
    if (!fits_rounds(team)) {
        bn_prefix_flat(team, plan, call);
        return;
    }
    struct shown up_to_here = {.is_given = call->fold->is_given};
    struct shown before = {.is_given = false};
    if (up_to_here.is_given)
        memcpy(up_to_here.value, call->fold->value, call->fold->size_bytes);
    bn_team_begin(team);
    for (int round = 0; 1 << round < team->size; round++) {
        int distance = 1 << round;
        if (team->rank + distance < team->size)
            show_round(team, round, &up_to_here);
        if (team->rank < distance)
            continue;
        struct shown lower = look_at_round(team, team->rank - distance, round);
        struct shown all_before = lower;
        add(&all_before, &before, call->fold);
        before = all_before;
        add(&lower, &up_to_here, call->fold);
        up_to_here = lower;
    }
    take_over(call->fold, &before);
}

/* Reduce to all by recursive doubling; members beyond a power of two give their value to a neighbour first. */
void bn_reduce_all_doubling(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call)
{
    int round_count = 0;
    while (2 << round_count <= team->size)
        round_count++;
    int extra = team->size - (1 << round_count);
    if (round_count >= ROUNDS_MAX) {
        bn_reduce_all_flat(team, plan, call);
        return;
    }
    struct shown result = {.is_given = call->fold->is_given};
    if (result.is_given)
        memcpy(result.value, call->fold->value, call->fold->size_bytes);
    bn_team_begin(team);
    bool is_in_pair = team->rank < 2 * extra;
    if (is_in_pair && team->rank % 2 == 0) {
        show_round(team, 0, &result);
        result = look_at_round(team, team->rank + 1, ROUNDS_MAX - 1);
        take_over(call->fold, &result);
        return;
    }
    if (is_in_pair) {
        struct shown lower = look_at_round(team, team->rank - 1, 0);
        add(&lower, &result, call->fold);
        result = lower;
    }
    int place = is_in_pair ? team->rank / 2 : team->rank - extra;
    for (int round = 0; round < round_count; round++) {
        int other = place ^ 1 << round;
        show_round(team, round, &result);
        struct shown theirs = look_at_round(team, other < extra ? 2 * other + 1 : other + extra, round);
        if (other < place) {
            add(&theirs, &result, call->fold);
            result = theirs;
        } else {
            add(&result, &theirs, call->fold);
        }
    }
    if (is_in_pair) /* the last place is free, for there are fewer rounds */
        show_round(team, ROUNDS_MAX - 1, &result);
    take_over(call->fold, &result);
}
