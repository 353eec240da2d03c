/*
 * extents.h: memory and files as streams of contiguous pieces.
 *
 * A transfer walks over both at once: the next byte of one goes to the next byte of the other.
 */
#ifndef BN_UPC_IO_EXTENTS_H
#define BN_UPC_IO_EXTENTS_H

#include "upc/io/io_c.h"

#include <stdbool.h>
#include <sys/uio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Memory: blocks dealt out to the threads, the first of which begins at the start.  Private memory is one block. */
struct bn_io_region {
    bn_u64 address;
    bn_u64 thread;
    bn_u64 block_bytes; /* 0: all in one piece */
    bn_u64 bytes;
};

struct bn_io_region bn_io_region_private(const void *address, size_t bytes);

/* block_bytes 0 is indefinite.  The phase of start does not count. */
struct bn_io_region bn_io_region_shared(bn_pts_t start, size_t block_bytes, size_t bytes);

/* What of the region lies from byte first on, bytes long; it begins with a block of its own if first is at the
 * beginning of one. Only for beginnings of blocks, or with block_bytes 0. */
struct bn_io_region bn_io_region_part(const struct bn_io_region *region, bn_u64 first, bn_u64 bytes);

/* A place in a list of regions; extent_bytes is 0 at the end. */
struct bn_io_memory {
    const struct bn_io_region *regions;
    size_t count;        /* regions from the current one on */
    bn_u64 region_bytes; /* left in it */
    bn_u64 address;      /* of the next byte */
    bn_u64 extent_bytes; /* from there on without a gap */
    bn_u64 thread;       /* that holds it */
};

struct bn_io_memory bn_io_memory_begin(const struct bn_io_region *regions, size_t count);

/* Goes on by bytes, at most extent_bytes. */
void bn_io_memory_advance(struct bn_io_memory *memory, bn_u64 bytes);

/* Takes up to count pieces of up to bytes bytes in all and goes on behind them; returns how many there are: none where
 * memory is not mapped here. */
int bn_io_memory_take(struct bn_io_memory *memory, bn_u64 bytes, struct iovec *pieces, int count, bn_u64 *taken_p);

/* Whether all of the regions are mapped here, so that any thread of this process may move them */
bool bn_io_memory_is_mapped(const struct bn_io_region *regions, size_t count);

/* Copies bytes to or from a buffer, and goes on. */
void bn_io_memory_scatter(struct bn_io_memory *memory, unsigned char *buffer, bn_u64 bytes);
void bn_io_memory_gather(struct bn_io_memory *memory, unsigned char *buffer, bn_u64 bytes);

/* Ranges of a file: a list, or ranges of equal lengths at equal distances, of which the last may be shorter */
struct bn_io_ranges {
    const struct upc_filevec *list; /* null: at equal distances */
    size_t count;                   /* of list */
    int64_t offset;                 /* of the first range */
    bn_u64 range_bytes;
    bn_u64 distance_bytes;
    bn_u64 bytes; /* in all */
};

/* A place in them.  The range from offset on is as long as it can be: ranges that touch each other are one. */
struct bn_io_file_place {
    struct bn_io_ranges rest; /* behind the current range */
    int64_t offset;
    bn_u64 range_bytes; /* 0 at the end */
};

struct bn_io_ranges bn_io_ranges_one(int64_t offset, bn_u64 bytes);
struct bn_io_file_place bn_io_file_begin(const struct bn_io_ranges *ranges);

/* Goes on by bytes, at most range_bytes. */
void bn_io_file_advance(struct bn_io_file_place *place, bn_u64 bytes);

#ifdef __cplusplus
}
#endif

#endif
