/*
 * fold.h: results on their way, for the files of reductions.
 *
 * They travel in the payload of flags, so no member waits for those that take them.
 */
#ifndef BN_COLL_FOLD_H
#define BN_COLL_FOLD_H

#include "coll/operation.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Steps of a slot: a result of some members, and those of later rounds or turns; then what others tell the member */
enum { BN_FOLD_SHOWN = 1, BN_FOLD_TOLD = 1 << (BN_TEAM_STEP_BITS - 1) };

/* The values of some members, combined; none of them may have had one */
struct bn_partial {
    unsigned char value[BN_FOLD_MAX_BYTES] __attribute__((aligned(BN_FOLD_MAX_BYTES)));
    bool is_given;
};

/* The value of the member itself */
struct bn_partial bn_partial_own(const struct bn_fold *fold);

/* *left = *left op *right, where either may be none */
void bn_partial_add(struct bn_partial *left, const struct bn_partial *right, const struct bn_fold *fold);

/* Shows it in the own slot, as BN_FOLD_SHOWN. */
void bn_partial_show(struct bn_team *team, const struct bn_partial *partial);

/* What a member shows there, once it does */
struct bn_partial bn_partial_look(struct bn_team *team, int rank);

/* Hands the result to the caller of the operation. */
void bn_partial_finish(const struct bn_partial *result, struct bn_fold *fold);

#ifdef __cplusplus
}
#endif

#endif
