#include "wide/helpers.h"

#include "coll/run.h"

#include <stdlib.h>
#include <string.h>

bool bn_wide_init(struct bn_wide *wide, int rank, struct bn_team *near, const struct bn_hierarchy *hierarchy,
                  const struct bn_network *network)
{
    *wide = (struct bn_wide){
        .near = near,
        .rank = rank,
        .size = bn_hierarchy_member_count(hierarchy),
        .hierarchy = hierarchy,
        .network = network,
        .mine = bn_node_of(hierarchy, rank),
        .node_count = bn_hierarchy_group_count(hierarchy, BN_LEVEL_NODE),
    };
    wide->near_tables = calloc(4 * (size_t)bn_wide_near_size(wide), sizeof *wide->near_tables);
    return wide->near_tables != NULL;
}

void bn_wide_lead(struct bn_wide *wide, const int *leaders)
{
    wide->leaders = leaders;
    wide->mine = bn_wide_node(wide, wide->mine.index);
}

void bn_wide_destroy(struct bn_wide *wide)
{
    for (int room = 0; room < BN_WIDE_ROOMS; room++)
        free(wide->rooms[room].memory);
    free(wide->messages.list);
    free(wide->near_tables);
}

/* ---- The node's share ---- */

struct bn_block_table bn_wide_near_parts(struct bn_wide *wide, int table, const struct bn_block_table *parts,
                                         size_t nbytes)
{
    int size = bn_wide_near_size(wide);
    size_t *bytes = wide->near_tables + table * size, *offsets = bytes + size;
    for (int i = 0; i < size; i++) {
        int rank = bn_wide_rank_of_near(wide, i);
        bytes[i] = bn_wide_block_bytes(parts, nbytes, rank);
        offsets[i] = bn_wide_block_offset(parts, nbytes, rank);
    }
    return (struct bn_block_table){bytes, offsets};
}

bn_status_t bn_wide_near(struct bn_wide *wide, enum bn_operation operation, struct bn_call call)
{
    uint32_t entry = bn_record_begin(
        wide->record, (struct bn_record_entry){.kind = BN_RECORD_NEAR, .operation = operation, .nbytes = call.nbytes});
    call.in = call.out = BN_SYNC_MY;
    bn_status_t status = bn_operation_run(wide->near, operation, &call);
    bn_record_end(wide->record, entry);
    return status;
}

/* ---- Rooms ---- */

unsigned char *bn_wide_room(struct bn_wide *wide, int which, size_t nbytes)
{
    struct bn_wide_room *room = &wide->rooms[which];
    if (room->memory && room->size_bytes >= nbytes)
        return room->memory;
    free(room->memory);
    room->size_bytes = (nbytes + BN_LINE_BYTES) / BN_LINE_BYTES * BN_LINE_BYTES;
    room->memory = aligned_alloc(BN_LINE_BYTES, room->size_bytes);
    return room->memory;
}

static void release_large_rooms(struct bn_wide *wide)
{
    for (int which = 0; which < BN_WIDE_ROOMS; which++) {
        struct bn_wide_room *room = &wide->rooms[which];
        if (room->size_bytes <= BN_WIDE_ROOM_KEPT_BYTES)
            continue;
        free(room->memory);
        *room = (struct bn_wide_room){0};
    }
}

/* ---- Calls ---- */

bool bn_wide_can_run(const struct bn_wide *wide, enum bn_operation operation, bool keeps_order)
{
    return wide->hierarchy->is_in_member_order || (operation != BN_COMBINE_PREFIX && !keeps_order);
}

static bn_status_t dispatch(struct bn_wide *wide, enum bn_operation operation, const struct bn_call *call)
{
    switch (operation) {
    case BN_BROADCAST: return bn_wide_broadcast(wide, call);
    case BN_SCATTER:
    case BN_SCATTER_V: return bn_wide_scatter(wide, call, operation == BN_SCATTER_V);
    case BN_GATHER:
    case BN_GATHER_V: return bn_wide_gather(wide, call, operation == BN_GATHER_V);
    case BN_GATHER_ALL:
    case BN_GATHER_ALL_V: return bn_wide_gather_all(wide, call);
    case BN_EXCHANGE:
    case BN_EXCHANGE_V: return bn_wide_exchange(wide, call, operation == BN_EXCHANGE_V);
    case BN_COMBINE: return bn_wide_combine(wide, call);
    case BN_COMBINE_ALL: return bn_wide_combine_all(wide, call);
    case BN_COMBINE_SCATTER: return bn_wide_combine_scatter(wide, call);
    case BN_COMBINE_PREFIX: return bn_wide_combine_prefix(wide, call);
    default: return bn_wide_barrier(wide);
    }
}

bn_status_t bn_wide_run(struct bn_wide *wide, enum bn_operation operation, const struct bn_call *call)
{
    uint32_t entry = bn_record_begin(
        wide->record, (struct bn_record_entry){.kind = BN_RECORD_CALL, .operation = operation, .nbytes = call->nbytes});
    bn_status_t status = call->nbytes == 0 && operation != BN_BARRIER ? BN_OK : dispatch(wide, operation, call);
    bn_wide_await_all(wide);
    bn_record_end(wide->record, entry);
    release_large_rooms(wide);
    return status;
}
