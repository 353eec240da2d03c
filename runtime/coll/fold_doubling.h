/*
 * fold_doubling.h: prefix by dissemination over a row of members of a team, as a building block of other algorithms.
 */
#ifndef BN_COLL_FOLD_DOUBLING_H
#define BN_COLL_FOLD_DOUBLING_H

#include "coll/fold.h"
#include "coll/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A row of members, as the one at place sees it */
struct bn_row {
    const struct bn_plan *plan;
    int (*rank_at)(const struct bn_plan *plan, int place);
    int place, count;
};

/* Combines the values (own) of all members of the row that come before the caller.  All members of the row call, within
 * an operation, and publish nothing else in their slots.  After round k a member has the values of the 2^(k+1) members
 * up to itself. */
struct bn_partial bn_fold_disseminate(struct bn_team *team, const struct bn_row *row, const struct bn_fold *fold,
                                      const struct bn_partial *own);

#ifdef __cplusplus
}
#endif

#endif
