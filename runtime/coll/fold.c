/*
 * fold.c: flat reductions of one value per member: every member publishes its value, and each member that needs the
 * result reads all of them.
 */
#include "coll/fold.h"

#include "coll/algorithms.h"
#include "coll/plan.h"

#include <string.h>

struct bn_partial bn_partial_own(const struct bn_fold *fold)
{
    struct bn_partial own = {.is_given = fold->is_given};
    if (fold->is_given)
        memcpy(own.value, fold->value, fold->size_bytes);
    return own;
}

void bn_partial_add(struct bn_partial *left, const struct bn_partial *right, const struct bn_fold *fold)
{
    if (!right->is_given)
        return;
    if (left->is_given)
        fold->combine(left->value, right->value, fold);
    else
        *left = *right;
}

void bn_partial_show(struct bn_team *team, const struct bn_partial *partial)
{
    bn_slot_fill(team, team->rank, partial, sizeof *partial, BN_FOLD_SHOWN);
}

struct bn_partial bn_partial_look(struct bn_team *team, int rank)
{
    struct bn_partial partial;
    bn_slot_await(team, rank, BN_FOLD_SHOWN);
    bn_slot_take(team, rank, &partial, sizeof partial);
    return partial;
}

void bn_partial_finish(const struct bn_partial *result, struct bn_fold *fold)
{
    fold->is_given = result->is_given;
    if (result->is_given)
        memcpy(fold->value, result->value, fold->size_bytes);
}

static void show_own(struct bn_team *team, const struct bn_fold *fold)
{
    struct bn_partial own = bn_partial_own(fold);
    bn_partial_show(team, &own);
}

/* Combines the values of the first count members, in rank order. */
static void fold_first(struct bn_team *team, struct bn_fold *fold, int count)
{
    struct bn_partial result = {.is_given = false};
    for (int rank = 0; rank < count; rank++) {
        struct bn_partial shown = bn_partial_look(team, rank);
        bn_partial_add(&result, &shown, fold);
    }
    bn_partial_finish(&result, fold);
}

void bn_reduce_flat(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call)
{
    (void)plan;
    bn_team_begin(team);
    show_own(team, call->fold);
    if (team->rank == call->root)
        fold_first(team, call->fold, team->size);
}

void bn_reduce_all_flat(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call)
{
    (void)plan;
    bn_team_begin(team);
    show_own(team, call->fold);
    fold_first(team, call->fold, team->size);
}

void bn_prefix_flat(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call)
{
    (void)plan;
    bn_team_begin(team);
    show_own(team, call->fold);
    fold_first(team, call->fold, team->rank);
}
