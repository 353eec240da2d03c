/*
 * fold.c: reductions of one value of each member.
 *
 * Values travel beside flags, so nobody waits for those who take them.
 */
#include "coll/algorithms.h"

#include <string.h>

enum { SHOWN = 1 };

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
