/*
 * stage.c: blocks that move in pieces through the stages of members: the sender copies them in, the receivers copy them
 * out.
 *
 * A sender posts its pieces in rounds, and may be ahead of its readers by as many pieces as its stage holds; once it
 * has posted the last one, it goes on, as in by_room.c.
 *
 * Where the kernel can copy private memory, a second copy is too expensive for large blocks; but for medium-sized ones,
 * and for larger ones with more members than cores, it pays off that a sender can go on early.
 */
#include "coll/stage.h"

#include "coll/algorithms.h"
#include "coll/plan.h"
#include "platform/copy.h"

unsigned char *bn_stage_piece(const struct bn_team *team, int rank, uint32_t round)
{
    return team->stages[rank].pieces[(team->stage_turn + round) % BN_STAGE_PIECES];
}

static void await_readers(struct bn_team *team, const struct bn_stage_use *use)
{
    if (use->step == 0)
        return;
    if (use->reader >= 0) {
        bn_slot_await_of(team, use->reader, use->operation, use->step);
        return;
    }
    for (int distance = 1; distance < team->size; distance++)
        bn_slot_await_of(team, bn_team_rotate(team, team->rank, distance), use->operation, use->step);
}

unsigned char *bn_stage_claim(struct bn_team *team, uint32_t round, int reader)
{
    struct bn_stage_use *use = &team->stage_uses[(team->stage_turn + round) % BN_STAGE_PIECES];
    await_readers(team, use);
    *use = (struct bn_stage_use){.operation = team->operation, .step = round + 1, .reader = reader};
    return bn_stage_piece(team, team->rank, round);
}

/* An operation, as one member sees it */
struct staging {
    struct bn_team *team;
    const struct bn_call *call;
    bool from_root, to_root; /* only the root sends, or receives */
    bool is_same;            /* all receivers get the same block */
    const unsigned char *src;
    unsigned char *dst;
    size_t share_bytes; /* bytes of each block that go in one piece */
    size_t begin;       /* range of every block that this operation moves */
    size_t end;
};

static bool sends(const struct staging *staging, int rank)
{
    return !staging->from_root || rank == staging->call->root;
}

static bool receives(const struct staging *staging, int rank)
{
    return !staging->to_root || rank == staging->call->root;
}

/* Whether a rank sends to, or receives from, some other member */
static bool posts(const struct staging *staging, int rank)
{
    return sends(staging, rank) && (!staging->to_root || rank != staging->call->root);
}

static bool reads(const struct staging *staging, int rank)
{
    return receives(staging, rank) && (!staging->from_root || rank != staging->call->root);
}

/* Bytes of every block that move in a round */
static size_t round_bytes(const struct staging *staging, uint32_t round)
{
    size_t rest = staging->end - staging->begin - round * staging->share_bytes;
    return rest < staging->share_bytes ? rest : staging->share_bytes;
}

static void post(const struct staging *staging, uint32_t round)
{
    struct bn_team *team = staging->team;
    unsigned char *piece = bn_stage_claim(team, round, staging->to_root ? staging->call->root : BN_STAGE_ALL);
    size_t nbytes = staging->call->nbytes;
    size_t offset = staging->begin + round * staging->share_bytes;
    size_t bytes = round_bytes(staging, round);
    for (int rank = 0; !staging->is_same && rank < team->size; rank++) {
        if (rank != team->rank)
            memcpy(piece + (size_t)rank * staging->share_bytes, staging->src + (size_t)rank * nbytes + offset, bytes);
    }
    if (staging->is_same)
        memcpy(piece, staging->src + offset, bytes);
    bn_team_say(team, round + 1);
}

/* Offset in dst of the block from a sender */
static size_t place_of(const struct staging *staging, int from)
{
    return staging->from_root ? 0 : (size_t)from * staging->call->nbytes;
}

static void take(const struct staging *staging, uint32_t round)
{
    struct bn_team *team = staging->team;
    size_t share = staging->is_same ? 0 : (size_t)team->rank * staging->share_bytes;
    size_t offset = staging->begin + round * staging->share_bytes;
    for (int distance = 1; distance < team->size; distance++) {
        int from = bn_team_rotate(team, team->rank, distance);
        if (!posts(staging, from))
            continue;
        bn_team_hear(team, from, round + 1);
        memcpy(staging->dst + place_of(staging, from) + offset, bn_stage_piece(team, from, round) + share,
               round_bytes(staging, round));
    }
    bn_slot_fill(team, team->rank, NULL, 0, round + 1);
}

/* One operation: posts as far ahead as there are free pieces, and reads. */
static void move(const struct staging *staging)
{
    struct bn_team *team = staging->team;
    uint32_t rounds = (uint32_t)((staging->end - staging->begin + staging->share_bytes - 1) / staging->share_bytes);
    bool is_reader = reads(staging, team->rank);
    uint32_t posted = posts(staging, team->rank) ? 0 : rounds;
    uint32_t taken = is_reader ? 0 : rounds;
    bn_team_begin(team);
    while (posted < rounds || taken < rounds) {
        while (posted < rounds && (!is_reader || posted < taken + BN_STAGE_PIECES))
            post(staging, posted++);
        if (taken < rounds)
            take(staging, taken++);
    }
    team->stage_turn += rounds;
}

static void keep_own(const struct staging *staging)
{
    struct bn_team *team = staging->team;
    size_t nbytes = staging->call->nbytes;
    if (!sends(staging, team->rank) || !receives(staging, team->rank))
        return;
    const unsigned char *from = staging->src + (staging->is_same ? 0 : (size_t)team->rank * nbytes);
    unsigned char *to = staging->dst + place_of(staging, team->rank);
    if (to != from)
        memcpy(to, from, nbytes);
}

static void carry_out(struct staging staging)
{
    struct bn_team *team = staging.team;
    const struct bn_call *call = staging.call;
    size_t members = (size_t)team->size;
    staging.share_bytes = staging.is_same
                              ? BN_STAGE_PIECE_BYTES
                              : BN_STAGE_PIECE_BYTES / members / BN_STAGE_SHARE_BYTES * BN_STAGE_SHARE_BYTES;
    if (sends(&staging, team->rank))
        staging.src = staging.from_root ? bn_call_src_at_root(team, call) : bn_call_src(team, call, team->rank);
    if (receives(&staging, team->rank))
        staging.dst = staging.to_root ? bn_call_dst_at_root(team, call) : bn_call_dst(team, call, team->rank);
    bn_operation_enter(team, call->in);
    keep_own(&staging);
    for (; team->size > 1 && staging.begin < call->nbytes; staging.begin = staging.end) {
        size_t rest = call->nbytes - staging.begin;
        size_t most = BN_STAGE_ROUNDS * staging.share_bytes;
        staging.end = staging.begin + (rest < most ? rest : most);
        move(&staging);
    }
    bn_operation_leave(team, call->out);
}

#define BY_STAGE(operation, ...)                                                                                       \
    void bn_##operation##_by_stage(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call)       \
    {                                                                                                                  \
        (void)plan;                                                                                                    \
        carry_out((struct staging){.team = team, .call = call, __VA_ARGS__});                                          \
    }

BY_STAGE(broadcast, .from_root = true, .is_same = true)
BY_STAGE(scatter, .from_root = true)
BY_STAGE(gather, .to_root = true, .is_same = true)
BY_STAGE(gather_all, .is_same = true)
BY_STAGE(exchange, .is_same = false)
