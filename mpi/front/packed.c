#include "front/packed.h"

#include "front/layout.h"

#include <limits.h>
#include <stdlib.h>

enum {
    KEPT_BYTES = 16 << 20, /* a larger copy is freed after the call */
    LEAST_BYTES = 4096,
};

static bool make_room(struct bn_room *room, size_t size_bytes)
{
    if (room->size_bytes >= size_bytes)
        return true;
    free(room->memory);
    room->size_bytes = size_bytes < LEAST_BYTES ? LEAST_BYTES : size_bytes;
    room->memory = malloc(room->size_bytes);
    if (!room->memory)
        room->size_bytes = 0;
    return room->memory != NULL;
}

/* As many of count elements as the library below can count the bytes of */
static int piece_of(MPI_Aint count, size_t size_bytes)
{
    MPI_Aint most = (MPI_Aint)(INT_MAX / size_bytes);
    return (int)(count < most ? count : most);
}

/* Between the program's memory and the copy, in pieces */
static void move(const struct bn_packed *packed, bool unpacks)
{
    const struct bn_layout *layout = bn_layout_of(packed->data.type);
    unsigned char *copy = packed->room->memory;
    MPI_Aint piece;
    for (MPI_Aint done = 0; done < packed->data.count; done += piece) {
        unsigned char *data = (unsigned char *)packed->data.buffer + done * layout->extent;
        int position = 0;
        piece = piece_of(packed->data.count - done, layout->size_bytes);
        int bytes = (int)((size_t)piece * layout->size_bytes);
        if (unpacks)
            below.Unpack(copy, bytes, &position, data, (int)piece, packed->data.type, below.self);
        else
            below.Pack(data, (int)piece, packed->data.type, copy, bytes, &position, below.self);
        copy += bytes;
    }
}

bool bn_pack_begin(struct bn_packed *packed, const struct bn_data *data, bool has_content, struct bn_room *room)
{
    const struct bn_layout *layout = bn_layout_of(data->type);
    *packed = (struct bn_packed){.data = *data};
    if (layout->is_contiguous) {
        packed->address = (uint64_t)data->buffer + (uint64_t)layout->true_lb;
        return true;
    }
    if (!make_room(room, layout->size_bytes * (size_t)data->count))
        return false;
    packed->room = room;
    packed->address = (uint64_t)room->memory;
    if (has_content)
        move(packed, false);
    return true;
}

void bn_pack_end(const struct bn_packed *packed, bool has_changed)
{
    struct bn_room *room = packed->room;
    if (!room)
        return;
    if (has_changed)
        move(packed, true);
    if (room->size_bytes > KEPT_BYTES) {
        free(room->memory);
        *room = (struct bn_room){0};
    }
}
