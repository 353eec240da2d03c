/*
 * combine_scatter.c: reduce-scatter: each member gets a part of the combined vector; a node combines the parts of its
 * members and hands them out.
 *
 * If the ranks of a node are not consecutive, nodes combine their vectors unchanged, and leaders reorder the parts by
 * nodes before they send them.
 */
#include "wide/combine_parts.h"

#include <string.h>

/* A table of size + 1 entries: for each position, the number of elements of all members at earlier positions */
static size_t *find_places(struct bn_wide *wide, const struct bn_call *call)
{
    size_t *places = (size_t *)bn_wide_room(wide, 2, (2 * (size_t)wide->size + 3) * sizeof *places);
    if (!places)
        return NULL;
    places[0] = 0;
    for (int position = 0; position < wide->size; position++)
        places[position + 1] =
            places[position] + call->vector->counts[bn_hierarchy_member_at(wide->hierarchy, position)];
    return places;
}

/* Reorders a vector from the order of ranks to the order of positions */
static void reorder(const struct bn_wide *wide, const struct bn_call *call, const size_t *places, unsigned char *to,
                    const unsigned char *from)
{
    size_t element_bytes = call->vector->element_bytes;
    for (int rank = 0; rank < wide->size; rank++) {
        size_t nbytes = call->vector->counts[rank] * element_bytes;
        memcpy(to + places[bn_hierarchy_position_of(wide->hierarchy, rank)] * element_bytes, from, nbytes);
        from += nbytes;
    }
}

static bn_status_t send_reordered(struct bn_combine_parts *parts, const size_t *places)
{
    struct bn_wide *wide = parts->wide;
    const struct bn_call *call = parts->call;
    bool is_leader = bn_wide_is_leader(wide);
    unsigned char *in_order_of_ranks = is_leader ? bn_wide_room(wide, 3, call->nbytes) : NULL;
    if (is_leader && !in_order_of_ranks)
        return BN_ERR_MEMORY;
    bn_status_t status = bn_wide_combine_near(wide, call, (struct bn_elements){0, call->vector->count},
                                              bn_wide_near_leader(wide), in_order_of_ranks);
    if (!is_leader || status != BN_OK)
        return status;
    reorder(wide, call, places, parts->sums, in_order_of_ranks);
    for (int distance = 1; distance < wide->node_count; distance++) {
        const struct bn_node to = bn_wide_node_behind(wide, distance);
        struct bn_elements part = bn_combine_part(parts, to.index), piece;
        size_t piece_count = bn_combine_piece_count(parts);
        for (size_t i = 0; piece = bn_elements_piece(part, piece_count, i), piece.count > 0; i++)
            if (!bn_wide_send(wide, to.leader, bn_elements_at(call, (uint64_t)parts->sums, piece),
                              bn_elements_bytes(call, piece)))
                return BN_ERR_MEMORY;
    }
    return BN_OK;
}

/* Delivers the result of this node's part, which replaces its sum, to the members that get it */
static bn_status_t hand_out(struct bn_combine_parts *parts, const size_t *places)
{
    struct bn_wide *wide = parts->wide;
    const struct bn_call *call = parts->call;
    size_t element_bytes = call->vector->element_bytes;
    struct bn_elements own = bn_combine_part(parts, wide->mine.index), piece;
    struct bn_call near = {.dst = call->dst,
                           .nbytes = 1,
                           .root = bn_wide_near_leader(wide),
                           .own_bytes = call->vector->counts[wide->rank] * element_bytes};
    size_t *bytes = wide->near_tables, *offsets = bytes + bn_wide_near_size(wide);
    const struct bn_block_table near_parts = {bytes, offsets};
    if (parts->sums) {
        size_t piece_count = bn_combine_piece_count(parts);
        unsigned char *result = bn_combine_own_place(parts);
        near.src = (uint64_t)result;
        near.src_parts = &near_parts;
        for (size_t i = 0; piece = bn_elements_piece(own, piece_count, i), piece.count > 0; i++)
            bn_combine_parts_finish(parts, i, result + (piece.first - own.first) * element_bytes);
        for (int i = 0; i < bn_wide_near_size(wide); i++) {
            const size_t *place = places + wide->mine.begin + i;
            bytes[i] = (place[1] - place[0]) * element_bytes;
            offsets[i] = (place[0] - own.first) * element_bytes;
        }
    }
    return own.count > 0 ? bn_wide_near(wide, BN_SCATTER_V, near) : BN_OK;
}

bn_status_t bn_wide_combine_scatter(struct bn_wide *wide, const struct bn_call *call)
{
    size_t *places = find_places(wide, call);
    if (!places)
        return BN_ERR_MEMORY;
    size_t *begin = places + wide->size + 1;
    for (int node = 0; node < wide->node_count; node++)
        begin[node] = places[bn_wide_node(wide, node).begin];
    begin[wide->node_count] = call->vector->count;
    struct bn_combine_parts parts = {.wide = wide, .call = call, .root = BN_LEADERS, .begin = begin};
    if (bn_wide_is_leader(wide) && !bn_combine_parts_open(&parts))
        return BN_ERR_MEMORY;
    bn_status_t status =
        wide->hierarchy->is_in_member_order ? bn_combine_parts_send(&parts) : send_reordered(&parts, places);
    return status == BN_OK ? hand_out(&parts, places) : status;
}
