/*
 * by_room.c: small blocks on one machine, left in the rooms of members, so that a member can go on as soon as it has
 * delivered.
 *
 * A posted block stays in the room of a slot until the window ends, so nobody waits until it has been fetched.  Nobody
 * needs permission to access memory, either: a member posts from its own src and writes its own dst.  Posting takes one
 * copy more than direct.c, which is cheaper than a switch to the thread that would have to answer.
 */
#include "coll/algorithms.h"
#include "coll/plan.h"
#include "coll/posted.h"
#include "platform/copy.h"

/* Leaves count blocks in the room of this member's slot. */
static void post(struct bn_team *team, const void *blocks, size_t count, size_t nbytes)
{
    bn_post(team, bn_slot_room(team, team->rank, count * nbytes), blocks, count * nbytes, nbytes);
}

/* Fetches one of the count blocks that a member posts; if they have another size, as much as there is room for. */
static void fetch(struct bn_team *team, int rank, void *dst, size_t count, size_t index, size_t nbytes)
{
    size_t posted_bytes = bn_await_posted(team, rank, count, nbytes);
    const unsigned char *blocks = bn_slot_room(team, rank, count * posted_bytes);
    bn_copy(dst, blocks + index * posted_bytes, posted_bytes < nbytes ? posted_bytes : nbytes);
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
        post(team, bn_call_src_at_root(team, call), 1, call->nbytes);
        bn_copy(mine, bn_call_src_at_root(team, call), call->nbytes);
    } else {
        fetch(team, call->root, mine, 1, 0, call->nbytes);
    }
    bn_operation_leave(team, call->out);
}

void bn_scatter_by_room(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call)
{
    (void)plan;
    unsigned char *mine = bn_call_dst(team, call, team->rank);
    size_t count = (size_t)team->size, index = (size_t)team->rank;
    begin(team, call);
    if (team->rank == call->root) {
        const unsigned char *blocks = bn_call_src_at_root(team, call);
        post(team, blocks, count, call->nbytes);
        bn_copy(mine, blocks + index * call->nbytes, call->nbytes);
    } else {
        fetch(team, call->root, mine, count, index, call->nbytes);
    }
    bn_operation_leave(team, call->out);
}

void bn_gather_by_room(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call)
{
    (void)plan;
    const unsigned char *mine = bn_call_src(team, call, team->rank);
    begin(team, call);
    if (team->rank != call->root) {
        post(team, mine, 1, call->nbytes);
    } else {
        unsigned char *blocks = bn_call_dst_at_root(team, call);
        bn_copy(blocks + (size_t)team->rank * call->nbytes, mine, call->nbytes);
        for (int distance = 1; distance < team->size; distance++) {
            int from = bn_team_rotate(team, team->rank, distance);
            fetch(team, from, blocks + (size_t)from * call->nbytes, 1, 0, call->nbytes);
        }
    }
    bn_operation_leave(team, call->out);
}

/* Posts count blocks, and fetches one block from each other member. */
static void share(struct bn_team *team, const struct bn_call *call, size_t count, size_t index)
{
    unsigned char *blocks = bn_call_dst(team, call, team->rank);
    const unsigned char *mine = bn_call_src(team, call, team->rank);
    begin(team, call);
    post(team, mine, count, call->nbytes);
    bn_copy(blocks + (size_t)team->rank * call->nbytes, mine + index * call->nbytes, call->nbytes);
    for (int distance = 1; distance < team->size; distance++) {
        int from = bn_team_rotate(team, team->rank, distance);
        fetch(team, from, blocks + (size_t)from * call->nbytes, count, index, call->nbytes);
    }
    bn_operation_leave(team, call->out);
}

void bn_gather_all_by_room(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call)
{
    (void)plan;
    share(team, call, 1, 0);
}

void bn_exchange_by_room(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call)
{
    (void)plan;
    share(team, call, (size_t)team->size, (size_t)team->rank);
}
