#include "coll/run.h"

#include "coll/plan.h"

unsigned char *bn_call_announced(const struct bn_team *team, const struct bn_call *call, int rank, bool is_dst)
{
    const struct bn_buffers own = {call->dst, call->src};
    const struct bn_buffers *buffers = rank == team->rank ? &own : bn_team_buffers_of(team, rank);
    return (unsigned char *)(is_dst ? buffers->dst : buffers->src);
}

/* A hash that tells most lists of counts with the same sum apart; never 0 */
static int mark_of_counts(const struct bn_team *team, const size_t *counts)
{
    uint64_t mark = 0;
    for (int rank = 0; rank < team->size; rank++)
        mark = (mark ^ counts[rank]) * UINT64_C(0x9e3779b97f4a7c15);
    return (int)(mark >> 40 | 1);
}

/* Operations without a root announce the hash of their counts instead, if they have counts. */
static void announce(struct bn_team *team, enum bn_operation operation, const struct bn_call *call)
{
    int root = bn_operation_flow(operation).root != BN_ROOT_NONE ? call->root
               : operation == BN_COMBINE_SCATTER                 ? mark_of_counts(team, call->vector->counts)
                                                                 : 0;
    bn_team_announce_call(team, (int)operation, root, call->nbytes, (struct bn_buffers){call->dst, call->src});
}

static void compare(struct bn_team *team, const struct bn_call *call, int rank)
{
    const struct bn_said *said = bn_team_said(team, rank);
    if (!said)
        return;
    if (said->nbytes != call->nbytes)
        bn_team_got(team, said->nbytes, call->nbytes);
    else if (__builtin_expect(bn_said_differ(said, bn_team_said(team, team->rank)), 0))
        bn_team_got(team, 1, 0); /* different counts, or a different call */
}

/* Checks whether the members that this one got data from gave the size that it asked for.  That costs a cache line of
 * each of them, so small blocks come with their size instead (posted.h). */
static void compare_sizes(struct bn_team *team, enum bn_operation operation, const struct bn_call *call)
{
    bool gets_from_root = operation == BN_BROADCAST || operation == BN_SCATTER;
    bool gives_root = operation == BN_GATHER || operation == BN_COMBINE;
    if (gets_from_root && team->rank != call->root)
        compare(team, call, call->root);
    if (gets_from_root || (gives_root && team->rank != call->root))
        return;
    for (int rank = 0; rank < team->size; rank++)
        compare(team, call, rank);
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
        announce(team, operation, call);
    plan->entry->run(team, plan, call);
    if (team->announces && plan->entry->fragments != BN_INLINE)
        compare_sizes(team, operation, call);
    return team->status;
}
