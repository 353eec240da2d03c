#include "coll/run.h"

#include "coll/plan.h"

unsigned char *bn_call_announced(const struct bn_team *team, const struct bn_call *call, int rank, bool is_dst)
{
    const struct bn_buffers own = {call->dst, call->src};
    const struct bn_buffers *buffers = rank == team->rank ? &own : bn_team_buffers_of(team, rank);
    return (unsigned char *)(is_dst ? buffers->dst : buffers->src);
}

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
    if (team->announces)
        bn_team_announce_buffers(team, (struct bn_buffers){call->dst, call->src});
    plan->entry->run(team, plan, call);
    return team->status;
}
