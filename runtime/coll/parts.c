/*
 * parts.c: blocks of different sizes, moved directly from sender to receiver.
 *
 * Whether a block is small enough for the room of its sender (a piece of its stage, if there are stages) follows from
 * its size and the team's size, which both ends know.  So nobody has to know all sizes, and each pair of members
 * decides independently.  A small block is left in the room, and its sender goes on.  For a large block a place is
 * posted, its source (pull) or its destination (push), and the member that copies it announces when it is done.
 *
 * The room of a member begins with an entry per member, which holds a place or nothing; then comes a slice for each
 * receiver, or a single one if all get the same.  With more members than cores, the room consists of several pieces of
 * the member's stage, each with another slice of every block, because then it is more important that senders can go on.
 *
 * In programs with bugs, the two ends of a block may give different sizes, and so use protocols that do not match.
 * Therefore the size is stored before each slice and next to each place, marked with the number of the operation,
 * because a room keeps what earlier operations have left: without a mark there is no block.  A receiver whose size
 * differs from the sender's takes the smaller of both and records the mismatch in team->fit.  A member that another one
 * might wait for because of such a bug makes announcements that would otherwise be unnecessary.
 */
#include "base/log.h"
#include "coll/algorithms.h"
#include "coll/plan.h"
#include "coll/stage.h"
#include "platform/copy.h"

enum { POSTED = 1, DONE = BN_STAGE_PIECES + 1 }; /* also POSTED + r: the slices of r more rounds are posted */
enum { MEMBERS = BN_TEAM_ROOM_BYTES / sizeof(uint64_t) };
enum { SIZE_BITS = 40 }; /* bits of the size in a mark */
enum { MARK_BYTES = sizeof(uint64_t) };

/* An operation, as one member sees it */
struct parts {
    struct bn_team *team;
    const struct bn_call *call;
    bool from_root, to_root; /* only the root sends, or receives */
    bool is_same;            /* all receivers get the same block */
    bool is_push;            /* senders copy large blocks */
    bool is_marked;          /* there is room for marks with sizes */
    uint32_t crowded_rounds; /* pieces of a stage that form a room, with more members than cores */
    uint32_t rounds;         /* pieces that form a room in this call */
    size_t entry_bytes;      /* size of the entry of a member */
    size_t table_bytes;      /* size of the entries of all members */
    size_t stride_bytes;     /* distance between slices */
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

static struct block part_of(const struct parts *parts, const struct bn_block_table *table, int rank)
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

/* The part of a small block that moves in a round, relative to the beginning of the block */
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

/* The slice for a receiver; its mark precedes it. */
static unsigned char *slice_at(const struct parts *parts, int rank, int receiver, uint32_t round)
{
    size_t number = parts->is_same ? 0 : (size_t)receiver;
    size_t mark_bytes = parts->is_marked ? MARK_BYTES : 0;
    return room_of(parts, rank, round) + parts->table_bytes + number * parts->stride_bytes + mark_bytes;
}

static void put_mark(const struct parts *parts, unsigned char *at, size_t size_bytes)
{
    uint64_t mark = parts->team->operation << SIZE_BITS | size_bytes;
    memcpy(at, &mark, sizeof mark);
}

/* The size that was marked in this operation; 0: there is no such mark */
static size_t marked_at(const struct parts *parts, const unsigned char *at)
{
    uint64_t mark;
    bn_copy(&mark, at, sizeof mark);
    bool is_of_now = ((mark ^ parts->team->operation << SIZE_BITS) >> SIZE_BITS) == 0;
    return is_of_now ? mark & ((UINT64_C(1) << SIZE_BITS) - 1) : 0;
}

/* The entry that a member has posted for another: the place of a block, and its size */
static unsigned char *post_at(const struct parts *parts, int rank, int other)
{
    return room_of(parts, rank, 0) + (size_t)other * parts->entry_bytes;
}

static void post_place(const struct parts *parts, int rank, const unsigned char *address, size_t size_bytes)
{
    unsigned char *at = post_at(parts, parts->team->rank, rank);
    uint64_t place = bn_team_place(parts->team, address);
    memcpy(at, &place, sizeof place);
    if (parts->is_marked)
        put_mark(parts, at + sizeof place, size_bytes);
}

/* The place that a member has posted for this one */
static unsigned char *posted_by(const struct parts *parts, int rank)
{
    uint64_t place;
    bn_copy(&place, post_at(parts, rank, parts->team->rank), sizeof place);
    return (unsigned char *)place;
}

/* How much of a block of size_bytes the receiver has room for; call after it has been heard. */
static size_t taken_by(const struct parts *parts, int rank, size_t size_bytes)
{
    if (!parts->is_marked)
        return size_bytes;
    size_t room_bytes = marked_at(parts, post_at(parts, rank, parts->team->rank) + sizeof(uint64_t));
    return room_bytes < size_bytes ? room_bytes : size_bytes;
}

/* The size of the block that a sender has for this member, which differs from own_bytes only in programs with bugs */
static size_t given_by(const struct parts *parts, int rank, size_t own_bytes)
{
    bn_team_hear(parts->team, rank, POSTED);
    if (!parts->is_marked)
        return own_bytes;
    size_t nbytes = marked_at(parts, slice_at(parts, rank, parts->team->rank, 0) - MARK_BYTES);
    if (__builtin_expect(nbytes != own_bytes, 0))
        bn_team_got(parts->team, nbytes, own_bytes);
    return nbytes;
}

/* Called before anything of a round is written into this member's room. */
static void claim_room(const struct parts *parts, uint32_t round)
{
    bool goes_to_root = parts->to_root && parts->team->rank != parts->call->root;
    if (parts->team->stages)
        bn_stage_claim(parts->team, round, goes_to_root ? parts->call->root : BN_STAGE_ALL);
}

/* Called when this member has finished reading from the rooms of others. */
static void leave_rooms(const struct parts *parts)
{
    struct bn_team *team = parts->team;
    if (!team->stages)
        return;
    bn_slot_fill(team, team->rank, NULL, 0, parts->rounds);
    team->stage_turn += parts->rounds;
}

/* Leaves slices of small blocks in the room and, in the first round, posts the places of large blocks; false if there
 * was nothing to announce. */
static bool post(const struct parts *parts, uint32_t round)
{
    struct bn_team *team = parts->team;
    bool has_left_it = false, has_claimed = false, is_waited_for = false;
    for (int distance = 1; distance < team->size; distance++) {
        int rank = bn_team_rotate(team, team->rank, distance);
        struct block to = block_to(parts, rank);
        struct block slice = is_small(parts, &to) ? slice_of(parts, &to, round) : (struct block){0, 0};
        struct block large = parts->is_push ? block_from(parts, rank) : to;
        bool has_place = round == 0 && is_large(parts, large);
        bool has_mark = round == 0 && to.bytes > 0 && parts->is_marked;
        if ((slice.bytes > 0 || has_place || has_mark) && !has_claimed) {
            claim_room(parts, round);
            has_claimed = true;
        }
        if (has_mark && !has_left_it)
            put_mark(parts, slice_at(parts, team->rank, rank, 0) - MARK_BYTES, to.bytes);
        if (slice.bytes > 0 && !has_left_it)
            memcpy(slice_at(parts, team->rank, rank, round), parts->src + to.offset + slice.offset, slice.bytes);
        if (has_place)
            post_place(parts, rank, (parts->is_push ? parts->dst : parts->src) + large.offset, large.bytes);
        has_left_it |= (slice.bytes > 0 || has_mark) && parts->is_same;
        is_waited_for |= round == 0 && to.bytes == 0 && sends(parts, team->rank, rank);
    }
    if (has_claimed || is_waited_for)
        bn_team_say(team, POSTED + round);
    return has_claimed || is_waited_for;
}

static size_t smaller(size_t left, size_t right)
{
    return left < right ? left : right;
}

static void keep_own(const struct parts *parts)
{
    struct bn_team *team = parts->team;
    struct block to = block_to(parts, team->rank);
    struct block from = block_from(parts, team->rank);
    if (__builtin_expect(to.bytes != from.bytes, 0))
        bn_team_got(team, to.bytes, from.bytes);
    size_t nbytes = smaller(to.bytes, from.bytes);
    if (nbytes > 0 && parts->dst + from.offset != parts->src + to.offset)
        memcpy(parts->dst + from.offset, parts->src + to.offset, nbytes);
}

/* Copies large blocks to where they go. */
static void push(const struct parts *parts)
{
    struct bn_team *team = parts->team;
    bool has_pushed = false;
    for (int distance = 1; distance < team->size; distance++) {
        int to = bn_team_rotate(team, team->rank, distance);
        struct block block = block_to(parts, to);
        if (!is_large(parts, block))
            continue;
        bn_team_hear(team, to, POSTED);
        size_t nbytes = taken_by(parts, to, block.bytes);
        if (nbytes > 0)
            bn_copy(posted_by(parts, to), parts->src + block.offset, nbytes);
        has_pushed = true;
    }
    if (has_pushed)
        bn_team_say(team, DONE);
}

/* Fetches the slices of a small block of a member that has been heard. */
static void fetch_slices(const struct parts *parts, int from, const struct block *block)
{
    for (uint32_t round = 0; round < parts->rounds; round++) {
        struct block slice = slice_of(parts, block, round);
        if (slice.bytes == 0)
            return;
        if (round > 0)
            bn_team_hear(parts->team, from, POSTED + round);
        bn_copy(parts->dst + block->offset + slice.offset, slice_at(parts, from, parts->team->rank, round),
                slice.bytes);
    }
}

/* Fetches small blocks from rooms; fetches large blocks, or waits until they have arrived.  True if a sender may be
 * waiting for this. */
static bool fetch(const struct parts *parts)
{
    struct bn_team *team = parts->team;
    bool is_awaited = false;
    for (int distance = 1; distance < team->size; distance++) {
        int from = bn_team_rotate(team, team->rank, distance);
        struct block block = block_from(parts, from);
        if (block.bytes == 0) {
            is_awaited |= sends(parts, from, team->rank);
            continue;
        }
        struct block given = {block.offset, given_by(parts, from, block.bytes)};
        struct block both = {block.offset, smaller(given.bytes, block.bytes)};
        if (is_small(parts, &given)) {
            fetch_slices(parts, from, &both);
        } else if (!parts->is_push) {
            bn_copy(parts->dst + block.offset, posted_by(parts, from), both.bytes);
            is_awaited = true;
        } else if (is_large(parts, block)) {
            bn_team_hear(team, from, DONE);
        } else { /* the sender waits for a place */
            is_awaited = true;
        }
    }
    return is_awaited;
}

/* Waits for the members that fetch large blocks from this one. */
static void await_copies(const struct parts *parts)
{
    struct bn_team *team = parts->team;
    for (int distance = 1; distance < team->size; distance++) {
        int rank = bn_team_rotate(team, team->rank, distance);
        if (is_large(parts, block_to(parts, rank)))
            bn_team_hear(team, rank, DONE);
    }
}

/* Lays out rooms, in the same way on all members.  A slice of a stage, without its mark, is at most a share of a piece,
 * because that is how the limit for small blocks was measured. */
static void lay_out(struct parts *parts)
{
    const struct bn_team *team = parts->team;
    size_t members = (size_t)team->size, slices = parts->is_same ? 1 : members, word_bytes = sizeof(uint64_t);
    size_t room_bytes = team->stages ? BN_STAGE_TABLE_BYTES + BN_STAGE_PIECE_BYTES : BN_TEAM_ROOM_BYTES;
    size_t share_bytes = (team->stages ? BN_STAGE_PIECE_BYTES : BN_TEAM_ROOM_BYTES) / slices & ~(word_bytes - 1);
    parts->is_marked = members * 2 * word_bytes + slices * (MARK_BYTES + word_bytes) <= room_bytes;
    parts->entry_bytes = parts->is_marked ? 2 * word_bytes : word_bytes;
    parts->table_bytes = members * parts->entry_bytes;
    parts->stride_bytes = (room_bytes - parts->table_bytes) / slices & ~(word_bytes - 1);
    size_t slice_bytes = parts->stride_bytes - (parts->is_marked ? MARK_BYTES : 0);
    parts->slice_bytes = smaller(slice_bytes, share_bytes);
    parts->rounds = team->stages && team->size > team->core_count ? parts->crowded_rounds : 1;
}

static void carry_out(struct parts parts)
{
    struct bn_team *team = parts.team;
    const struct bn_call *call = parts.call;
    if (team->size > MEMBERS) {
        bn_log_error("blocks of different sizes among %d members are not supported yet; at most %d", team->size,
                     MEMBERS);
        team->status = BN_ERR_INVALID;
        return;
    }
    lay_out(&parts);
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
    if (parts.is_push)
        push(&parts);
    bool is_awaited = fetch(&parts);
    leave_rooms(&parts);
    if (is_awaited)
        bn_team_say(team, DONE);
    if (!parts.is_push)
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

/* Numbers of pieces according to docs/tuning/private.md: in scatter_v one member alone fills them all. */
BY_PARTS(scatter_v, .crowded_rounds = BN_STAGE_PIECES / 4, .from_root = true)
BY_PARTS(gather_v, .crowded_rounds = BN_STAGE_PIECES, .to_root = true, .is_same = true)
BY_PARTS(gather_all_v, .crowded_rounds = BN_STAGE_PIECES, .is_same = true)
BY_PARTS(exchange_v, .crowded_rounds = BN_STAGE_PIECES)
