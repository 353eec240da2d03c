/*
 * parts.c: blocks that differ in size, straight from who has them to who needs them.
 *
 * Whether a block is small enough for the room of its sender (a piece of its stage, if there are stages) follows from
 * its size and the team's, which both ends know; so nobody has to know all sizes, and each pair of members goes its own
 * way.  A small block is left in the room, and its sender goes on.  For a large one a place is posted, where it lies
 * (pull) or where it goes (push), and who copies it says so.
 *
 * The room of a member: a word for each member, a place or nothing; behind them a share for each receiver, or one for
 * all where they get the same.
 */
#include "base/log.h"
#include "coll/algorithms.h"
#include "coll/plan.h"
#include "coll/stage.h"
#include "platform/copy.h"

enum { POSTED = 1, DONE = 2 };
enum { MEMBERS = BN_TEAM_ROOM_BYTES / sizeof(uint64_t) };

/* An operation, as one member sees it */
struct parts {
    struct bn_team *team;
    const struct bn_call *call;
    bool from_root, to_root; /* only the root sends, or receives */
    bool is_same;            /* all receivers get the same block */
    bool is_push;            /* senders copy large blocks */
    size_t share_bytes;      /* of a room */
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
    return block->bytes <= parts->share_bytes;
}

static bool is_large(const struct parts *parts, struct block block)
{
    return block.bytes > parts->share_bytes;
}

static unsigned char *room_of(const struct parts *parts, int rank)
{
    return parts->team->stages ? bn_stage_piece(parts->team, rank, 0)
                               : bn_slot_room(parts->team, rank, BN_TEAM_ROOM_BYTES);
}

static unsigned char *share_of(const struct parts *parts, int rank, int receiver)
{
    size_t place = parts->is_same ? 0 : (size_t)receiver;
    return room_of(parts, rank) + (size_t)parts->team->size * sizeof(uint64_t) + place * parts->share_bytes;
}

static void post_place(const struct parts *parts, int rank, const unsigned char *address)
{
    uint64_t place = bn_team_place(parts->team, address);
    memcpy(room_of(parts, parts->team->rank) + (size_t)rank * sizeof place, &place, sizeof place);
}

/* The place that a member has posted for this one */
static unsigned char *posted_by(const struct parts *parts, int rank)
{
    uint64_t place;
    bn_copy(&place, room_of(parts, rank) + (size_t)parts->team->rank * sizeof place, sizeof place);
    return (unsigned char *)place;
}

/* Before the first word is written into the own room */
static void claim_room(const struct parts *parts)
{
    bool goes_to_root = parts->to_root && parts->team->rank != parts->call->root;
    if (parts->team->stages)
        bn_stage_claim(parts->team, 0, goes_to_root ? parts->call->root : BN_STAGE_ALL);
}

/* Nothing is read any more in rooms of others. */
static void leave_rooms(const struct parts *parts)
{
    struct bn_team *team = parts->team;
    if (!team->stages)
        return;
    bn_slot_fill(team, team->rank, NULL, 0, POSTED);
    team->stage_turn++;
}

/* Leaves small blocks in the room, and says where large ones lie or go. */
static void post(const struct parts *parts)
{
    struct bn_team *team = parts->team;
    bool has_left_it = false;
    bool says_something = false;
    for (int distance = 1; distance < team->size; distance++) {
        int rank = bn_team_rotate(team, team->rank, distance);
        struct block to = block_to(parts, rank);
        bool is_in_room = to.bytes > 0 && is_small(parts, &to);
        struct block large = parts->is_push ? block_from(parts, rank) : to;
        bool has_place = is_large(parts, large);
        if ((is_in_room || has_place) && !says_something)
            claim_room(parts);
        if (is_in_room && !has_left_it)
            memcpy(share_of(parts, team->rank, rank), parts->src + to.offset, to.bytes);
        if (has_place)
            post_place(parts, rank, (parts->is_push ? parts->dst : parts->src) + large.offset);
        has_left_it |= is_in_room && parts->is_same;
        says_something |= is_in_room || has_place;
    }
    if (says_something)
        bn_team_say(team, POSTED);
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

/* Fetches what is in rooms, and, if that is its business, large blocks; true if there was one. */
static bool fetch(const struct parts *parts)
{
    struct bn_team *team = parts->team;
    bool has_pulled = false;
    for (int distance = 1; distance < team->size; distance++) {
        int from = bn_team_rotate(team, team->rank, distance);
        struct block block = block_from(parts, from);
        bool is_in_room = is_small(parts, &block);
        if (block.bytes == 0 || (!is_in_room && parts->is_push))
            continue;
        bn_team_hear(team, from, POSTED);
        const unsigned char *place = is_in_room ? share_of(parts, from, team->rank) : posted_by(parts, from);
        bn_copy(parts->dst + block.offset, place, block.bytes);
        has_pulled |= !is_in_room;
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
    parts.share_bytes = (parts.is_same ? room_bytes : room_bytes / (size_t)team->size) & ~(sizeof(uint64_t) - 1);
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
    post(&parts);
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

BY_PARTS(scatter_v, .from_root = true)
BY_PARTS(gather_v, .to_root = true, .is_same = true)
BY_PARTS(gather_all_v, .is_same = true)
BY_PARTS(exchange_v, .is_same = false)
