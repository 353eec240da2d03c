/*
 * parts.c: blocks that differ in size, straight from who has them to who needs them.
 *
 * Whether a block is small enough for the room of its sender (a piece of its stage, if there are stages) follows from
 * its size and the team's, which both ends know; so nobody has to know all sizes, and each pair of members goes its own
 * way.  A small block is left in the room, and its sender goes on.  For a large one a place is posted, where it lies
 * (pull) or where it goes (push), and who copies it says so.
 *
 * The room of a member: a word for each member, a place or nothing; behind them a slice for each receiver, or one for
 * all where they get the same.  With more members than cores several pieces of its stage are its room, each with
 * another slice of every block, since going on is worth more then.
 */
#include "base/log.h"
#include "coll/algorithms.h"
#include "coll/plan.h"
#include "coll/stage.h"
#include "platform/copy.h"

enum { POSTED = 1, DONE = BN_STAGE_PIECES + 1 }; /* and POSTED + r: slices of r more rounds */
enum { MEMBERS = BN_TEAM_ROOM_BYTES / sizeof(uint64_t) };

/* An operation, as one member sees it */
struct parts {
    struct bn_team *team;
    const struct bn_call *call;
    bool from_root, to_root; /* only the root sends, or receives */
    bool is_same;            /* all receivers get the same block */
    bool is_push;            /* senders copy large blocks */
    uint32_t crowded_rounds; /* pieces that are a room, with more members than cores */
    uint32_t rounds;         /* here */
    size_t slice_bytes;      /* of a block, in a piece */
    unsigned char *src, *dst;
};

struct block {
    size_t offset, bytes;
};

static bool sends(const struct parts *parts, int from, int to)
{
    int root = parts->call->root;
    return (!parts->from_root || from == root) && (!parts->to_root || to == root);
}

static struct block part_of(const struct parts *parts, const struct bn_parts *table, int rank)
{
    return table ? (struct block){table->offsets[rank], table->bytes[rank]} : (struct block){0, parts->call->own_bytes};
}

static struct block block_to(const struct parts *parts, int to)
{
    return sends(parts, parts->team->rank, to) ? part_of(parts, parts->call->src_parts, to) : (struct block){0, 0};
}

static struct block block_from(const struct parts *parts, int from)
{
    return sends(parts, from, parts->team->rank) ? part_of(parts, parts->call->dst_parts, from) : (struct block){0, 0};
}

static bool is_small(const struct parts *parts, const struct block *block)
{
    return block->bytes <= parts->rounds * parts->slice_bytes;
}

static bool is_large(const struct parts *parts, struct block block)
{
    return !is_small(parts, &block);
}

/* What of a small block goes in a round, from the begin of the block */
static struct block slice_of(const struct parts *parts, const struct block *block, uint32_t round)
{
    size_t before = round * parts->slice_bytes;
    size_t rest = block->bytes > before ? block->bytes - before : 0;
    return (struct block){before, rest < parts->slice_bytes ? rest : parts->slice_bytes};
}

static unsigned char *room_of(const struct parts *parts, int rank, uint32_t round)
{
    return parts->team->stages ? bn_stage_piece(parts->team, rank, round)
                               : bn_slot_room(parts->team, rank, BN_TEAM_ROOM_BYTES);
}

static unsigned char *slice_at(const struct parts *parts, int rank, int receiver, uint32_t round)
{
    size_t place = parts->is_same ? 0 : (size_t)receiver;
    return room_of(parts, rank, round) + (size_t)parts->team->size * sizeof(uint64_t) + place * parts->slice_bytes;
}

static void post_place(const struct parts *parts, int rank, const unsigned char *address)
{
    uint64_t place = bn_team_place(parts->team, address);
    memcpy(room_of(parts, parts->team->rank, 0) + (size_t)rank * sizeof place, &place, sizeof place);
}

/* The place that a member has posted for this one */
static unsigned char *posted_by(const struct parts *parts, int rank)
{
    uint64_t place;
    bn_copy(&place, room_of(parts, rank, 0) + (size_t)parts->team->rank * sizeof place, sizeof place);
    return (unsigned char *)place;
}

/* Before the first word of a round is written into the own room */
static void claim_room(const struct parts *parts, uint32_t round)
{
    bool goes_to_root = parts->to_root && parts->team->rank != parts->call->root;
    if (parts->team->stages)
        bn_stage_claim(parts->team, round, goes_to_root ? parts->call->root : BN_STAGE_ALL);
}

/* Nothing is read any more in rooms of others. */
static void leave_rooms(const struct parts *parts)
{
    struct bn_team *team = parts->team;
    if (!team->stages)
        return;
    bn_slot_fill(team, team->rank, NULL, 0, parts->rounds);
    team->stage_turn += parts->rounds;
}

/* Leaves slices of small blocks in the room, and says in the first round where large ones lie or go; false if there is
 * nothing to say. */
static bool post(const struct parts *parts, uint32_t round)
{
    struct bn_team *team = parts->team;
    bool has_left_it = false;
    bool says_something = false;
    for (int distance = 1; distance < team->size; distance++) {
        int rank = bn_team_rotate(team, team->rank, distance);
        struct block to = block_to(parts, rank);
        struct block slice = is_small(parts, &to) ? slice_of(parts, &to, round) : (struct block){0, 0};
        struct block large = parts->is_push ? block_from(parts, rank) : to;
        bool has_place = round == 0 && is_large(parts, large);
        if ((slice.bytes > 0 || has_place) && !says_something)
            claim_room(parts, round);
        if (slice.bytes > 0 && !has_left_it)
            memcpy(slice_at(parts, team->rank, rank, round), parts->src + to.offset + slice.offset, slice.bytes);
        if (has_place)
            post_place(parts, rank, (parts->is_push ? parts->dst : parts->src) + large.offset);
        has_left_it |= slice.bytes > 0 && parts->is_same;
        says_something |= slice.bytes > 0 || has_place;
    }
    if (says_something)
        bn_team_say(team, POSTED + round);
    return says_something;
}

static void keep_own(const struct parts *parts)
{
    struct block to = block_to(parts, parts->team->rank);
    struct block from = block_from(parts, parts->team->rank);
    if (from.bytes > 0 && parts->dst + from.offset != parts->src + to.offset)
        memcpy(parts->dst + from.offset, parts->src + to.offset, from.bytes);
}

/* Copies large blocks to where they go; true if there was one. */
static bool push(const struct parts *parts)
{
    struct bn_team *team = parts->team;
    bool has_pushed = false;
    for (int distance = 1; distance < team->size; distance++) {
        int to = bn_team_rotate(team, team->rank, distance);
        struct block block = block_to(parts, to);
        if (!is_large(parts, block))
            continue;
        bn_team_hear(team, to, POSTED);
        bn_copy(posted_by(parts, to), parts->src + block.offset, block.bytes);
        has_pushed = true;
    }
    return has_pushed;
}

/* Fetches the slices of a small block. */
static void fetch_slices(const struct parts *parts, int from, const struct block *block)
{
    for (uint32_t round = 0; round < parts->rounds; round++) {
        struct block slice = slice_of(parts, block, round);
        if (slice.bytes == 0)
            return;
        bn_team_hear(parts->team, from, POSTED + round);
        bn_copy(parts->dst + block->offset + slice.offset, slice_at(parts, from, parts->team->rank, round),
                slice.bytes);
    }
}

/* Fetches what is in rooms, and, if that is its business, large blocks; true if there was one. */
static bool fetch(const struct parts *parts)
{
    struct bn_team *team = parts->team;
    bool has_pulled = false;
    for (int distance = 1; distance < team->size; distance++) {
        int from = bn_team_rotate(team, team->rank, distance);
        struct block block = block_from(parts, from);
        if (is_small(parts, &block)) {
            fetch_slices(parts, from, &block);
        } else if (!parts->is_push) {
            bn_team_hear(team, from, POSTED);
            bn_copy(parts->dst + block.offset, posted_by(parts, from), block.bytes);
            has_pulled = true;
        }
    }
    return has_pulled;
}

/* Waits for those that copy large blocks of this member. */
static void await_copies(const struct parts *parts)
{
    struct bn_team *team = parts->team;
    for (int distance = 1; distance < team->size; distance++) {
        int rank = bn_team_rotate(team, team->rank, distance);
        if (is_large(parts, parts->is_push ? block_from(parts, rank) : block_to(parts, rank)))
            bn_team_hear(team, rank, DONE);
    }
}

static void carry_out(struct parts parts)
{
    struct bn_team *team = parts.team;
    const struct bn_call *call = parts.call;
    size_t table_bytes = (size_t)team->size * sizeof(uint64_t);
    size_t room_bytes = team->stages ? BN_STAGE_PIECE_BYTES : BN_TEAM_ROOM_BYTES - table_bytes;
    if (team->size > MEMBERS) {
        bn_log_error("blocks of different sizes among %d members are not supported yet; at most %d", team->size,
                     MEMBERS);
        team->status = BN_ERR_INVALID;
        return;
    }
    parts.slice_bytes = (parts.is_same ? room_bytes : room_bytes / (size_t)team->size) & ~(sizeof(uint64_t) - 1);
    parts.rounds = team->stages && team->size > team->core_count ? parts.crowded_rounds : 1;
    if (!parts.from_root)
        parts.src = bn_call_src(team, call, team->rank);
    else if (team->rank == call->root)
        parts.src = bn_call_src_at_root(team, call);
    if (!parts.to_root)
        parts.dst = bn_call_dst(team, call, team->rank);
    else if (team->rank == call->root)
        parts.dst = bn_call_dst_at_root(team, call);
    bn_operation_enter(team, call->in);
    bn_team_begin(team);
    for (uint32_t round = 0; round < parts.rounds && post(&parts, round);)
        round++;
    keep_own(&parts);
    bool has_copied = parts.is_push && push(&parts);
    has_copied |= fetch(&parts);
    leave_rooms(&parts);
    if (has_copied)
        bn_team_say(team, DONE);
    await_copies(&parts);
    bn_operation_leave(team, call->out);
}

#define BY_PARTS(operation, ...)                                                                                       \
    void bn_##operation##_pull(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call)           \
    {                                                                                                                  \
        (void)plan;                                                                                                    \
        carry_out((struct parts){.team = team, .call = call, __VA_ARGS__});                                            \
    }                                                                                                                  \
    void bn_##operation##_push(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call)           \
    {                                                                                                                  \
        (void)plan;                                                                                                    \
        carry_out((struct parts){.team = team, .call = call, .is_push = true, __VA_ARGS__});                           \
    }

/* Pieces by docs/tuning/private.md: in scatter_v one member alone fills them all. */
BY_PARTS(scatter_v, .crowded_rounds = BN_STAGE_PIECES / 4, .from_root = true)
BY_PARTS(gather_v, .crowded_rounds = BN_STAGE_PIECES, .to_root = true, .is_same = true)
BY_PARTS(gather_all_v, .crowded_rounds = BN_STAGE_PIECES, .is_same = true)
BY_PARTS(exchange_v, .crowded_rounds = BN_STAGE_PIECES)
