/*
 * fold_doubling.c: reductions in rounds: in round k members 2^k apart look at each other.
 */
#include "coll/algorithms.h"
#include "coll/fold.h"

#include <stddef.h>

/* A slot has room for a value of each round, for whoever is late may still look at the first one. */
enum { ROUNDS_MAX = 4, ROUND_BYTES = offsetof(struct bn_partial, is_given) + 8 };
_Static_assert((int)ROUNDS_MAX * (int)ROUND_BYTES <= (int)BN_FLAG_PAYLOAD_BYTES, "all rounds fit into a slot");

static void show_round(struct bn_team *team, int round, const struct bn_partial *partial)
{
    bn_slot_fill_at(team, team->rank, (size_t)round * ROUND_BYTES, partial, ROUND_BYTES,
                    (uint32_t)round + BN_FOLD_SHOWN);
}

static struct bn_partial look_at_round(struct bn_team *team, int rank, int round)
{
    struct bn_partial partial;
    bn_slot_await(team, rank, (uint32_t)round + BN_FOLD_SHOWN);
    bn_slot_take_at(team, rank, (size_t)round * ROUND_BYTES, &partial, ROUND_BYTES);
    return partial;
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
    struct bn_partial up_to_here = bn_partial_own(call->fold);
    struct bn_partial before = {.is_given = false};
    bn_team_begin(team);
    for (int round = 0; 1 << round < team->size; round++) {
        int distance = 1 << round;
        if (team->rank + distance < team->size)
            show_round(team, round, &up_to_here);
        if (team->rank < distance)
            continue;
        struct bn_partial lower = look_at_round(team, team->rank - distance, round);
        struct bn_partial all_before = lower;
        bn_partial_add(&all_before, &before, call->fold);
        before = all_before;
        bn_partial_add(&lower, &up_to_here, call->fold);
        up_to_here = lower;
    }
    bn_partial_finish(&before, call->fold);
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
    struct bn_partial result = bn_partial_own(call->fold);
    bn_team_begin(team);
    bool is_in_pair = team->rank < 2 * extra;
    if (is_in_pair && team->rank % 2 == 0) {
        show_round(team, 0, &result);
        result = look_at_round(team, team->rank + 1, ROUNDS_MAX - 1);
        bn_partial_finish(&result, call->fold);
        return;
    }
    if (is_in_pair) {
        struct bn_partial lower = look_at_round(team, team->rank - 1, 0);
        bn_partial_add(&lower, &result, call->fold);
        result = lower;
    }
    int place = is_in_pair ? team->rank / 2 : team->rank - extra;
    for (int round = 0; round < round_count; round++) {
        int other = place ^ 1 << round;
        show_round(team, round, &result);
        struct bn_partial theirs = look_at_round(team, other < extra ? 2 * other + 1 : other + extra, round);
        if (other < place) {
            bn_partial_add(&theirs, &result, call->fold);
            result = theirs;
        } else {
            bn_partial_add(&result, &theirs, call->fold);
        }
    }
    if (is_in_pair) /* the last place is free, for there are fewer rounds */
        show_round(team, ROUNDS_MAX - 1, &result);
    bn_partial_finish(&result, call->fold);
}
