#include "front/packed.h"

#include "base/log.h"
#include "front/valid.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum {
    KEPT_BYTES = 16 << 20, /* a larger copy is freed after the call */
    LEAST_BYTES = 4096,
};

/* ---- The blocks of a side ---- */

/* Data of the program: count consecutive elements of a type */
struct data {
    unsigned char *address;
    MPI_Count count;
    MPI_Datatype type;
    const struct bn_layout *layout;
};

static MPI_Count number_of(const struct bn_args *args, const void *numbers, int rank)
{
    return args->is_large ? ((const MPI_Count *)numbers)[rank] : ((const int *)numbers)[rank];
}

/* Data with the type of a side, or of its first block if types differ; the layout is null if the type is invalid. */
static struct data typed_as(const struct bn_side *side)
{
    MPI_Datatype type = side->types ? side->types[0] : side->type;
    return (struct data){.type = type, .layout = bn_layout_of(type)};
}

/* Some libraries check the type of a block only if it has elements, so some programs pass null or uncommitted types for
 * empty blocks (MPI_Alltoallw). */
static const struct bn_layout *of_nothing(const struct data *data)
{
    static const struct bn_layout nothing = {.is_contiguous = true};
    return data->count == 0 && bn_takes_no_type() ? &nothing : NULL;
}

/* Turns data made by typed_as into the block of a rank, so that a common type is looked up only once. */
static void go_to(struct data *data, const struct bn_args *args, const struct bn_side *side, int rank)
{
    if (side->types) {
        data->type = side->types[rank];
        data->layout = bn_layout_of(data->type);
    }
    data->count = side->counts ? number_of(args, side->counts, rank) : side->count;
    if (!data->layout && side->types)
        data->layout = of_nothing(data);
    if (!data->layout)
        return;
    MPI_Count offset = side->counts && side->offsets ? number_of(args, side->offsets, rank) : rank * side->count;
    data->address = (unsigned char *)side->buffer + offset * (side->types ? 1 : data->layout->extent);
}

static struct data block_of(const struct bn_args *args, const struct bn_side *side, int rank)
{
    struct data data = typed_as(side);
    go_to(&data, args, side, rank);
    return data;
}

/* The only block of a side, or all blocks as one if they are equal */
static struct data run_of(const struct bn_packed *packed)
{
    struct data data = block_of(packed->args, packed->side, 0);
    if (packed->blocks == BN_ALL_BLOCKS)
        data.count *= packed->args->communicator->size;
    return data;
}

static size_t bytes_of(const struct data *data)
{
    return data->layout->size_bytes * (size_t)data->count;
}

/* Where the bytes of contiguous data begin */
static unsigned char *begin_of(const struct data *data)
{
    return data->address + data->layout->true_lb;
}

static bool is_right(const struct data *data)
{
    if (!data->layout || data->count < 0)
        return false;
    return bytes_of(data) == 0 || !data->layout->is_contiguous || begin_of(data) != NULL;
}

bool bn_side_measure(const struct bn_args *args, const struct bn_side *side, enum bn_blocks blocks, size_t *nbytes_p)
{
    bool differ = blocks == BN_ALL_BLOCKS && (side->counts || side->types);
    *nbytes_p = 0;
    if (blocks == BN_NO_BLOCK)
        return true;
    struct data data = typed_as(side);
    for (int rank = 0; rank < (differ ? args->communicator->size : 1); rank++) {
        go_to(&data, args, side, rank);
        if (!is_right(&data))
            return false;
        *nbytes_p += bytes_of(&data);
    }
    return true;
}

size_t bn_side_block_bytes(const struct bn_args *args, const struct bn_side *side, int rank)
{
    const struct data data = block_of(args, side, side->counts ? rank : 0);
    return bytes_of(&data);
}

/* ---- Copies ---- */

void *bn_room_get(struct bn_room *room, size_t size_bytes)
{
    if (room->memory && room->size_bytes >= size_bytes)
        return room->memory;
    free(room->memory);
    room->size_bytes = size_bytes < LEAST_BYTES ? LEAST_BYTES : size_bytes;
    room->memory = malloc(room->size_bytes);
    return room->memory;
}

void bn_room_done(struct bn_room *room)
{
    if (room->size_bytes <= KEPT_BYTES)
        return;
    free(room->memory);
    *room = (struct bn_room){0};
}

/* The same data with a non-null address, since some libraries cannot pack from MPI_BOTTOM.  Its type must be freed. */
static struct data without_bottom(struct data data)
{
    int one = 1;
    MPI_Aint offset = -data.layout->true_lb;
    bn_below.Type_create_hindexed(1, &one, &offset, data.type, &data.type);
    bn_below.Type_commit(&data.type);
    data.address += data.layout->true_lb;
    return data;
}

/* False: its runs are not known, and MPI_Pack cannot count the bytes of one element. */
static bool can_move(const struct data *data)
{
    const struct bn_layout *layout = data->layout;
    bool can = layout->is_contiguous || layout->runs.count > 0 || layout->size_bytes <= INT_MAX || data->count == 0;
    if (!can)
        bn_log_error("a datatype with more than 2 GiB in one element cannot be packed");
    return can;
}

/* Packs or unpacks with the library below, in pieces small enough for its byte counts. */
static void move_by_mpi(struct data data, unsigned char *copy, bool unpacks)
{
    size_t size_bytes = data.layout->size_bytes;
    MPI_Count most = (MPI_Count)(INT_MAX / size_bytes);
    while (data.count > 0) {
        int count = (int)(data.count < most ? data.count : most);
        int bytes = (int)((size_t)count * size_bytes);
        int position = 0;
        if (unpacks)
            bn_below.Unpack(copy, bytes, &position, data.address, count, data.type, bn_below.self);
        else
            bn_below.Pack(data.address, count, data.type, copy, bytes, &position, bn_below.self);
        copy += bytes;
        data.address += count * data.layout->extent;
        data.count -= count;
    }
}

static void move_gaps(struct data data, unsigned char *copy, bool unpacks)
{
    if (data.layout->runs.count > 0) {
        bn_runs_copy(&data.layout->runs, data.layout->extent, data.address, data.count, copy, unpacks);
    } else if (data.address) {
        move_by_mpi(data, copy, unpacks);
    } else {
        data = without_bottom(data);
        move_by_mpi(data, copy, unpacks);
        bn_below.Type_free(&data.type);
    }
}

static void move(struct data data, unsigned char *copy, bool unpacks)
{
    if (data.layout->size_bytes == 0 || data.count == 0)
        return;
    if (data.layout->is_contiguous)
        memcpy(unpacks ? begin_of(&data) : copy, unpacks ? copy : begin_of(&data), bytes_of(&data));
    else
        move_gaps(data, copy, unpacks);
}

void bn_pack_elements(MPI_Datatype type, const struct bn_layout *layout, void *address, MPI_Count count, void *packed,
                      bool unpacks)
{
    move((struct data){.address = address, .count = count, .type = type, .layout = layout}, packed, unpacks);
}

static void move_all(const struct bn_packed *packed, bool unpacks)
{
    unsigned char *copy = packed->room->memory;
    if (!packed->parts.bytes) {
        move(run_of(packed), copy, unpacks);
        return;
    }
    struct data data = typed_as(packed->side);
    for (int rank = 0; rank < packed->args->communicator->size; rank++) {
        go_to(&data, packed->args, packed->side, rank);
        move(data, copy + packed->parts.offsets[rank], unpacks);
    }
}

static bool begin_copy(struct bn_packed *packed, struct bn_room *room, size_t size_bytes, bool has_content)
{
    if (!bn_room_get(room, size_bytes))
        return false;
    packed->room = room;
    packed->address = (uint64_t)room->memory;
    if (has_content)
        move_all(packed, false);
    return true;
}

/* ---- A side as bytes ---- */

static bool begin_run(struct bn_packed *packed, struct bn_room *room, struct bn_packing packing)
{
    const struct data data = run_of(packed);
    if (data.layout->is_contiguous && !packing.must_copy) {
        packed->address = (uint64_t)begin_of(&data);
        return true;
    }
    return can_move(&data) && begin_copy(packed, room, bytes_of(&data), packing.has_content);
}

/* Blocks in the program's memory have offsets from the first non-empty one, so the address is valid even for
 * MPI_BOTTOM. */
static bool begin_parts(struct bn_packed *packed, struct bn_room *room, size_t *tables, struct bn_packing packing)
{
    int size = packed->args->communicator->size;
    size_t *bytes = tables, *offsets = tables + size;
    size_t total_bytes = 0;
    bool needs_copy = packing.must_copy, can_copy = true;
    packed->parts = (struct bn_block_table){bytes, offsets};
    packed->address = (uint64_t)tables; /* any non-null address, if all blocks are empty */
    struct data data = typed_as(packed->side);
    for (int rank = 0; rank < size; rank++) {
        go_to(&data, packed->args, packed->side, rank);
        bytes[rank] = bytes_of(&data);
        if (bytes[rank] > 0 && total_bytes == 0)
            packed->address = (uint64_t)begin_of(&data);
        offsets[rank] = bytes[rank] > 0 ? (uint64_t)begin_of(&data) - packed->address : 0;
        total_bytes += bytes[rank];
        needs_copy |= bytes[rank] > 0 && !data.layout->is_contiguous;
        can_copy &= can_move(&data);
    }
    if (!needs_copy)
        return true;
    for (int rank = 0, before = 0; rank < size; before = rank++)
        offsets[rank] = rank == 0 ? 0 : offsets[before] + bytes[before];
    return can_copy && begin_copy(packed, room, total_bytes, packing.has_content);
}

bool bn_pack_begin(struct bn_packed *packed, const struct bn_args *args, const struct bn_side *side, int which,
                   struct bn_packing packing)
{
    struct bn_communicator *communicator = args->communicator;
    struct bn_room *room = &communicator->rooms[which];
    *packed = (struct bn_packed){.args = args, .side = side, .blocks = packing.blocks};
    if (packing.blocks == BN_NO_BLOCK)
        return true;
    if (packing.blocks == BN_ONE_BLOCK || !side->counts)
        return begin_run(packed, room, packing);
    return begin_parts(packed, room, communicator->tables + which * 2 * communicator->size, packing);
}

bool bn_pack_aside(struct bn_packed *packed, const struct bn_args *args, enum bn_blocks blocks, int which,
                   size_t nbytes)
{
    size_t count = blocks == BN_ALL_BLOCKS ? (size_t)args->communicator->size : 1;
    *packed = (struct bn_packed){.args = args, .blocks = blocks};
    return begin_copy(packed, &args->communicator->rooms[which], count * nbytes, false);
}

void bn_pack_end(const struct bn_packed *packed, bool has_changed)
{
    if (!packed->room)
        return;
    if (has_changed)
        move_all(packed, true);
    bn_room_done(packed->room);
}
