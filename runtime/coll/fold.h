/*
 * fold.h: partial results, shared by the files of reductions.
 *
 * Partial results travel in the payload of flags, so the member that sends one does not wait for its receiver.
 */
#ifndef BN_COLL_FOLD_H
#define BN_COLL_FOLD_H

#include "coll/operation.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Steps of a slot: from BN_FOLD_SHOWN on, partial results, one step per round or turn; from BN_FOLD_TOLD on, what
 * others tell the member */
enum { BN_FOLD_SHOWN = 1, BN_FOLD_TOLD = 1 << (BN_TEAM_STEP_BITS - 1) };

/* The combined values of some members; possibly none of them had a value */
struct bn_partial {
    unsigned char value[BN_FOLD_MAX_BYTES] __attribute__((aligned(BN_FOLD_MAX_BYTES)));
    bool is_given;
};

/* The member's own value */
struct bn_partial bn_partial_own(const struct bn_fold *fold);

/* *left = *left op *right; either may hold no value */
void bn_partial_add(struct bn_partial *left, const struct bn_partial *right, const struct bn_fold *fold);

/* Publishes a partial result in the member's own slot, as step BN_FOLD_SHOWN. */
void bn_partial_show(struct bn_team *team, const struct bn_partial *partial);

/* Waits for the partial result that a member publishes in its slot, and returns it. */
struct bn_partial bn_partial_look(struct bn_team *team, int rank);

/* Hands the result to the caller of the operation. */
void bn_partial_finish(const struct bn_partial *result, struct bn_fold *fold);

#ifdef __cplusplus
}
#endif

#endif
