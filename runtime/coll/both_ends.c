/*
 * both_ends.c: moves blocks between a root and the other members by work of both ends: the root copies the last bytes
 * of every block, the other member the rest.
 *
 * If one end moved the whole block, the root would wait.  Here it does its share like all others: with two members and
 * a core for each, a block takes half the time.
 */
#include "coll/algorithms.h"
#include "coll/plan.h"
#include "platform/copy.h"

enum {
    ENTERED = 1,
    DONE = 2,
    GRAIN_BYTES = 4096, /* the unit in which the kernel copies: a page */
};

/* An operation, as one member sees it */
struct ends {
    struct bn_team *team;
    const struct bn_call *call;
    size_t src_step, dst_step; /* bytes between the blocks of consecutive ranks, at the root */
    bool to_root;
};

static const unsigned char *src_of(const struct ends *ends, int rank)
{
    return ends->to_root ? bn_call_src(ends->team, ends->call, rank)
                         : bn_call_src_at_root(ends->team, ends->call) + (size_t)rank * ends->src_step;
}

static unsigned char *dst_of(const struct ends *ends, int rank)
{
    return ends->to_root ? bn_call_dst_at_root(ends->team, ends->call) + (size_t)rank * ends->dst_step
                         : bn_call_dst(ends->team, ends->call, rank);
}

/* Copies bytes [begin, end) of the block of a rank. */
static void copy(const struct ends *ends, int rank, size_t begin, size_t end)
{
    if (begin < end)
        bn_copy(dst_of(ends, rank) + begin, src_of(ends, rank) + begin, end - begin);
}

/* Where the root's part begins in the blocks of the others.  Its own block, unless it is in place, counts as half a
 * block, because it needs only memcpy. */
static size_t split(const struct ends *ends)
{
    size_t nbytes = ends->call->nbytes;
    bool is_in_place = src_of(ends, ends->call->root) == dst_of(ends, ends->call->root);
    size_t part = (nbytes - (is_in_place ? 0 : nbytes / 2)) / (size_t)ends->team->size;
    size_t begin = (nbytes - part + GRAIN_BYTES - 1) & ~(size_t)(GRAIN_BYTES - 1);
    return begin < nbytes ? begin : nbytes;
}

static void run_root(const struct ends *ends, bool asks_entry)
{
    struct bn_team *team = ends->team;
    size_t begin = split(ends);
    if (asks_entry)
        bn_team_tell_all(team, ENTERED);
    copy(ends, team->rank, 0, ends->call->nbytes);
    for (int distance = 1; distance < team->size; distance++) {
        int rank = bn_team_rotate(team, team->rank, distance);
        if (asks_entry)
            bn_team_hear_told(team, rank, ENTERED);
        copy(ends, rank, begin, ends->call->nbytes);
    }
    if (ends->call->out == BN_SYNC_MY) {
        bn_team_tell_all(team, DONE);
        bn_team_hear_all_told(team, DONE);
    }
}

static void run_other(const struct ends *ends, bool asks_entry)
{
    struct bn_team *team = ends->team;
    int root = ends->call->root;
    if (asks_entry) {
        bn_team_tell(team, root, ENTERED);
        bn_team_hear_told(team, root, ENTERED);
    }
    copy(ends, team->rank, 0, split(ends));
    if (ends->call->out == BN_SYNC_MY) {
        bn_team_tell(team, root, DONE);
        bn_team_hear_told(team, root, DONE);
    }
}

static void run(struct ends ends)
{
    const struct bn_call *call = ends.call;
    bool asks_entry = call->in == BN_SYNC_MY;
    bn_operation_enter(ends.team, call->in);
    if ((asks_entry || call->out == BN_SYNC_MY) && bn_team_begin(ends.team))
        asks_entry = false;
    if (ends.team->rank == call->root)
        run_root(&ends, asks_entry);
    else
        run_other(&ends, asks_entry);
    bn_operation_leave(ends.team, call->out);
}

#define BOTH_ENDS(operation, ...)                                                                                      \
    void bn_##operation##_both_ends(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call)      \
    {                                                                                                                  \
        (void)plan;                                                                                                    \
        run((struct ends){.team = team, .call = call, __VA_ARGS__});                                                   \
    }

BOTH_ENDS(broadcast, .src_step = 0)
BOTH_ENDS(scatter, .src_step = call->nbytes)
BOTH_ENDS(gather, .dst_step = call->nbytes, .to_root = true)
