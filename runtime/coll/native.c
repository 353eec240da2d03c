/*
 * native.c: collectives of an underlying library, if the layer above provides them (struct bn_team_native).
 *
 * Calls that such a library cannot express use the direct algorithm: data that are not whole words, and folds with
 * other types or operations.  All members come to the same decision.  A library may write into memory of a member that
 * has not entered yet, so MYSYNC at entry involves everybody; on return nobody accesses a member's own data any more,
 * so MYSYNC at exit needs nothing.
 *
 * A call uses its operation number modulo BN_TEAM_WINDOW as its turn: the operation BN_TEAM_WINDOW before it, which had
 * the same turn, has ended on all members.
 */
#include "coll/algorithms.h"
#include "coll/plan.h"
#include "platform/copy.h"

static bool is_whole_words(const struct bn_call *call)
{
    return (call->dst | call->src | call->nbytes) % BN_NATIVE_WORD_BYTES == 0;
}

static unsigned begin(struct bn_team *team, const struct bn_call *call)
{
    bn_operation_enter_all(team, call->in);
    bn_team_begin(team);
    return (unsigned)(team->operation % BN_TEAM_WINDOW);
}

void bn_broadcast_native(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call)
{
    if (!is_whole_words(call)) {
        bn_broadcast_flat(team, plan, call);
        return;
    }
    unsigned turn = begin(team, call);
    if (team->rank == call->root) /* the library does not write the root's dst */
        bn_copy(bn_call_dst(team, call, team->rank), bn_call_src_at_root(team, call), call->nbytes);
    team->host.native->broadcast(team, call, turn);
    bn_operation_leave(team, call->out);
}

void bn_gather_all_native(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call)
{
    if (!is_whole_words(call)) {
        bn_gather_all_flat(team, plan, call);
        return;
    }
    unsigned turn = begin(team, call);
    team->host.native->gather_all(team, call, turn);
    bn_operation_leave(team, call->out);
}

void bn_exchange_native(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call)
{
    if (!is_whole_words(call)) {
        bn_exchange_flat(team, plan, call);
        return;
    }
    unsigned turn = begin(team, call);
    team->host.native->exchange(team, call, turn);
    bn_operation_leave(team, call->out);
}

static bool can_fold(const struct bn_team *team, const struct bn_fold *fold)
{
    return !fold->keeps_order && !fold->is_empty && team->host.native->can_fold(fold);
}

void bn_reduce_all_native(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call)
{
    if (!can_fold(team, call->fold)) {
        bn_reduce_all_flat(team, plan, call);
        return;
    }
    bn_team_begin(team);
    team->host.native->fold(team, call, (unsigned)(team->operation % BN_TEAM_WINDOW));
}

/* All members get the result, although only the root needs it. */
void bn_reduce_native(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call)
{
    if (can_fold(team, call->fold))
        bn_reduce_all_native(team, plan, call);
    else
        bn_reduce_flat(team, plan, call);
}
