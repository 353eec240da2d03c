/*
 * direct.c: each member moves its own blocks, directly from source to destination.
 *
 * Nothing is moved twice and all members move at the same time, so on one memory region this is hard to beat.
 */
#include "base/log.h"
#include "coll/algorithms.h"
#include "coll/plan.h"
#include "platform/copy.h"

enum { ENTERED = 1, DONE = 2 };

/* Synchronisation for operations in which all members deal only with the root: no more than MYSYNC demands at entry and
 * exit */
struct meeting {
    bool asks_entry, asks_exit;
};

static struct meeting meet(struct bn_team *team, const struct bn_call *call)
{
    struct meeting meeting = {call->in == BN_SYNC_MY, call->out == BN_SYNC_MY};
    bn_operation_enter(team, call->in);
    if ((meeting.asks_entry || meeting.asks_exit) && bn_team_begin(team))
        meeting.asks_entry = false;
    if (meeting.asks_entry && team->rank == call->root)
        bn_team_tell_all(team, ENTERED);
    else if (meeting.asks_entry)
        bn_team_hear_told(team, call->root, ENTERED);
    return meeting;
}

static void part(struct bn_team *team, const struct bn_call *call, struct meeting meeting)
{
    if (meeting.asks_exit && team->rank == call->root)
        bn_team_hear_all_told(team, DONE);
    else if (meeting.asks_exit)
        bn_team_tell(team, call->root, DONE);
    bn_operation_leave(team, call->out);
}

void bn_scatter_flat(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call)
{
    (void)plan;
    struct meeting meeting = meet(team, call);
    const unsigned char *src = bn_call_src_at_root(team, call) + (size_t)team->rank * call->nbytes;
    bn_copy(bn_call_dst(team, call, team->rank), src, call->nbytes);
    part(team, call, meeting);
}

void bn_gather_flat(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call)
{
    (void)plan;
    struct meeting meeting = meet(team, call);
    unsigned char *dst = bn_call_dst_at_root(team, call) + (size_t)team->rank * call->nbytes;
    bn_copy(dst, bn_call_src(team, call, team->rank), call->nbytes);
    part(team, call, meeting);
}

/* Here all members deal with all others, so MYSYNC means a barrier. */
void bn_gather_all_flat(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call)
{
    (void)plan;
    unsigned char *mine = bn_call_dst(team, call, team->rank);
    bn_operation_enter_all(team, call->in);
    for (int distance = 0; distance < team->size; distance++) {
        int from = bn_team_rotate(team, team->rank, distance);
        bn_copy(mine + (size_t)from * call->nbytes, bn_call_src(team, call, from), call->nbytes);
    }
    bn_operation_leave_all(team, call->out);
}

void bn_exchange_flat(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call)
{
    (void)plan;
    unsigned char *mine = bn_call_dst(team, call, team->rank);
    size_t my_block = (size_t)team->rank * call->nbytes;
    bn_operation_enter_all(team, call->in);
    for (int distance = 0; distance < team->size; distance++) {
        int from = bn_team_rotate(team, team->rank, distance);
        bn_copy(mine + (size_t)from * call->nbytes, bn_call_src(team, call, from) + my_block, call->nbytes);
    }
    bn_operation_leave_all(team, call->out);
}

/* The receiver of this member's block; -1, with the team's status set, if it is not a valid rank */
static int receiver_of(struct bn_team *team, const struct bn_call *call)
{
    int to;
    bn_copy(&to, bn_team_at(team, call->perm, team->rank), sizeof to);
    if (__builtin_expect(to >= 0 && to < team->size, 1))
        return to;
    bn_log_error("the permutation sends a block to %d; it must be from 0 to %d", to, team->size - 1);
    team->status = BN_ERR_INVALID;
    return -1;
}

/* Each member writes its block to the receiver, which it knows; its slot tells it that its own data have arrived. */
void bn_permute_push(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call)
{
    (void)plan;
    bool asks_entry = call->in == BN_SYNC_MY;
    bool asks_exit = call->out == BN_SYNC_MY;
    bn_operation_enter(team, call->in);
    if ((asks_entry || asks_exit) && bn_team_begin(team))
        asks_entry = false;
    int to = receiver_of(team, call);
    if (to < 0)
        return;
    if (asks_entry) {
        bn_team_say(team, ENTERED);
        bn_team_hear(team, to, ENTERED);
    }
    bn_copy(bn_call_dst(team, call, to), bn_call_src(team, call, team->rank), call->nbytes);
    if (asks_exit) {
        bn_slot_fill(team, to, NULL, 0, DONE);
        bn_slot_await(team, team->rank, DONE);
    }
    bn_operation_leave(team, call->out);
}

static void fetch(struct bn_team *team, const struct bn_call *call, int from)
{
    bn_copy(bn_call_dst(team, call, team->rank), bn_call_src(team, call, from), call->nbytes);
}

/* Reads the receivers of all members' blocks, which is allowed once all have entered.  Nobody waits, even if perm is
 * not a permutation. */
static void fetch_what_is_sent(struct bn_team *team, const struct bn_call *call)
{
    for (int distance = 0; distance < team->size; distance++) {
        int from = bn_team_rotate(team, team->rank, distance);
        int to;
        bn_copy(&to, bn_team_at(team, call->perm, from), sizeof to);
        if (to == team->rank)
            fetch(team, call, from);
    }
}

/* Each sender announces itself to its receiver, because others may not read its part of the permutation yet. */
static void fetch_from_who_says_so(struct bn_team *team, const struct bn_call *call, int to)
{
    int from;
    bn_slot_fill(team, to, &team->rank, sizeof team->rank, ENTERED);
    bn_slot_await(team, team->rank, ENTERED);
    bn_slot_take(team, team->rank, &from, sizeof from);
    fetch(team, call, from);
}

/* Each member fetches the block that it is to receive: cache lines that the receiver has in its cache are slow to write
 * from another core. */
void bn_permute_pull(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call)
{
    (void)plan;
    bn_operation_enter(team, call->in);
    bn_team_begin(team);
    int to = receiver_of(team, call);
    if (to < 0)
        return;
    if (call->in == BN_SYNC_ALL)
        fetch_what_is_sent(team, call);
    else
        fetch_from_who_says_so(team, call, to);
    if (call->out == BN_SYNC_MY) {
        bn_team_say(team, DONE);
        bn_team_hear(team, to, DONE);
    }
    bn_operation_leave(team, call->out);
}
