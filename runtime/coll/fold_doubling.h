/*
 * fold_doubling.h: prefix by dissemination over some members of a team in a row, for other ways that take a step of it.
 */
#ifndef BN_COLL_FOLD_DOUBLING_H
#define BN_COLL_FOLD_DOUBLING_H

#include "coll/fold.h"
#include "coll/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Members in a row, as the one at place sees it */
struct bn_row {
    const struct bn_plan *plan;
    int (*rank_at)(const struct bn_plan *plan, int place);
    int place, count;
};

/* What comes before the member, of the values own of all members of the row.  All of them call, within an operation,
 * and show nothing else in their slots.  After round k a member has the values of the 2^(k+1) members up to itself. */
struct bn_partial bn_fold_disseminate(struct bn_team *team, const struct bn_row *row, const struct bn_fold *fold,
                                      const struct bn_partial *own);

#ifdef __cplusplus
}
#endif

#endif
