/*
 * exchange.c: a block from each member to each member.
 *
 * Members of one node exchange their blocks through the engine.  Small blocks for other nodes are gathered at the
 * leader, which sends all blocks of its node for another node in one message, or by a collective of leaders (circle.h).
 * Large blocks, and those whose sizes others do not know, travel from member to member.
 */
#include "wide/slabs.h"

#include <string.h>

/* ---- From member to member ---- */

/* The rank at a distance after this one, or before it */
static int rank_at(const struct bn_wide *wide, int distance, bool is_backwards)
{
    return (wide->rank + (is_backwards ? wide->size - distance : distance)) % wide->size;
}

static bool move_far(struct bn_wide *wide, const struct bn_slabs *slabs, bool is_send)
{
    for (int distance = 1; distance < wide->size; distance++) {
        int other = rank_at(wide, distance, !is_send);
        unsigned char *block = bn_slabs_block(slabs, other);
        size_t nbytes = bn_slabs_block_bytes(slabs, other);
        if (bn_wide_node_of(wide, other) == wide->mine.index)
            continue;
        if (!(is_send ? bn_wide_send(wide, other, block, nbytes) : bn_wide_receive(wide, other, block, nbytes)))
            return false;
    }
    return true;
}

static bn_status_t exchange_directly(struct bn_wide *wide, const struct bn_call *call)
{
    const struct bn_slabs src = {wide, (unsigned char *)call->src, call->src_parts, call->nbytes, false};
    const struct bn_slabs dst = {wide, (unsigned char *)call->dst, call->dst_parts, call->nbytes, false};
    if (!move_far(wide, &dst, false) || !move_far(wide, &src, true))
        return BN_ERR_MEMORY;
    const struct bn_block_table near_src = bn_wide_near_parts(wide, 0, src.parts, src.nbytes);
    const struct bn_block_table near_dst = bn_wide_near_parts(wide, 2, dst.parts, dst.nbytes);
    return bn_wide_near(wide, BN_EXCHANGE_V,
                        (struct bn_call){.src = call->src,
                                         .dst = call->dst,
                                         .nbytes = call->nbytes,
                                         .src_parts = &near_src,
                                         .dst_parts = &near_dst});
}

/* ---- By leaders ---- */

/*
 * Rooms of a leader: 0 has all blocks of its node's members, member by member, in the order of ranks, both before and
 * after the exchange; 1 has the outgoing and 2 the incoming packets, node by node: for each sending member, a block for
 * each receiving member, in the order of positions.
 */
struct packets {
    struct bn_wide *wide;
    size_t nbytes; /* of a block */
    unsigned char *all, *out, *in;
};

static unsigned char *block_of(const struct packets *packets, int near_rank, int rank)
{
    return packets->all + ((size_t)near_rank * (size_t)packets->wide->size + (size_t)rank) * packets->nbytes;
}

static size_t packet_bytes(const struct packets *packets, const struct bn_node *other)
{
    return bn_node_bytes(other, packets->nbytes) * (size_t)bn_wide_near_size(packets->wide);
}

static size_t packet_offset(const struct packets *packets, const struct bn_node *other)
{
    return (size_t)other->begin * packets->nbytes * (size_t)bn_wide_near_size(packets->wide);
}

static void pack(const struct packets *packets, const struct bn_node *to)
{
    unsigned char *packet = packets->out + packet_offset(packets, to);
    for (int sender = 0; sender < bn_wide_near_size(packets->wide); sender++)
        for (int position = to->begin; position < to->end; position++, packet += packets->nbytes)
            memcpy(packet, block_of(packets, sender, bn_hierarchy_member_at(packets->wide->hierarchy, position)),
                   packets->nbytes);
}

static void unpack(const struct packets *packets, const struct bn_node *from)
{
    const unsigned char *packet = packets->in + packet_offset(packets, from);
    for (int position = from->begin; position < from->end; position++)
        for (int receiver = 0; receiver < bn_wide_near_size(packets->wide); receiver++, packet += packets->nbytes)
            memcpy(block_of(packets, receiver, bn_hierarchy_member_at(packets->wide->hierarchy, position)), packet,
                   packets->nbytes);
}

/* Swaps the blocks between members of this node. */
static void turn_near(const struct packets *packets)
{
    const struct bn_wide *wide = packets->wide;
    unsigned char block[BN_WIDE_PACKED_BYTES];
    for (int one = 0; one < bn_wide_near_size(wide); one++)
        for (int other = 0; other < one; other++) {
            unsigned char *here = block_of(packets, one, bn_wide_rank_of_near(wide, other));
            unsigned char *there = block_of(packets, other, bn_wide_rank_of_near(wide, one));
            memcpy(block, here, packets->nbytes);
            memcpy(here, there, packets->nbytes);
            memcpy(there, block, packets->nbytes);
        }
}

/* By a collective of leaders */
static bool swap_in_circle(const struct packets *packets)
{
    struct bn_wide *wide = packets->wide;
    size_t *bytes = (size_t *)bn_wide_room(wide, 3, 2 * (size_t)wide->node_count * sizeof *bytes);
    if (!bytes)
        return false;
    size_t *offsets = bytes + wide->node_count;
    for (int index = 0; index < wide->node_count; index++) {
        const struct bn_node other = bn_wide_node(wide, index);
        bool is_own = index == wide->mine.index;
        bytes[index] = is_own ? 0 : packet_bytes(packets, &other);
        offsets[index] = packet_offset(packets, &other);
        if (!is_own)
            pack(packets, &other);
    }
    return bn_circle_exchange(wide, packets->out, packets->in, (struct bn_circle_parts){bytes, offsets});
}

static bool swap_by_messages(const struct packets *packets)
{
    struct bn_wide *wide = packets->wide;
    for (int distance = 1; distance < wide->node_count; distance++) {
        const struct bn_node from = bn_wide_node_behind(wide, wide->node_count - distance);
        if (!bn_wide_receive(wide, from.leader, packets->in + packet_offset(packets, &from),
                             packet_bytes(packets, &from)))
            return false;
    }
    for (int distance = 1; distance < wide->node_count; distance++) {
        const struct bn_node to = bn_wide_node_behind(wide, distance);
        pack(packets, &to);
        if (!bn_wide_send(wide, to.leader, packets->out + packet_offset(packets, &to), packet_bytes(packets, &to)))
            return false;
    }
    return true;
}

/* Whether packets fit a circle: libraries below use int offsets. */
static bool fits_circle(const struct packets *packets)
{
    const struct bn_wide *wide = packets->wide;
    size_t largest = 0, all_bytes = (size_t)wide->size * packets->nbytes;
    for (int index = 0; index < wide->node_count; index++) {
        const struct bn_node node = bn_wide_node(wide, index);
        largest = bn_node_bytes(&node, all_bytes) > largest ? bn_node_bytes(&node, all_bytes) : largest;
    }
    return largest <= BN_MESSAGE_BYTES;
}

static bool swap_packets(const struct packets *packets)
{
    struct bn_wide *wide = packets->wide;
    bool is_circle = wide->circle && fits_circle(packets);
    if (!(is_circle ? swap_in_circle(packets) : swap_by_messages(packets)))
        return false;
    turn_near(packets);
    bn_wide_await_all(wide);
    for (int index = 0; index < wide->node_count; index++) {
        const struct bn_node from = bn_wide_node(wide, index);
        if (index != wide->mine.index)
            unpack(packets, &from);
    }
    return true;
}

static bn_status_t exchange_by_leaders(struct bn_wide *wide, const struct bn_call *call)
{
    size_t own_bytes = (size_t)wide->size * call->nbytes, all_bytes = bn_node_bytes(&wide->mine, own_bytes);
    struct packets packets = {.wide = wide, .nbytes = call->nbytes};
    if (bn_wide_is_leader(wide)) {
        packets.all = bn_wide_room(wide, 0, all_bytes);
        packets.out = bn_wide_room(wide, 1, all_bytes);
        packets.in = bn_wide_room(wide, 2, all_bytes);
        if (!packets.all || !packets.out || !packets.in)
            return BN_ERR_MEMORY;
    }
    bn_status_t status = bn_wide_near(
        wide, BN_GATHER,
        (struct bn_call){
            .src = call->src, .dst = (uint64_t)packets.all, .nbytes = own_bytes, .root = bn_wide_near_leader(wide)});
    if (status != BN_OK)
        return status;
    if (packets.all && !swap_packets(&packets))
        return BN_ERR_MEMORY;
    return bn_wide_near(
        wide, BN_SCATTER,
        (struct bn_call){
            .src = (uint64_t)packets.all, .dst = call->dst, .nbytes = own_bytes, .root = bn_wide_near_leader(wide)});
}

bn_status_t bn_wide_exchange(struct bn_wide *wide, const struct bn_call *call, bool differ)
{
    bool is_packed = !differ && call->nbytes <= BN_WIDE_PACKED_BYTES;
    return is_packed ? exchange_by_leaders(wide, call) : exchange_directly(wide, call);
}
