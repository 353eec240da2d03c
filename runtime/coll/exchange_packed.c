/*
 * exchange_packed.c: exchange in which all blocks from one group of members to another travel in one piece.
 *
 * Groups are machines, or the memory regions of a single machine.  Blocks within a group are copied directly from src
 * to dst.  For each other group the members pack their blocks into a buffer of their leader, the leader of the other
 * group fetches the whole piece, and its members take their blocks from there.  In round r group g sends to g + r and
 * receives from g - r.
 *
 * A leader's buffer has two halves, for outgoing and incoming pieces, each with one place for each round of a batch.
 * With little memory a batch has fewer rounds, down to one, and the buffer is reused for each batch; if one of the
 * groups has no memory even for that, all blocks are copied directly.
 *
 * Steps of batch b, counted from FIRST + 3 b: the member has packed its blocks; its leader has fetched; the member has
 * taken its blocks.
 */
#include "coll/algorithms.h"
#include "coll/plan.h"
#include "platform/copy.h"

enum { ENTERED = 1, FIRST = 2, PACKED = 0, FETCHED = 1, TAKEN = 2, STEPS_OF_BATCH = 3 };

/* The groups, as one member sees them */
struct groups {
    const struct bn_hierarchy *hierarchy;
    enum bn_level level;
    int count;
    int mine;
    int index;          /* index of the member in its group */
    size_t piece_bytes; /* size of the largest piece between two groups */
};

static int size_of(const struct groups *groups, int group)
{
    return bn_hierarchy_group_size(groups->hierarchy, groups->level, group);
}

static int leader_of(const struct groups *groups, int group)
{
    return bn_hierarchy_leader(groups->hierarchy, groups->level, group);
}

static int member_of(const struct groups *groups, int group, int index)
{
    int begin = bn_hierarchy_group_begin(groups->hierarchy, groups->level, group);
    return bn_hierarchy_member_at(groups->hierarchy, begin + index);
}

static struct groups groups_of(const struct bn_team *team, const struct bn_hierarchy *hierarchy, size_t nbytes)
{
    bool is_one_machine = bn_hierarchy_group_count(hierarchy, BN_LEVEL_NODE) == 1;
    struct groups groups = {.hierarchy = hierarchy, .level = is_one_machine ? BN_LEVEL_NUMA : BN_LEVEL_NODE};
    size_t largest = 0;
    groups.count = bn_hierarchy_group_count(hierarchy, groups.level);
    groups.mine = bn_hierarchy_group_of(hierarchy, groups.level, team->rank);
    groups.index = bn_hierarchy_position_of(hierarchy, team->rank) -
                   bn_hierarchy_group_begin(hierarchy, groups.level, groups.mine);
    for (int group = 0; group < groups.count; group++) {
        size_t size = (size_t)size_of(&groups, group);
        largest = size > largest ? size : largest;
    }
    groups.piece_bytes = largest * largest * nbytes;
    return groups;
}

/* The group that is distance rounds further on */
static int turned(const struct groups *groups, int distance)
{
    return (groups->mine + distance + groups->count) % groups->count;
}

/* What a leader announces about its buffer */
struct buffer {
    uint64_t address;
    int rounds; /* of a batch; 0: it has none */
};

static struct buffer get_buffer(struct bn_team *team, const struct groups *groups)
{
    int rounds = groups->count - 1;
    uint64_t address = 0;
    while (rounds > 0) {
        address = bn_team_buffer_get(team, 2 * (size_t)rounds * groups->piece_bytes);
        if (address != 0)
            break;
        rounds /= 2;
    }
    return (struct buffer){address, rounds};
}

static struct buffer buffer_of(struct bn_team *team, const struct groups *groups, int group)
{
    struct buffer buffer;
    bn_slot_await(team, leader_of(groups, group), ENTERED);
    bn_slot_take(team, leader_of(groups, group), &buffer, sizeof buffer);
    return buffer;
}

/* The number of rounds of a batch that all leaders have room for */
static int agree_on_rounds(struct bn_team *team, const struct groups *groups)
{
    int rounds = groups->count - 1;
    for (int group = 0; group < groups->count; group++) {
        struct buffer theirs = buffer_of(team, groups, group);
        rounds = theirs.rounds < rounds ? theirs.rounds : rounds;
    }
    return rounds;
}

/* A batch, with all that a member needs for it */
struct batch {
    const struct groups *groups;
    const struct bn_call *call;
    int first, end;          /* rounds of this batch; rounds are counted from 1 */
    uint32_t step;           /* before the first of its steps */
    unsigned char *outgoing; /* halves of the buffer of the group's leader */
    unsigned char *incoming;
};

static unsigned char *place_of(const struct batch *batch, unsigned char *half, int round)
{
    return half + (size_t)(round - batch->first) * batch->groups->piece_bytes;
}

/* A piece holds, for each member that receives, the blocks of all that send. */
static void pack(const struct bn_team *team, const struct batch *batch, int round)
{
    const struct groups *groups = batch->groups;
    size_t nbytes = batch->call->nbytes;
    int to = turned(groups, round);
    const unsigned char *src = bn_call_src(team, batch->call, team->rank);
    unsigned char *piece = place_of(batch, batch->outgoing, round);
    size_t senders = (size_t)size_of(groups, groups->mine);
    for (int index = 0; index < size_of(groups, to); index++)
        bn_copy(piece + ((size_t)index * senders + (size_t)groups->index) * nbytes,
                src + (size_t)member_of(groups, to, index) * nbytes, nbytes);
}

static void fetch(struct bn_team *team, const struct batch *batch, int round)
{
    const struct groups *groups = batch->groups;
    int from = turned(groups, -round);
    struct buffer theirs = buffer_of(team, groups, from);
    unsigned char *piece = place_of(batch, (unsigned char *)theirs.address, round);
    size_t blocks = (size_t)size_of(groups, from) * (size_t)size_of(groups, groups->mine);
    for (int index = 0; index < size_of(groups, from); index++)
        bn_team_hear(team, member_of(groups, from, index), batch->step + PACKED);
    bn_copy(place_of(batch, batch->incoming, round), piece, blocks * batch->call->nbytes);
}

static void take(const struct bn_team *team, const struct batch *batch, int round)
{
    const struct groups *groups = batch->groups;
    size_t nbytes = batch->call->nbytes;
    int from = turned(groups, -round);
    int senders = size_of(groups, from);
    unsigned char *dst = bn_call_dst(team, batch->call, team->rank);
    const unsigned char *blocks =
        place_of(batch, batch->incoming, round) + (size_t)groups->index * (size_t)senders * nbytes;
    for (int index = 0; index < senders; index++)
        bn_copy(dst + (size_t)member_of(groups, from, index) * nbytes, blocks + (size_t)index * nbytes, nbytes);
}

/* await_fetched waits until all outgoing pieces of the batch have been fetched; await_taken, at the leader, until the
 * incoming ones have been taken. */
static void await_fetched(struct bn_team *team, const struct batch *batch)
{
    for (int round = batch->first; round < batch->end; round++)
        bn_team_hear(team, leader_of(batch->groups, turned(batch->groups, round)), batch->step + FETCHED);
}

static void await_taken(struct bn_team *team, const struct batch *batch)
{
    const struct groups *groups = batch->groups;
    for (int index = 0; index < size_of(groups, groups->mine); index++)
        bn_team_hear(team, member_of(groups, groups->mine, index), batch->step + TAKEN);
}

static void carry_out(struct bn_team *team, const struct batch *batch)
{
    int leader = leader_of(batch->groups, batch->groups->mine);
    for (int round = batch->first; round < batch->end; round++)
        pack(team, batch, round);
    bn_team_say(team, batch->step + PACKED);
    if (team->rank == leader) {
        for (int round = batch->first; round < batch->end; round++)
            fetch(team, batch, round);
        bn_team_say(team, batch->step + FETCHED);
    } else {
        bn_team_hear(team, leader, batch->step + FETCHED);
    }
    for (int round = batch->first; round < batch->end; round++)
        take(team, batch, round);
    bn_team_say(team, batch->step + TAKEN);
    await_fetched(team, batch);
    if (team->rank == leader)
        await_taken(team, batch);
}

/* Exchanges directly between the members of a group. */
static void exchange_within(const struct bn_team *team, const struct groups *groups, const struct bn_call *call)
{
    unsigned char *dst = bn_call_dst(team, call, team->rank);
    size_t my_block = (size_t)team->rank * call->nbytes;
    int size = size_of(groups, groups->mine);
    for (int distance = 0; distance < size; distance++) {
        int from = member_of(groups, groups->mine, (groups->index + distance) % size);
        bn_copy(dst + (size_t)from * call->nbytes, bn_call_src(team, call, from) + my_block, call->nbytes);
    }
}

static void exchange_between(struct bn_team *team, const struct groups *groups, const struct bn_call *call, int rounds)
{
    if (groups->count == 1)
        return; /* and there is no buffer */
    unsigned char *buffer = (unsigned char *)buffer_of(team, groups, groups->mine).address;
    struct batch batch = {
        .groups = groups,
        .call = call,
        .step = FIRST,
        .outgoing = buffer,
        .incoming = buffer + (size_t)rounds * groups->piece_bytes,
    };
    for (batch.first = 1; batch.first < groups->count; batch.first += rounds) {
        batch.end = batch.first + rounds < groups->count ? batch.first + rounds : groups->count;
        carry_out(team, &batch);
        batch.step += STEPS_OF_BATCH;
    }
}

/* Every member reads what others wrote before the call, so MYSYNC involves everybody. */
void bn_exchange_packed(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call)
{
    struct groups groups = groups_of(team, plan->hierarchy, call->nbytes);
    bn_operation_enter_all(team, call->in);
    bn_team_begin(team);
    if (leader_of(&groups, groups.mine) == team->rank) {
        struct buffer mine = get_buffer(team, &groups);
        bn_slot_fill(team, team->rank, &mine, sizeof mine, ENTERED);
    }
    int rounds = agree_on_rounds(team, &groups);
    if (rounds > 0 || groups.count == 1) {
        exchange_within(team, &groups, call);
        exchange_between(team, &groups, call, rounds);
    } else {
        struct bn_call direct = *call;
        direct.in = direct.out = BN_SYNC_NO;
        bn_exchange_flat(team, plan, &direct);
    }
    bn_team_buffer_done(team);
    if (call->out != BN_SYNC_NO)
        bn_team_barrier(team);
}
