/*
 * all_to_all.c: algorithms for gather_all and exchange in which a member deals with fewer members, or in another order,
 * than in the direct one.
 *
 * Where all members read from all others, MYSYNC at exit involves everybody, so it is implemented by a barrier or by
 * flags.
 */
#include "coll/algorithms.h"
#include "coll/plan.h"
#include "platform/copy.h"

enum { ENTERED = 1, ALL = 1 << (BN_TEAM_STEP_BITS - 1) };

/* In round s a member takes from its predecessor the block that the predecessor got in round s - 1. */
static void gather_all_ring(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call,
                            enum bn_ring_order order)
{
    struct bn_ring ring = bn_shape_ring(plan->hierarchy, order, team->rank);
    unsigned char *mine = bn_call_dst(team, call, team->rank);
    bn_operation_enter(team, call->in);
    bn_team_begin(team);
    bn_copy(mine + (size_t)team->rank * call->nbytes, bn_call_src(team, call, team->rank), call->nbytes);
    bn_team_say(team, ENTERED);
    for (int round = 1; round < team->size; round++) {
        int owner = bn_shape_ring_member(plan->hierarchy, order, ring.index - round);
        size_t offset = (size_t)owner * call->nbytes;
        bn_team_hear(team, ring.previous, ENTERED + (uint32_t)round - 1);
        bn_copy(mine + offset, bn_call_dst(team, call, ring.previous) + offset, call->nbytes);
        bn_team_say(team, ENTERED + (uint32_t)round);
    }
    if (call->out == BN_SYNC_MY)
        bn_team_hear(team, ring.next, ENTERED + (uint32_t)team->size - 1);
    bn_operation_leave(team, call->out);
}

void bn_gather_all_ring(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call)
{
    gather_all_ring(team, plan, call, BN_RING_BY_DISTANCE);
}

/* A ring that ignores the machine's topology, for comparison */
void bn_gather_all_ring_by_rank(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call)
{
    gather_all_ring(team, plan, call, BN_RING_BY_RANK);
}

/*
 * Neighbours (Chen et al., "Performance evaluation of allgather algorithms on terascale Linux cluster with fast
 * Ethernet", 2005): members pair off by rank and exchange their blocks.  Then each member exchanges, alternately with
 * its other neighbour and with this one, the two blocks of a pair that it got last.  This takes half of a ring's
 * rounds.  Teams of odd size, which cannot pair off, use the ring.
 */
void bn_gather_all_neighbours_by_rank(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call)
{
    if (team->size % 2 != 0) {
        bn_gather_all_ring_by_rank(team, plan, call);
        return;
    }
    bool is_first = team->rank % 2 == 0; /* whether this member is the first of its pair */
    int partner = is_first ? team->rank + 1 : team->rank - 1;
    int other = bn_team_rotate(team, team->rank, is_first ? team->size - 1 : 1); /* the neighbour in another pair */
    int pairs = team->size / 2;
    unsigned char *mine = bn_call_dst(team, call, team->rank);
    size_t offset = (size_t)partner * call->nbytes;
    bn_operation_enter(team, call->in);
    bn_team_begin(team);
    bn_copy(mine + (size_t)team->rank * call->nbytes, bn_call_src(team, call, team->rank), call->nbytes);
    bn_team_say(team, ENTERED);
    bn_team_hear(team, partner, ENTERED);
    bn_copy(mine + offset, bn_call_dst(team, call, partner) + offset, call->nbytes);
    bn_team_say(team, ENTERED + 1);
    for (int round = 1; round < pairs; round++) {
        /* Blocks of pairs come from the two sides alternately, from increasing distances; the first of a pair starts
         * with the side before it */
        bool comes_from_before = (round % 2 != 0) == is_first;
        int distance = (round + 1) / 2;
        int pair = (team->rank / 2 + (comes_from_before ? pairs - distance : distance)) % pairs;
        int from = round % 2 != 0 ? other : partner;
        offset = 2 * (size_t)pair * call->nbytes;
        bn_team_hear(team, from, ENTERED + (uint32_t)round);
        bn_copy(mine + offset, bn_call_dst(team, call, from) + offset, 2 * call->nbytes);
        bn_team_say(team, ENTERED + (uint32_t)round + 1);
    }
    if (call->out == BN_SYNC_MY) {
        bn_team_hear(team, partner, ENTERED + (uint32_t)pairs);
        bn_team_hear(team, other, ENTERED + (uint32_t)pairs);
    }
    bn_operation_leave(team, call->out);
}

/* Copies the blocks first .. first + count - 1, modulo the team's size, from one array of all blocks to another. */
static void copy_circle(const struct bn_team *team, unsigned char *to, const unsigned char *from, int first, int count,
                        size_t nbytes)
{
    int before_end = team->size - first;
    int straight = count < before_end ? count : before_end;
    size_t offset = (size_t)first * nbytes;
    bn_copy(to + offset, from + offset, (size_t)straight * nbytes);
    if (count > straight)
        bn_copy(to, from, (size_t)(count - straight) * nbytes);
}

/* In round k a member has 2^k blocks, its own and those after it, and takes as many from the member 2^k after it. */
void bn_gather_all_doubling(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call)
{
    (void)plan;
    unsigned char *mine = bn_call_dst(team, call, team->rank);
    uint32_t step = ENTERED;
    bn_operation_enter(team, call->in);
    bn_team_begin(team);
    bn_copy(mine + (size_t)team->rank * call->nbytes, bn_call_src(team, call, team->rank), call->nbytes);
    bn_team_say(team, step);
    for (int have = 1; have < team->size; have *= 2) {
        int from = bn_team_rotate(team, team->rank, have);
        int wanted = have < team->size - have ? have : team->size - have;
        bn_team_hear(team, from, step);
        copy_circle(team, mine, bn_call_dst(team, call, from), from, wanted, call->nbytes);
        bn_team_say(team, ++step);
    }
    bn_operation_leave_all(team, call->out);
}

/* Gather to the root of a tree, and broadcast from there, without a barrier in between: the root begins the broadcast
 * when all blocks have arrived, and the others wait for it. */
void bn_gather_all_joined(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call)
{
    int root = plan->tree_root;
    struct bn_call gather = *call;
    struct bn_call broadcast = *call;
    gather.root = broadcast.root = root;
    if (!team->announces)
        gather.dst = broadcast.src = (uint64_t)bn_call_dst(team, call, root);
    broadcast.is_from_dst = true;
    gather.out = BN_SYNC_MY; /* the root has all blocks on return */
    broadcast.in = BN_SYNC_MY;
    broadcast.nbytes = call->nbytes * (size_t)team->size;
    bn_gather_push(team, plan, &gather);
    bn_broadcast_pull(team, plan, &broadcast);
}

/* Over nodes, where a barrier would first have to wait for the completion of all puts, each block comes with a flag. */
static void push_with_flags(struct bn_team *team, const struct bn_call *call)
{
    const unsigned char *mine = bn_call_src(team, call, team->rank);
    size_t my_block = (size_t)team->rank * call->nbytes;
    bn_team_begin(team);
    for (int distance = 1; distance <= team->size; distance++) {
        int to = bn_team_rotate(team, team->rank, distance);
        bn_team_hand_over(team, to, bn_call_dst(team, call, to) + my_block, mine + (size_t)to * call->nbytes,
                          call->nbytes, ALL);
    }
    for (int distance = 1; distance < team->size; distance++)
        bn_mail_await(team, team->rank, bn_team_rotate(team, team->rank, distance), ALL);
    bn_operation_leave(team, call->out);
}

void bn_exchange_push(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call)
{
    (void)plan;
    const unsigned char *mine = bn_call_src(team, call, team->rank);
    size_t my_block = (size_t)team->rank * call->nbytes;
    bn_operation_enter_all(team, call->in);
    if (team->mail) {
        push_with_flags(team, call);
        return;
    }
    for (int distance = 0; distance < team->size; distance++) {
        int to = bn_team_rotate(team, team->rank, distance);
        bn_copy(bn_call_dst(team, call, to) + my_block, mine + (size_t)to * call->nbytes, call->nbytes);
    }
    bn_operation_leave_all(team, call->out);
}

/* Members proceed in rotated order and in step, so that no two members read from the same one at any time. */
void bn_exchange_pairwise(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call)
{
    (void)plan;
    unsigned char *mine = bn_call_dst(team, call, team->rank);
    size_t my_block = (size_t)team->rank * call->nbytes;
    bn_operation_enter(team, call->in);
    bn_team_begin(team);
    for (int distance = 0; distance < team->size; distance++) {
        int from = bn_team_rotate(team, team->rank, distance);
        bn_team_say(team, ENTERED + (uint32_t)distance);
        if (distance > 0)
            bn_team_hear(team, from, ENTERED + (uint32_t)distance);
        bn_copy(mine + (size_t)from * call->nbytes, bn_call_src(team, call, from) + my_block, call->nbytes);
    }
    bn_operation_leave_all(team, call->out);
}

/*
 * Bruck's algorithm: log2(n) rounds.  Place i of the work area holds a block whose receiver is i members after its
 * sender.  It moves by the binary digits of i: in round k, blocks with digit k set move on by 2^k members.  Rounds read
 * one half of the area and write the other.
 */
struct bruck {
    size_t nbytes;
    unsigned char *halves[2];
};

/* Where a block came from: before round k, the block at place i of a member's work area is from the member (i mod 2^k)
 * before it. */
static const unsigned char *original(const struct bn_team *team, const struct bn_call *call, int rank, int place,
                                     int distance)
{
    int gone = place & (distance - 1);
    int from = bn_team_rotate(team, rank, team->size - gone);
    int to = bn_team_rotate(team, from, place);
    return bn_call_src(team, call, from) + (size_t)to * call->nbytes;
}

static void bruck_round(struct bn_team *team, const struct bn_call *call, const struct bruck *bruck, uint32_t round)
{
    int distance = 1 << round;
    int from = bn_team_rotate(team, team->rank, team->size - distance);
    const unsigned char *old = bruck->halves[round % 2];
    unsigned char *new = bruck->halves[(round + 1) % 2];
    uint64_t their_area;
    bn_team_hear(team, from, ENTERED + round);
    bn_slot_await(team, from, ENTERED);
    bn_slot_take(team, from, &their_area, sizeof their_area);
    const unsigned char *theirs = (const unsigned char *)their_area + (round % 2) * (size_t)team->size * bruck->nbytes;
    for (int place = 0; place < team->size; place++) {
        const unsigned char *block = old + (size_t)place * bruck->nbytes;
        if (place & distance && their_area != 0)
            block = theirs + (size_t)place * bruck->nbytes;
        else if (place & distance)
            block = original(team, call, from, place, distance);
        bn_copy(new + (size_t)place * bruck->nbytes, block, bruck->nbytes);
    }
    bn_team_say(team, ENTERED + round + 1);
}

/* All members enter before the first round.  If a member has no room for a work area, the others fetch the blocks that
 * would be there from their sources, and so does it with its own. */
void bn_exchange_bruck(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call)
{
    size_t half_bytes = (size_t)team->size * call->nbytes;
    bn_operation_enter_all(team, call->in);
    bn_team_begin(team);
    uint64_t area = bn_team_buffer_get(team, 2 * half_bytes);
    bn_slot_fill(team, team->rank, &area, sizeof area, ENTERED);
    if (area == 0) {
        struct bn_call direct = *call;
        bn_team_say(team, ALL);
        direct.in = direct.out = BN_SYNC_NO;
        bn_exchange_flat(team, plan, &direct);
        bn_operation_leave_all(team, call->out);
        return;
    }
    struct bruck bruck = {call->nbytes, {(unsigned char *)area, (unsigned char *)area + half_bytes}};
    const unsigned char *src = bn_call_src(team, call, team->rank);
    unsigned char *dst = bn_call_dst(team, call, team->rank);
    for (int place = 0; place < team->size; place++)
        bn_copy(bruck.halves[0] + (size_t)place * call->nbytes,
                src + (size_t)bn_team_rotate(team, team->rank, place) * call->nbytes, call->nbytes);
    bn_team_say(team, ENTERED);
    uint32_t round = 0;
    for (; 1 << round < team->size; round++) {
        /* The member that reads from here has finished the round before last, so the half that it read then may be
         * overwritten. */
        if (round > 0)
            bn_team_hear(team, bn_team_rotate(team, team->rank, 1 << (round - 1)), ENTERED + round);
        bruck_round(team, call, &bruck, round);
    }
    const unsigned char *result = bruck.halves[round % 2];
    for (int place = 0; place < team->size; place++)
        bn_copy(dst + (size_t)bn_team_rotate(team, team->rank, team->size - place) * call->nbytes,
                result + (size_t)place * call->nbytes, call->nbytes);
    /* Wait until nobody reads the work area any more. */
    if (round > 0)
        bn_team_hear(team, bn_team_rotate(team, team->rank, 1 << (round - 1)), ENTERED + round);
    bn_team_buffer_done(team);
    bn_operation_leave_all(team, call->out);
}
