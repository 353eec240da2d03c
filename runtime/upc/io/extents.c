#include "upc/io/extents.h"

#include "platform/copy.h"

#include <string.h>

/* ---- Memory ---- */

struct bn_io_region bn_io_region_private(const void *address, size_t bytes)
{
    return (struct bn_io_region){.address = (bn_u64)address, .bytes = bytes};
}

struct bn_io_region bn_io_region_shared(bn_pts_t start, size_t block_bytes, size_t bytes)
{
    struct bn_io_region region = {start.addr, start.thread, block_bytes, bytes};
    if (bytes <= block_bytes || bn_threads() == 1)
        region.block_bytes = 0;
    return region;
}

struct bn_io_region bn_io_region_part(const struct bn_io_region *region, bn_u64 first, bn_u64 bytes)
{
    if (region->block_bytes == 0)
        return (struct bn_io_region){region->address + first, region->thread, 0, bytes};
    bn_pts_t start = {region->address, (bn_u32)region->thread, 0};
    return bn_io_region_shared(bn_add_block(start, (bn_i64)first, region->block_bytes, 1), region->block_bytes, bytes);
}

static void enter_region(struct bn_io_memory *memory)
{
    while (memory->count > 0 && memory->regions->bytes == 0) {
        memory->regions++;
        memory->count--;
    }
    if (memory->count == 0) {
        memory->region_bytes = memory->extent_bytes = 0;
        return;
    }
    const struct bn_io_region *region = memory->regions;
    memory->region_bytes = region->bytes;
    memory->address = region->address;
    memory->thread = region->thread;
    bool is_one = region->block_bytes == 0 || region->block_bytes > region->bytes;
    memory->extent_bytes = is_one ? region->bytes : region->block_bytes;
}

struct bn_io_memory bn_io_memory_begin(const struct bn_io_region *regions, size_t count)
{
    struct bn_io_memory memory = {.regions = regions, .count = count};
    enter_region(&memory);
    return memory;
}

static void enter_next_region(struct bn_io_memory *memory)
{
    memory->regions++;
    memory->count--;
    enter_region(memory);
}

static void enter_next_block(struct bn_io_memory *memory)
{
    bn_u64 block_bytes = memory->regions->block_bytes;
    /* The address is just after a block.  The next thread's block lies at the same offset as that block; after the last
     * thread, the next block follows on thread 0. */
    if (++memory->thread < (bn_u64)bn_threads()) {
        memory->address += bn_stride(1) - block_bytes;
    } else {
        memory->thread = 0;
        memory->address -= bn_stride((bn_u64)bn_threads() - 1);
    }
    memory->extent_bytes = block_bytes < memory->region_bytes ? block_bytes : memory->region_bytes;
}

void bn_io_memory_advance(struct bn_io_memory *memory, bn_u64 bytes)
{
    memory->address += bytes;
    memory->extent_bytes -= bytes;
    memory->region_bytes -= bytes;
    if (memory->extent_bytes > 0)
        return;
    if (memory->region_bytes > 0)
        enter_next_block(memory);
    else if (memory->count > 0)
        enter_next_region(memory);
}

int bn_io_memory_take(struct bn_io_memory *memory, bn_u64 bytes, struct iovec *pieces, int count, bn_u64 *taken_p)
{
    int taken = 0;
    *taken_p = 0;
    while (taken < count && *taken_p < bytes && memory->extent_bytes > 0 &&
           bn_is_mapped((const void *)memory->address)) {
        bn_u64 now = memory->extent_bytes < bytes - *taken_p ? memory->extent_bytes : bytes - *taken_p;
        pieces[taken++] = (struct iovec){(void *)memory->address, now};
        bn_io_memory_advance(memory, now);
        *taken_p += now;
    }
    return taken;
}

bool bn_io_memory_is_mapped(const struct bn_io_region *regions, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct bn_io_memory memory = bn_io_memory_begin(&regions[i], 1);
        for (int thread = 0; thread < bn_threads() && memory.extent_bytes > 0; thread++) {
            if (!bn_is_mapped((const void *)memory.address))
                return false;
            bn_io_memory_advance(&memory, memory.extent_bytes);
        }
    }
    return true;
}

/* Copies between mapped memory and a buffer.  Callers pass constants, so that the compiler makes a separate loop for
 * each case. */
static inline void copy(unsigned char *memory, unsigned char *buffer, bn_u64 bytes, bool is_scatter)
{
    if (is_scatter)
        memcpy(memory, buffer, bytes);
    else
        memcpy(buffer, memory, bytes);
}

/* Copies blocks that are adjacent in memory and distance_bytes apart in the buffer. */
static inline void copy_column(unsigned char *memory, unsigned char *buffer, bn_u64 distance_bytes, bn_u64 block_bytes,
                               bn_u64 count, bool is_scatter)
{
    for (bn_u64 i = 0; i < count; i++)
        copy(memory + i * block_bytes, buffer + i * distance_bytes, block_bytes, is_scatter);
}

static inline void copy_column_of_any(unsigned char *memory, unsigned char *buffer, bn_u64 distance_bytes,
                                      bn_u64 block_bytes, bn_u64 count, bool is_scatter)
{
    switch (block_bytes) {
    case 1: copy_column(memory, buffer, distance_bytes, 1, count, is_scatter); break;
    case 2: copy_column(memory, buffer, distance_bytes, 2, count, is_scatter); break;
    case 4: copy_column(memory, buffer, distance_bytes, 4, count, is_scatter); break;
    case 8: copy_column(memory, buffer, distance_bytes, 8, count, is_scatter); break;
    case 16: copy_column(memory, buffer, distance_bytes, 16, count, is_scatter); break;
    default: copy_column(memory, buffer, distance_bytes, block_bytes, count, is_scatter);
    }
}

/* The same for memory of another node: many small blocks travel in one message. */
static void copy_far_column(unsigned char *memory, unsigned char *buffer, bn_u64 distance_bytes, bn_u64 block_bytes,
                            bn_u64 count, bool is_scatter)
{
    enum { PACKET_BYTES = 32 << 10 };
    unsigned char packet[PACKET_BYTES];
    bn_u64 in_packet = PACKET_BYTES / block_bytes;
    for (bn_u64 done = 0, now; done < count; done += now, buffer += now * distance_bytes, memory += now * block_bytes) {
        now = in_packet < 1 ? 1 : in_packet < count - done ? in_packet : count - done;
        if (in_packet < 1 && is_scatter) {
            bn_copy(memory, buffer, block_bytes);
        } else if (in_packet < 1) {
            bn_copy(buffer, memory, block_bytes);
        } else if (is_scatter) {
            copy_column_of_any(packet, buffer, distance_bytes, block_bytes, now, true);
            bn_copy(memory, packet, now * block_bytes);
        } else {
            bn_copy(packet, memory, now * block_bytes);
            copy_column_of_any(packet, buffer, distance_bytes, block_bytes, now, false);
        }
    }
}

/* Copies rows, each with one block of every thread, thread by thread, since a thread's blocks are contiguous.  The
 * position must be at the beginning of a block. */
static inline void copy_rows(struct bn_io_memory *memory, unsigned char *buffer, bn_u64 rows, bool is_scatter)
{
    bn_u64 block_bytes = memory->regions->block_bytes;
    bn_u64 threads = (bn_u64)bn_threads();
    bn_u64 address = memory->address;
    bn_u64 thread = memory->thread;
    for (bn_u64 i = 0; i < threads; i++) {
        unsigned char *column = (unsigned char *)address;
        if (bn_is_mapped(column))
            copy_column_of_any(column, buffer + i * block_bytes, threads * block_bytes, block_bytes, rows, is_scatter);
        else
            copy_far_column(column, buffer + i * block_bytes, threads * block_bytes, block_bytes, rows, is_scatter);
        if (++thread < threads) {
            address += bn_stride(1);
        } else {
            thread = 0;
            address += block_bytes - bn_stride(threads - 1);
        }
    }
    memory->address += rows * block_bytes;
    memory->region_bytes -= rows * threads * block_bytes;
    if (memory->region_bytes > 0)
        memory->extent_bytes = block_bytes < memory->region_bytes ? block_bytes : memory->region_bytes;
    else
        enter_next_region(memory);
}

/* Number of whole rows within the next bytes; 0 if the position is not at the beginning of a block */
static bn_u64 whole_rows(const struct bn_io_memory *memory, bn_u64 bytes)
{
    if (memory->count == 0 || memory->regions->block_bytes == 0 || memory->extent_bytes != memory->regions->block_bytes)
        return 0;
    bn_u64 there = memory->region_bytes < bytes ? memory->region_bytes : bytes;
    return there / memory->regions->block_bytes / (bn_u64)bn_threads();
}

static inline void copy_extents(struct bn_io_memory *memory, unsigned char *buffer, bn_u64 bytes, bool is_scatter)
{
    while (bytes > 0) {
        bn_u64 rows = whole_rows(memory, bytes);
        bn_u64 now = memory->extent_bytes < bytes ? memory->extent_bytes : bytes;
        if (rows > 0) {
            now = rows * memory->regions->block_bytes * (bn_u64)bn_threads();
            copy_rows(memory, buffer, rows, is_scatter);
        } else {
            unsigned char *address = (unsigned char *)memory->address;
            bn_copy(is_scatter ? address : buffer, is_scatter ? buffer : address, now);
            bn_io_memory_advance(memory, now);
        }
        buffer += now;
        bytes -= now;
    }
}

void bn_io_memory_scatter(struct bn_io_memory *memory, unsigned char *buffer, bn_u64 bytes)
{
    copy_extents(memory, buffer, bytes, true);
}

void bn_io_memory_gather(struct bn_io_memory *memory, unsigned char *buffer, bn_u64 bytes)
{
    copy_extents(memory, buffer, bytes, false);
}

/* ---- Files ---- */

struct bn_io_ranges bn_io_ranges_one(int64_t offset, bn_u64 bytes)
{
    return (struct bn_io_ranges){.offset = offset, .range_bytes = bytes, .distance_bytes = bytes, .bytes = bytes};
}

/* Takes the next range that is not empty; false at the end. */
static bool take_range(struct bn_io_ranges *rest, int64_t *offset_p, bn_u64 *bytes_p)
{
    if (!rest->list) {
        *offset_p = rest->offset;
        *bytes_p = rest->range_bytes < rest->bytes ? rest->range_bytes : rest->bytes;
        rest->bytes -= *bytes_p;
        if (rest->bytes > 0)
            rest->offset += (int64_t)rest->distance_bytes;
        return *bytes_p > 0;
    }
    while (rest->count > 0 && rest->list->len == 0) {
        rest->list++;
        rest->count--;
    }
    if (rest->count == 0)
        return false;
    *offset_p = rest->list->offset;
    *bytes_p = rest->list->len;
    rest->list++;
    rest->count--;
    return true;
}

static void enter_range(struct bn_io_file_place *place)
{
    int64_t offset;
    bn_u64 bytes;
    place->range_bytes = 0;
    if (!take_range(&place->rest, &place->offset, &place->range_bytes)) {
        place->range_bytes = 0;
        return;
    }
    for (;;) {
        struct bn_io_ranges behind = place->rest;
        if (!take_range(&behind, &offset, &bytes) || offset != place->offset + (int64_t)place->range_bytes)
            return;
        place->range_bytes += bytes;
        place->rest = behind;
    }
}

struct bn_io_file_place bn_io_file_begin(const struct bn_io_ranges *ranges)
{
    struct bn_io_file_place place = {.rest = *ranges};
    enter_range(&place);
    return place;
}

void bn_io_file_advance(struct bn_io_file_place *place, bn_u64 bytes)
{
    place->offset += (int64_t)bytes;
    place->range_bytes -= bytes;
    if (place->range_bytes == 0)
        enter_range(place);
}
