/* cut.c: divides a transfer with the common file pointer among the threads. */
#include "upc/io/transfer.h"

enum {
    LARGE_BLOCK_BYTES = 1 << 20, /* blocks of this size or more are worth a system call each
                                    (docs/tuning/libraries.md) */
    LEAST_PART_BYTES = 64 << 10, /* a smaller part is not worth another thread */
    PAGE_BYTES = 4096,
};

/* Every count-th block from the rank-th on: contiguous in memory, with gaps in the file */
static void cut_blocks(const struct bn_io_region *region, int64_t position, bn_u64 rank, bn_u64 count,
                       struct bn_io_region *part_p, struct bn_io_ranges *ranges_p)
{
    bn_u64 block_bytes = region->block_bytes;
    bn_u64 blocks = (region->bytes - 1) / block_bytes + 1;
    bn_u64 own_blocks = rank < blocks ? (blocks - 1 - rank) / count + 1 : 0;
    if (own_blocks == 0) {
        *part_p = (struct bn_io_region){0};
        *ranges_p = bn_io_ranges_one(position, 0);
        return;
    }
    bn_u64 bytes = own_blocks * block_bytes;
    if (rank + (own_blocks - 1) * count == blocks - 1)
        bytes -= blocks * block_bytes - region->bytes;
    *part_p = bn_io_region_part(region, rank * block_bytes, bytes);
    part_p->block_bytes = 0;
    *ranges_p = (struct bn_io_ranges){
        .offset = position + (int64_t)(rank * block_bytes),
        .range_bytes = block_bytes,
        .distance_bytes = count * block_bytes,
        .bytes = bytes,
    };
}

/* Where the rank-th of count parts begins: aligned to a page of the file, then to the beginning of a block */
static bn_u64 begin_of_part(const struct bn_io_region *region, int64_t position, bn_u64 rank, bn_u64 count)
{
    if (rank == 0)
        return 0;
    if (rank >= count)
        return region->bytes;
    bn_u64 begin = region->bytes / count * rank + region->bytes % count * rank / count;
    begin -= ((bn_u64)position + begin) % PAGE_BYTES;
    return region->block_bytes == 0 ? begin : begin / region->block_bytes * region->block_bytes;
}

void bn_io_cut(const struct bn_io_region *region, int64_t position, int thread, struct bn_io_region *part_p,
               struct bn_io_ranges *ranges_p)
{
    bn_u64 count = (bn_u64)bn_threads();
    bn_u64 rank = ((bn_u64)thread + count - region->thread) % count; /* thread that holds the beginning: 0 */
    if (region->block_bytes >= LARGE_BLOCK_BYTES) {
        cut_blocks(region, position, rank, count, part_p, ranges_p);
        return;
    }
    bn_u64 useful = region->bytes / LEAST_PART_BYTES;
    bn_u64 parts = useful < 1 ? 1 : useful < count ? useful : count;
    bn_u64 begin = begin_of_part(region, position, rank, parts);
    bn_u64 end = begin_of_part(region, position, rank + 1, parts);
    if (rank >= parts)
        begin = end = region->bytes;
    *part_p = bn_io_region_part(region, begin, end - begin);
    *ranges_p = bn_io_ranges_one(position + (int64_t)begin, end - begin);
}
