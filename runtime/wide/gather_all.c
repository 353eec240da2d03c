/*
 * gather_all.c: each node's leader sends the blocks of its node to all other leaders directly ("at once"), or leaders
 * forward slabs around a ring.  Each node copies the data that arrives at its leader, piece by piece.
 *
 * Each node sends equally much in both: m - 1 slabs of n bytes each.  In a ring the last slab passes m - 2 further
 * nodes.  But a switch with k of the m nodes sends k (m - k) slabs to others at once, and only m - 1 in a ring, whose
 * neighbours follow the hierarchy's order, so that the ring enters each switch once.  Times in bytes that a link
 * carries in that time, with l of a latency, o of a message, f of a piece, assuming that a switch's link is as fast as
 * a node's:
 *
 *     at once    l + max(m - 1, k (m - k)) (n + o)
 *     ring       l + (m - 1) (n + o) + (m - 2) (l + f + o)
 *
 * In both, slabs arrive in the same order, beginning with that of the node before this one.
 *
 * Alternatively leaders gather all slabs by a collective (circle.h), contiguously, and pass the result on to their
 * nodes at the end.
 *
 * Slabs of many small non-contiguous blocks travel packed, and each member moves the blocks to their places; all other
 * slabs arrive in place.
 */
#include "wide/helpers.h"
#include "wide/slabs.h"
#include "wide/vectors.h"

enum { SMALL_BLOCK_BYTES = 8192 };

static int most_past_a_switch(const struct bn_wide *wide)
{
    int most = wide->node_count - 1;
    for (int i = 0; i < bn_hierarchy_group_count(wide->hierarchy, BN_LEVEL_SWITCH); i++) {
        int here = bn_hierarchy_subgroup_count(wide->hierarchy, BN_LEVEL_SWITCH, i, BN_LEVEL_NODE);
        int slabs = here * (wide->node_count - here);
        most = slabs > most ? slabs : most;
    }
    return most;
}

/* The same on all members, since all know all sizes */
static size_t all_bytes(const struct bn_wide *wide, const struct bn_slabs *slabs)
{
    size_t nbytes = 0;
    for (int rank = 0; rank < wide->size; rank++)
        nbytes += bn_slabs_block_bytes(slabs, rank);
    return nbytes;
}

static bool takes_ring(const struct bn_wide *wide, const struct bn_slabs *slabs)
{
    const struct bn_network *network = wide->network;
    double n = (double)all_bytes(wide, slabs) / wide->node_count, o = (double)network->message_bytes;
    double piece = n < (double)network->fragment_bytes ? n : (double)network->fragment_bytes;
    double hop = (double)network->latency_bytes + piece + o;
    int hops = wide->node_count - 2;
    return hops > 0 && (wide->node_count - 1) * (n + o) + hops * hop < most_past_a_switch(wide) * (n + o);
}

/* Gathers the blocks of this node at all its members */
static bn_status_t gather_near(struct bn_wide *wide, const struct bn_call *call, const struct bn_slabs *slabs)
{
    const struct bn_block_table near = bn_wide_near_parts(wide, 0, slabs->parts, slabs->nbytes);
    return bn_wide_near(wide, BN_GATHER_ALL_V,
                        (struct bn_call){.src = call->src,
                                         .dst = (uint64_t)slabs->blocks,
                                         .nbytes = call->nbytes,
                                         .dst_parts = &near,
                                         .own_bytes = bn_slabs_block_bytes(slabs, wide->rank)});
}

/* These functions handle a run in pieces: begin to send or receive it, at leaders, or copy it on the node. */
static bool send_run(struct bn_wide *wide, int to, const struct bn_slab_run *run)
{
    size_t piece = wide->network->fragment_bytes;
    for (size_t done = 0; done < run->nbytes; done += piece)
        if (!bn_wide_send(wide, to, run->data + done, run->nbytes - done < piece ? run->nbytes - done : piece))
            return false;
    return true;
}

static bool receive_run(struct bn_wide *wide, int from, const struct bn_slab_run *run)
{
    size_t piece = wide->network->fragment_bytes;
    for (size_t done = 0; done < run->nbytes; done += piece)
        if (!bn_wide_receive(wide, from, run->data + done, run->nbytes - done < piece ? run->nbytes - done : piece))
            return false;
    return true;
}

/* message_p: the message with the first piece, at leaders; next: the leader to forward it to, or -1 */
static bn_status_t copy_run(struct bn_wide *wide, const struct bn_slab_run *run, size_t *message_p, int next)
{
    size_t piece = wide->network->fragment_bytes;
    bn_status_t status = BN_OK;
    for (size_t done = 0; status == BN_OK && done < run->nbytes; done += piece) {
        uint64_t data = (uint64_t)(run->data + done);
        size_t nbytes = run->nbytes - done < piece ? run->nbytes - done : piece;
        if (bn_wide_is_leader(wide)) {
            bn_wide_await(wide, *message_p, *message_p + 1);
            ++*message_p;
            if (next >= 0 && !bn_wide_send(wide, next, run->data + done, nbytes))
                return BN_ERR_MEMORY;
        }
        status = bn_wide_near(
            wide, BN_BROADCAST,
            (struct bn_call){.src = data, .dst = data, .nbytes = nbytes, .root = bn_wide_near_leader(wide)});
    }
    return status;
}

static bool receive_slabs(struct bn_wide *wide, const struct bn_slabs *slabs, bool is_ring)
{
    struct bn_node before = bn_wide_node_behind(wide, wide->node_count - 1);
    for (int distance = 1; distance < wide->node_count; distance++) {
        struct bn_node from = bn_wide_node_behind(wide, wide->node_count - distance);
        struct bn_slab_run run = {.position = from.begin};
        while (bn_slabs_next_run(slabs, &from, &run))
            if (!receive_run(wide, is_ring ? before.leader : from.leader, &run))
                return false;
    }
    return true;
}

static bool send_slab(struct bn_wide *wide, const struct bn_slabs *slabs, bool is_ring)
{
    for (int distance = 1; distance < (is_ring ? 2 : wide->node_count); distance++) {
        struct bn_node to = bn_wide_node_behind(wide, distance);
        struct bn_slab_run run = {.position = wide->mine.begin};
        while (bn_slabs_next_run(slabs, &wide->mine, &run))
            if (!send_run(wide, to.leader, &run))
                return false;
    }
    return true;
}

static bn_status_t copy_slabs(struct bn_wide *wide, const struct bn_slabs *slabs, bool is_ring)
{
    int next = bn_wide_node_behind(wide, 1).leader;
    size_t message = 0;
    bn_status_t status = BN_OK;
    for (int distance = 1; distance < wide->node_count; distance++) {
        struct bn_node from = bn_wide_node_behind(wide, wide->node_count - distance);
        struct bn_slab_run run = {.position = from.begin};
        while (status == BN_OK && bn_slabs_next_run(slabs, &from, &run))
            status = copy_run(wide, &run, &message, is_ring && distance < wide->node_count - 1 ? next : -1);
    }
    return status;
}

static bn_status_t gather_by_messages(struct bn_wide *wide, const struct bn_call *call, const struct bn_slabs *slabs)
{
    bool is_ring = takes_ring(wide, slabs);
    if (bn_wide_is_leader(wide) && !receive_slabs(wide, slabs, is_ring))
        return BN_ERR_MEMORY;
    bn_status_t status = gather_near(wide, call, slabs);
    if (status != BN_OK)
        return status;
    if (bn_wide_is_leader(wide) && !send_slab(wide, slabs, is_ring))
        return BN_ERR_MEMORY;
    return copy_slabs(wide, slabs, is_ring);
}

/* By a collective of leaders; slabs are contiguous. */
static bn_status_t gather_in_circle(struct bn_wide *wide, const struct bn_call *call, const struct bn_slabs *slabs)
{
    bn_status_t status = gather_near(wide, call, slabs);
    size_t *bytes = (size_t *)bn_wide_room(wide, 2, 2 * (size_t)wide->node_count * sizeof *bytes);
    if (status != BN_OK || !bytes)
        return status != BN_OK ? status : BN_ERR_MEMORY;
    size_t *offsets = bytes + wide->node_count, begin = 0;
    for (int index = 0; index < wide->node_count; index++, begin += bytes[index - 1]) {
        const struct bn_node node = bn_wide_node(wide, index);
        bytes[index] = bn_slabs_bytes(slabs, &node);
        offsets[index] = begin;
    }
    if (bn_wide_is_leader(wide)) {
        if (!bn_circle_gather_all(wide, slabs->blocks, (struct bn_circle_parts){bytes, offsets}))
            return BN_ERR_MEMORY;
        bn_wide_await_all(wide);
    }
    size_t own_begin = offsets[wide->mine.index], own_end = own_begin + bytes[wide->mine.index];
    if (own_begin > 0)
        status = bn_wide_broadcast_near(wide, bn_wide_near_leader(wide), slabs->blocks, own_begin);
    if (status == BN_OK && own_end < begin)
        status = bn_wide_broadcast_near(wide, bn_wide_near_leader(wide), slabs->blocks + own_end, begin - own_end);
    return status;
}

/* Gathers into a room in the order of positions, so that a slab is one run */
static bn_status_t gather_packed(struct bn_wide *wide, const struct bn_call *call, const struct bn_slabs *slabs,
                                 bool is_circle)
{
    size_t *tables = (size_t *)bn_wide_room(wide, 1, 2 * (size_t)wide->size * sizeof *tables);
    if (!tables)
        return BN_ERR_MEMORY;
    const struct bn_block_table places = {tables, tables + wide->size};
    size_t total_bytes = 0;
    for (int position = 0; position < wide->size; position++) {
        int rank = bn_hierarchy_member_at(wide->hierarchy, position);
        tables[rank] = bn_slabs_block_bytes(slabs, rank);
        tables[wide->size + rank] = total_bytes;
        total_bytes += tables[rank];
    }
    const struct bn_slabs packed = {wide, bn_wide_room(wide, 0, total_bytes), &places, slabs->nbytes, true};
    if (!packed.blocks)
        return BN_ERR_MEMORY;
    bn_status_t status = is_circle ? gather_in_circle(wide, call, &packed) : gather_by_messages(wide, call, &packed);
    for (int index = 0; status == BN_OK && index < wide->node_count; index++) {
        struct bn_node node = bn_wide_node(wide, index);
        bn_slabs_unpack(slabs, &node, packed.blocks + tables[wide->size + bn_wide_first(wide, &node)]);
    }
    return status;
}

bn_status_t bn_wide_gather_all(struct bn_wide *wide, const struct bn_call *call)
{
    bool is_dense = !call->dst_parts && wide->hierarchy->is_in_member_order;
    const struct bn_slabs slabs = {wide, (unsigned char *)call->dst, call->dst_parts, call->nbytes, is_dense};
    bool is_circle = wide->circle && all_bytes(wide, &slabs) <= BN_MESSAGE_BYTES;
    if (!is_dense && (is_circle || call->nbytes <= SMALL_BLOCK_BYTES))
        return gather_packed(wide, call, &slabs, is_circle);
    return is_circle ? gather_in_circle(wide, call, &slabs) : gather_by_messages(wide, call, &slabs);
}
