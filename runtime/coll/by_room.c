/*
 * by_room.c: small blocks on one machine, left in the rooms of members, so that whoever has delivered goes on.
 *
 * A block lies beside a slot from when it is posted until the window ends, so nobody waits until it has been fetched,
 * and nobody asks whether memory may be touched: a member posts its own src and writes its own dst.  What is posted is
 * copied once more than in direct.c, which is cheaper than a switch to the thread that would have to answer.
 */
#include "coll/algorithms.h"
#include "coll/plan.h"
#include "platform/copy.h"

enum { POSTED = 1 };

/* Leaves blocks beside the own slot. */
static void post(struct bn_team *team, const void *blocks, size_t size_bytes)
{
    bn_slot_deliver(team, team->rank, bn_slot_room(team, team->rank, size_bytes), blocks, size_bytes, POSTED);
}

/* Fetches nbytes at an offset of the size_bytes that a member posts. */
static void fetch(struct bn_team *team, int rank, void *dst, size_t size_bytes, size_t offset, size_t nbytes)
{
    bn_slot_await(team, rank, POSTED);
    bn_copy(dst, (const unsigned char *)bn_slot_room(team, rank, size_bytes) + offset, nbytes);
}

static void begin(struct bn_team *team, const struct bn_call *call)
{
    bn_operation_enter(team, call->in);
    bn_team_begin(team);
}

void bn_broadcast_by_room(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call)
{
    (void)plan;
    unsigned char *mine = bn_call_dst(team, call, team->rank);
    begin(team, call);
    if (team->rank == call->root) {
        post(team, bn_call_src_at_root(team, call), call->nbytes);
        bn_copy(mine, bn_call_src_at_root(team, call), call->nbytes);
    } else {
        fetch(team, call->root, mine, call->nbytes, 0, call->nbytes);
    }
    bn_operation_leave(team, call->out);
}

void bn_scatter_by_room(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call)
{
    (void)plan;
    unsigned char *mine = bn_call_dst(team, call, team->rank);
    size_t all_bytes = (size_t)team->size * call->nbytes;
    size_t offset = (size_t)team->rank * call->nbytes;
    begin(team, call);
    if (team->rank == call->root) {
        const unsigned char *blocks = bn_call_src_at_root(team, call);
        post(team, blocks, all_bytes);
        bn_copy(mine, blocks + offset, call->nbytes);
    } else {
        fetch(team, call->root, mine, all_bytes, offset, call->nbytes);
    }
    bn_operation_leave(team, call->out);
}

void bn_gather_by_room(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call)
{
    (void)plan;
    const unsigned char *mine = bn_call_src(team, call, team->rank);
    begin(team, call);
    if (team->rank != call->root) {
        post(team, mine, call->nbytes);
    } else {
        unsigned char *blocks = bn_call_dst_at_root(team, call);
        bn_copy(blocks + (size_t)team->rank * call->nbytes, mine, call->nbytes);
        for (int distance = 1; distance < team->size; distance++) {
            int from = bn_team_rotate(team, team->rank, distance);
            fetch(team, from, blocks + (size_t)from * call->nbytes, call->nbytes, 0, call->nbytes);
        }
    }
    bn_operation_leave(team, call->out);
}

/* Posts size_bytes, and fetches from all others nbytes at an offset of theirs. */
static void share(struct bn_team *team, const struct bn_call *call, size_t size_bytes, size_t offset)
{
    unsigned char *blocks = bn_call_dst(team, call, team->rank);
    const unsigned char *mine = bn_call_src(team, call, team->rank);
    begin(team, call);
    post(team, mine, size_bytes);
    bn_copy(blocks + (size_t)team->rank * call->nbytes, mine + offset, call->nbytes);
    for (int distance = 1; distance < team->size; distance++) {
        int from = bn_team_rotate(team, team->rank, distance);
        fetch(team, from, blocks + (size_t)from * call->nbytes, size_bytes, offset, call->nbytes);
    }
    bn_operation_leave(team, call->out);
}

void bn_gather_all_by_room(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call)
{
    (void)plan;
    share(team, call, call->nbytes, 0);
}

void bn_exchange_by_room(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call)
{
    (void)plan;
    share(team, call, (size_t)team->size * call->nbytes, (size_t)team->rank * call->nbytes);
}
