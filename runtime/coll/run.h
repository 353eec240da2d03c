/* run.h: the entry point for the layers above: carries out an operation by the plan that is chosen for it. */
#ifndef BN_COLL_RUN_H
#define BN_COLL_RUN_H

#include "coll/operation.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Carries out a call.  All members call, with the same arguments except fold->value and fold->is_given.
 *
 * Reductions do not synchronise at entry and exit, because the caller has work of its own to do in between: it calls
 * bn_operation_enter before it touches data, and bn_operation_leave at the end.
 *
 * @errors BN_ERR_INVALID: a forced entry cannot carry out the call, there is no memory for trees, or a permutation
 * names no valid rank; reported.  The member has then written nothing, and others may wait for it forever.
 */
bn_status_t bn_operation_run(struct bn_team *team, enum bn_operation operation, const struct bn_call *call);

#ifdef __cplusplus
}
#endif

#endif
