#include "upc/io/move.h"

#include <errno.h>
#include <stdlib.h>

enum {
    DIRECT_BYTES = 2048, /* pieces of memory of this size or more are moved without a copy (docs/tuning/libraries.md) */
    FEW_PIECES = 8,      /* up to this many pieces are moved directly, however small they are */
    GAP_BYTES = 4096,    /* reading this much needlessly is cheaper than a system call */
};

struct move {
    struct bn_storage *storage;
    enum bn_io_direction direction;
    struct bn_io_memory memory;
    struct bn_io_file_place place;
    struct bn_io_buffer *buffer;
    int64_t moved;
    bool has_ended; /* the end of the file was reached */
};

static bool has_near_range_behind(const struct bn_io_file_place *place)
{
    struct bn_io_file_place behind = *place;
    int64_t end = place->offset + (int64_t)place->range_bytes;
    bn_io_file_advance(&behind, behind.range_bytes);
    return behind.range_bytes > 0 && behind.offset - end <= GAP_BYTES;
}

static bool is_direct(const struct move *move, int count, bn_u64 bytes)
{
    if (count == 0)
        return false;
    if (bytes >= (bn_u64)count * DIRECT_BYTES)
        return true;
    return bytes == move->place.range_bytes && count <= FEW_PIECES &&
           (move->direction == BN_IO_WRITE || !has_near_range_behind(&move->place));
}

static int move_directly(struct move *move, struct iovec *pieces, int count, bn_u64 bytes)
{
    size_t moved;
    int error = move->direction == BN_IO_READ
                    ? bn_storage_read(move->storage, move->place.offset, pieces, count, &moved)
                    : bn_storage_write(move->storage, move->place.offset, pieces, count, &moved);
    move->moved += (int64_t)moved;
    move->has_ended = moved < bytes;
    if (!move->has_ended)
        bn_io_file_advance(&move->place, bytes);
    return error;
}

/* Length of the part of the file to read into the buffer: ranges, and small gaps between them */
static bn_u64 window_bytes(const struct move *move)
{
    struct bn_io_file_place place = move->place;
    int64_t first = place.offset;
    int64_t end = first;
    int64_t limit =
        INT64_MAX - first < (int64_t)move->buffer->size_bytes ? INT64_MAX : first + (int64_t)move->buffer->size_bytes;
    while (place.range_bytes > 0 && place.offset < limit && place.offset - end <= GAP_BYTES) {
        int64_t range_end = place.offset + (int64_t)place.range_bytes;
        if (range_end > end)
            end = range_end;
        bn_io_file_advance(&place, place.range_bytes);
    }
    return (bn_u64)((end < limit ? end : limit) - first);
}

static int read_through_buffer(struct move *move)
{
    int64_t first = move->place.offset;
    bn_u64 window = window_bytes(move);
    struct iovec piece = {move->buffer->memory, window};
    size_t got;
    int error = bn_storage_read(move->storage, first, &piece, 1, &got);
    while (!move->has_ended && move->place.range_bytes > 0 && move->place.offset < first + (int64_t)window) {
        bn_u64 begin = (bn_u64)(move->place.offset - first);
        bn_u64 bytes = move->place.range_bytes < window - begin ? move->place.range_bytes : window - begin;
        bn_u64 there = begin < got ? got - begin : 0;
        move->has_ended = there < bytes;
        if (move->has_ended)
            bytes = there;
        bn_io_memory_scatter(&move->memory, move->buffer->memory + begin, bytes);
        bn_io_file_advance(&move->place, bytes);
        move->moved += (int64_t)bytes;
    }
    return error;
}

static int write_through_buffer(struct move *move)
{
    size_t size_bytes = move->buffer->size_bytes;
    bn_u64 bytes = move->place.range_bytes < size_bytes ? move->place.range_bytes : size_bytes;
    bn_io_memory_gather(&move->memory, move->buffer->memory, bytes);
    struct iovec piece = {move->buffer->memory, bytes};
    return move_directly(move, &piece, 1, bytes);
}

static bool has_memory(struct bn_io_buffer *buffer)
{
    if (!buffer->memory)
        buffer->memory = malloc(buffer->size_bytes);
    return buffer->memory != NULL;
}

static int step(struct move *move)
{
    struct iovec pieces[BN_STORAGE_PIECES];
    struct bn_io_memory ahead = move->memory;
    bn_u64 bytes;
    int count = bn_io_memory_take(&ahead, move->place.range_bytes, pieces, BN_STORAGE_PIECES, &bytes);
    if (is_direct(move, count, bytes)) {
        move->memory = ahead;
        return move_directly(move, pieces, count, bytes);
    }
    if (!has_memory(move->buffer))
        return ENOMEM;
    return move->direction == BN_IO_READ ? read_through_buffer(move) : write_through_buffer(move);
}

int bn_io_move(struct bn_storage *storage, enum bn_io_direction direction, struct bn_io_memory memory,
               const struct bn_io_ranges *ranges, struct bn_io_buffer *buffer, int64_t *moved_p)
{
    struct move move = {storage, direction, memory, bn_io_file_begin(ranges), buffer, 0, false};
    int error = 0;
    while (error == 0 && !move.has_ended && move.place.range_bytes > 0)
        error = step(&move);
    *moved_p = move.moved;
    return error;
}
