/* run.h: what the layers above call: an operation is carried out, by the plan that is chosen for it. */
#ifndef BN_COLL_RUN_H
#define BN_COLL_RUN_H

#include "coll/operation.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Carries out a call: all members, with the same arguments but for fold->value and is_given.
 *
 * Reductions do not synchronise at entry and exit, since the caller has work to do between: the caller calls
 * bn_operation_enter before it touches data, and bn_operation_leave in the end.
 *
 * @errors BN_ERR_INVALID: a forced entry that cannot carry the call, memory for trees that is not there, or a
 * permutation that names no rank; reported.  The member has written nothing then, and others may wait for it for ever.
 */
bn_status_t bn_operation_run(struct bn_team *team, enum bn_operation operation, const struct bn_call *call);

#ifdef __cplusplus
}
#endif

#endif
