/*
 * gather_all.c: each node's leader sends the blocks of its node to all other leaders at once, and each node copies what
 * comes from its leader, piece by piece.
 *
 * Slabs of many small blocks that do not follow each other travel packed, and each member puts their blocks where they
 * belong; all others come to where they stay.
 */
#include "wide/slabs.h"

enum { SMALL_BLOCK_BYTES = 8192 };

/* Blocks of this node, to all its members */
static bn_status_t gather_near(struct bn_wide *wide, const struct bn_call *call, const struct bn_slabs *slabs)
{
    const struct bn_parts near = bn_wide_near_parts(wide, 0, slabs->parts, slabs->nbytes);
    return bn_wide_near(wide, BN_GATHER_ALL_V,
                        (struct bn_call){.src = call->src,
                                         .dst = (uint64_t)slabs->blocks,
                                         .nbytes = call->nbytes,
                                         .dst_parts = &near,
                                         .own_bytes = bn_slabs_block_bytes(slabs, wide->rank)});
}

/* A run in pieces: begins to send or receive it, at leaders; or copies it on the node. */
static bool send_run(struct bn_wide *wide, int to, const struct bn_run *run)
{
    size_t piece = wide->network->fragment_bytes;
    for (size_t done = 0; done < run->nbytes; done += piece)
        if (!bn_wide_send(wide, to, run->data + done, run->nbytes - done < piece ? run->nbytes - done : piece))
            return false;
    return true;
}

static bool receive_run(struct bn_wide *wide, int from, const struct bn_run *run)
{
    size_t piece = wide->network->fragment_bytes;
    for (size_t done = 0; done < run->nbytes; done += piece)
        if (!bn_wide_receive(wide, from, run->data + done, run->nbytes - done < piece ? run->nbytes - done : piece))
            return false;
    return true;
}

/* message_p: the one that brings the first piece, at leaders */
static bn_status_t copy_run(struct bn_wide *wide, const struct bn_run *run, size_t *message_p)
{
    size_t piece = wide->network->fragment_bytes;
    bn_status_t status = BN_OK;
    for (size_t done = 0; status == BN_OK && done < run->nbytes; done += piece) {
        uint64_t data = (uint64_t)(run->data + done);
        size_t nbytes = run->nbytes - done < piece ? run->nbytes - done : piece;
        if (bn_wide_is_leader(wide)) {
            bn_wide_await(wide, *message_p, *message_p + 1);
            ++*message_p;
        }
        status = bn_wide_near(wide, BN_BROADCAST, (struct bn_call){.src = data, .dst = data, .nbytes = nbytes});
    }
    return status;
}

static bool receive_slabs(struct bn_wide *wide, const struct bn_slabs *slabs)
{
    for (int distance = 1; distance < wide->node_count; distance++) {
        struct bn_node from = bn_node_behind(wide->hierarchy, &wide->mine, wide->node_count - distance);
        struct bn_run run = {.position = from.begin};
        while (bn_slabs_next_run(slabs, &from, &run))
            if (!receive_run(wide, from.leader, &run))
                return false;
    }
    return true;
}

static bool send_slab(struct bn_wide *wide, const struct bn_slabs *slabs)
{
    for (int distance = 1; distance < wide->node_count; distance++) {
        struct bn_node to = bn_node_behind(wide->hierarchy, &wide->mine, distance);
        struct bn_run run = {.position = wide->mine.begin};
        while (bn_slabs_next_run(slabs, &wide->mine, &run))
            if (!send_run(wide, to.leader, &run))
                return false;
    }
    return true;
}

static bn_status_t copy_slabs(struct bn_wide *wide, const struct bn_slabs *slabs)
{
    size_t message = 0;
    bn_status_t status = BN_OK;
    for (int distance = 1; distance < wide->node_count; distance++) {
        struct bn_node from = bn_node_behind(wide->hierarchy, &wide->mine, wide->node_count - distance);
        struct bn_run run = {.position = from.begin};
        while (status == BN_OK && bn_slabs_next_run(slabs, &from, &run))
            status = copy_run(wide, &run, &message);
    }
    return status;
}

static bn_status_t gather_into(struct bn_wide *wide, const struct bn_call *call, const struct bn_slabs *slabs)
{
    if (bn_wide_is_leader(wide) && !receive_slabs(wide, slabs))
        return BN_ERR_MEMORY;
    bn_status_t status = gather_near(wide, call, slabs);
    if (status != BN_OK)
        return status;
    if (bn_wide_is_leader(wide) && !send_slab(wide, slabs))
        return BN_ERR_MEMORY;
    return copy_slabs(wide, slabs);
}

/* Into a room, in the order of positions, so that a slab is one run */
static bn_status_t gather_packed(struct bn_wide *wide, const struct bn_call *call, const struct bn_slabs *slabs)
{
    size_t *tables = (size_t *)bn_wide_room(wide, 1, 2 * (size_t)wide->size * sizeof *tables);
    if (!tables)
        return BN_ERR_MEMORY;
    const struct bn_parts places = {tables, tables + wide->size};
    size_t total_bytes = 0;
    for (int position = 0; position < wide->size; position++) {
        int rank = bn_hierarchy_member_at(wide->hierarchy, position);
        tables[rank] = bn_slabs_block_bytes(slabs, rank);
        tables[wide->size + rank] = total_bytes;
        total_bytes += tables[rank];
    }
    const struct bn_slabs packed = {wide, bn_wide_room(wide, 0, total_bytes), &places, slabs->nbytes, true};
    bn_status_t status = packed.blocks ? gather_into(wide, call, &packed) : BN_ERR_MEMORY;
    for (int index = 0; status == BN_OK && index < wide->node_count; index++) {
        struct bn_node node = bn_wide_node(wide, index);
        bn_slabs_unpack(slabs, &node, packed.blocks + tables[wide->size + node.leader]);
    }
    return status;
}

bn_status_t bn_wide_gather_all(struct bn_wide *wide, const struct bn_call *call)
{
    bool is_dense = !call->dst_parts && wide->hierarchy->is_in_member_order;
    const struct bn_slabs slabs = {wide, (unsigned char *)call->dst, call->dst_parts, call->nbytes, is_dense};
    return !is_dense && call->nbytes <= SMALL_BLOCK_BYTES ? gather_packed(wide, call, &slabs)
                                                          : gather_into(wide, call, &slabs);
}
