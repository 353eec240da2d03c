/*
 * ring.c: scatter and gather in the order of a ring by distance, or of ranks if the plan has no hierarchy.
 *
 * If the root does all copies, it goes round the ring.  If all members access the root's memory, tokens go round, so
 * that only some members access it at a time.  Inside a node a member passes its token on before it copies, between
 * nodes when all but the last fragment is done.  With several tokens, place p waits for place p - tokens.
 */
#include "coll/algorithms.h"
#include "coll/plan.h"
#include "platform/copy.h"

enum { ENTERED = 1, PASSED = 2, DONE = 3 };

/* The place of a member in the ring, counted from the root on */
struct place {
    int root_index;
    int position;
};

static struct place place_of(const struct bn_team *team, const struct bn_plan *plan, int root)
{
    if (!plan->hierarchy)
        return (struct place){root, bn_team_rotate(team, team->rank, team->size - root) % team->size};
    int root_index = bn_shape_ring(plan->hierarchy, BN_RING_BY_DISTANCE, root).index;
    int distance = bn_shape_ring(plan->hierarchy, BN_RING_BY_DISTANCE, team->rank).index - root_index;
    return (struct place){root_index, distance >= 0 ? distance : distance + team->size};
}

static int member_at(const struct bn_team *team, const struct bn_plan *plan, struct place place, int position)
{
    if (!plan->hierarchy)
        return bn_team_rotate(team, place.root_index, position);
    return bn_shape_ring_member(plan->hierarchy, BN_RING_BY_DISTANCE, place.root_index + position);
}

static void await_token(struct bn_team *team, const struct bn_plan *plan, struct place place)
{
    int before = place.position - plan->tuning->token_count;
    if (before >= 1)
        bn_team_hear(team, member_at(team, plan, place, before), PASSED);
}

/* Copies when it is the member's turn, and passes the token on. */
static void copy_in_turn(struct bn_team *team, const struct bn_plan *plan, struct place place, unsigned char *to,
                         const unsigned char *from, size_t nbytes)
{
    int after = place.position + plan->tuning->token_count;
    size_t last_bytes = 0; /* bytes that are copied after the token has been passed on */
    await_token(team, plan, place);
    if (after < team->size) {
        int next = member_at(team, plan, place, after);
        bool is_near = bn_hierarchy_group_of(plan->hierarchy, BN_LEVEL_NODE, next) ==
                       bn_hierarchy_group_of(plan->hierarchy, BN_LEVEL_NODE, team->rank);
        size_t chunk_bytes = plan->tuning->chunk_bytes;
        last_bytes = is_near || nbytes < chunk_bytes ? nbytes : chunk_bytes;
    }
    bn_copy(to, from, nbytes - last_bytes);
    bn_team_say(team, PASSED);
    bn_copy(to + (nbytes - last_bytes), from + (nbytes - last_bytes), last_bytes);
}

/* The block of this member, between its own memory and the root's */
struct move {
    unsigned char *to;
    const unsigned char *from;
};

/* If the call demands it, the root must have been heard before. */
static struct move move_of(const struct bn_team *team, const struct bn_call *call, bool is_scatter)
{
    size_t offset = (size_t)team->rank * call->nbytes;
    if (is_scatter)
        return (struct move){bn_call_dst(team, call, team->rank), bn_call_src_at_root(team, call) + offset};
    return (struct move){bn_call_dst_at_root(team, call) + offset, bn_call_src(team, call, team->rank)};
}

/* All members except the root move their blocks in turn. */
static void go_round(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call, bool is_scatter)
{
    struct place place = place_of(team, plan, call->root);
    bn_operation_enter(team, call->in);
    bn_team_begin(team);
    if (team->rank == call->root) {
        if (call->in == BN_SYNC_MY)
            bn_team_say(team, ENTERED);
        struct move move = move_of(team, call, is_scatter);
        bn_copy(move.to, move.from, call->nbytes);
        if (call->out == BN_SYNC_MY)
            bn_team_hear_all(team, DONE);
    } else {
        if (call->in == BN_SYNC_MY)
            bn_team_hear(team, call->root, ENTERED);
        struct move move = move_of(team, call, is_scatter);
        copy_in_turn(team, plan, place, move.to, move.from, call->nbytes);
        if (call->out == BN_SYNC_MY)
            bn_team_say(team, DONE);
    }
    bn_operation_leave(team, call->out);
}

void bn_scatter_pull_ring(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call)
{
    go_round(team, plan, call, true);
}

void bn_gather_push_ring(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call)
{
    go_round(team, plan, call, false);
}

void bn_scatter_push_ring(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call)
{
    struct place place = place_of(team, plan, call->root);
    bn_operation_enter(team, call->in);
    bn_team_begin(team);
    if (team->rank == call->root) {
        const unsigned char *src = bn_call_src_at_root(team, call);
        for (int position = 1; position <= team->size; position++) {
            int rank = position < team->size ? member_at(team, plan, place, position) : team->rank;
            if (call->in == BN_SYNC_MY && rank != team->rank)
                bn_team_hear(team, rank, ENTERED);
            bn_copy(bn_call_dst(team, call, rank), src + (size_t)rank * call->nbytes, call->nbytes);
            if (call->out == BN_SYNC_MY)
                bn_slot_fill(team, rank, NULL, 0, DONE);
        }
    } else {
        if (call->in == BN_SYNC_MY)
            bn_team_say(team, ENTERED);
        if (call->out == BN_SYNC_MY)
            bn_slot_await_from(team, team->rank, call->root, DONE);
    }
    bn_operation_leave(team, call->out);
}

void bn_gather_pull_ring(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call)
{
    struct place place = place_of(team, plan, call->root);
    bn_operation_enter(team, call->in);
    bn_team_begin(team);
    if (team->rank == call->root) {
        unsigned char *dst = bn_call_dst_at_root(team, call);
        for (int position = 0; position < team->size; position++) {
            int rank = member_at(team, plan, place, position);
            if (call->in == BN_SYNC_MY && rank != team->rank)
                bn_team_hear(team, rank, ENTERED);
            bn_copy(dst + (size_t)rank * call->nbytes, bn_call_src(team, call, rank), call->nbytes);
            if (call->out == BN_SYNC_MY)
                bn_slot_fill(team, rank, NULL, 0, DONE);
        }
    } else {
        if (call->in == BN_SYNC_MY)
            bn_team_say(team, ENTERED);
        if (call->out == BN_SYNC_MY)
            bn_slot_await_from(team, team->rank, call->root, DONE);
    }
    bn_operation_leave(team, call->out);
}
