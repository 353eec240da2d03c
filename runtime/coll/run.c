#include "coll/run.h"

#include "coll/plan.h"

bn_status_t bn_operation_run(struct bn_team *team, enum bn_operation operation, const struct bn_call *call)
{
    if (__builtin_expect(call->nbytes == 0, 0)) {
        if (call->in != BN_SYNC_NO || call->out != BN_SYNC_NO)
            bn_team_barrier(team);
        return BN_OK;
    }
    const struct bn_plan *plan = bn_plan_choose(team, operation, call);
    if (!plan)
        return BN_ERR_INVALID;
    plan->entry->run(team, plan, call);
    return team->status;
}
