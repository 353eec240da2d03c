/*
 * fold_doubling.c: reductions in rounds: in round k, members read values from members 2^k away.
 *
 * A slot has places for the values of PLACES rounds, because a late reader may still need an older one.  Round k uses
 * place k modulo PLACES: before publishing its value, a member waits until the reader of round k - PLACES has reached
 * the following round, which is usually the case already.
 */
#include "coll/fold_doubling.h"

#include "coll/algorithms.h"
#include "coll/plan.h"

#include <stddef.h>

enum { PLACES = 4, PLACE_BYTES = offsetof(struct bn_partial, is_given) + 8 };
_Static_assert((int)PLACES *(int)PLACE_BYTES <= (int)BN_FLAG_PAYLOAD_BYTES, "all places fit into a slot");

static uint32_t step_of(int round)
{
    return (uint32_t)round + BN_FOLD_SHOWN;
}

static void await_reader(struct bn_team *team, int reader, int round)
{
    bn_slot_await(team, reader, step_of(round + 1));
}

static void show_round(struct bn_team *team, int round, const struct bn_partial *partial)
{
    bn_slot_fill_at(team, team->rank, (size_t)(round % PLACES) * PLACE_BYTES, partial, PLACE_BYTES, step_of(round));
}

static struct bn_partial look_at_round(struct bn_team *team, int rank, int round)
{
    struct bn_partial partial;
    bn_slot_await(team, rank, step_of(round));
    bn_slot_take_at(team, rank, (size_t)(round % PLACES) * PLACE_BYTES, &partial, PLACE_BYTES);
    return partial;
}

struct bn_partial bn_fold_disseminate(struct bn_team *team, const struct bn_row *row, const struct bn_fold *fold,
                                      const struct bn_partial *own)
{
    struct bn_partial up_to_here = *own;
    struct bn_partial before = {.is_given = false};
    for (int round = 0; 1 << round < row->count; round++) {
        int distance = 1 << round;
        if (row->place + distance < row->count) {
            if (round >= PLACES)
                await_reader(team, row->rank_at(row->plan, row->place + (distance >> PLACES)), round - PLACES);
            show_round(team, round, &up_to_here);
        } else if (row->count > 1 << PLACES) {
            bn_slot_fill(team, team->rank, NULL, 0, step_of(round)); /* another member may wait for this one as its
                                                                        reader to advance */
        }
        if (row->place < distance)
            continue;
        struct bn_partial lower = look_at_round(team, row->rank_at(row->plan, row->place - distance), round);
        struct bn_partial all_before = lower;
        bn_partial_add(&all_before, &before, fold);
        before = all_before;
        bn_partial_add(&lower, &up_to_here, fold);
        up_to_here = lower;
    }
    return before;
}

static int same_rank(const struct bn_plan *plan, int place)
{
    (void)plan;
    return place;
}

void bn_prefix_doubling(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call)
{
    const struct bn_row row = {.plan = plan, .rank_at = same_rank, .place = team->rank, .count = team->size};
    const struct bn_partial own = bn_partial_own(call->fold);
    bn_team_begin(team);
    const struct bn_partial before = bn_fold_disseminate(team, &row, call->fold, &own);
    bn_partial_finish(&before, call->fold);
}

/* The rank of the member at a place among those that take part in the rounds; of each of the first pair_count pairs,
 * only the upper member does */
static int rank_at_place(int place, int pair_count)
{
    return place < pair_count ? 2 * place + 1 : place + pair_count;
}

static void show_to_partner(struct bn_team *team, int place, int pair_count, int round,
                            const struct bn_partial *partial)
{
    if (round >= PLACES)
        await_reader(team, rank_at_place(place ^ 1 << (round - PLACES), pair_count), round - PLACES);
    show_round(team, round, partial);
}

/* reduce_all by recursive doubling.  If the team's size is not a power of two, excess members first give their value to
 * a neighbour, and read its result after all rounds. */
void bn_reduce_all_doubling(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call)
{
    (void)plan;
    int round_count = 0;
    while (2 << round_count <= team->size)
        round_count++;
    int pair_count = team->size - (1 << round_count);
    struct bn_partial result = bn_partial_own(call->fold);
    bn_team_begin(team);
    bool is_in_pair = team->rank < 2 * pair_count;
    if (is_in_pair && team->rank % 2 == 0) {
        show_round(team, 0, &result);
        result = look_at_round(team, team->rank + 1, round_count);
        bn_partial_finish(&result, call->fold);
        return;
    }
    if (is_in_pair) {
        struct bn_partial lower = look_at_round(team, team->rank - 1, 0);
        bn_partial_add(&lower, &result, call->fold);
        result = lower;
    }
    int place = is_in_pair ? team->rank / 2 : team->rank - pair_count;
    for (int round = 0; round < round_count; round++) {
        int other = place ^ 1 << round;
        show_to_partner(team, place, pair_count, round, &result);
        struct bn_partial theirs = look_at_round(team, rank_at_place(other, pair_count), round);
        if (other < place) {
            bn_partial_add(&theirs, &result, call->fold);
            result = theirs;
        } else {
            bn_partial_add(&result, &theirs, call->fold);
        }
    }
    if (is_in_pair)
        show_to_partner(team, place, pair_count, round_count, &result);
    bn_partial_finish(&result, call->fold);
}
