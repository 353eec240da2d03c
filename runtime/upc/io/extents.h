/*
 * extents.h: memory and files as streams of contiguous pieces.
 *
 * A transfer walks over both in parallel: the next byte of one goes to the next byte of the other.
 */
#ifndef BN_UPC_IO_EXTENTS_H
#define BN_UPC_IO_EXTENTS_H

#include "upc/io/io_c.h"

#include <stdbool.h>
#include <sys/uio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Memory: blocks distributed over the threads, the first of which begins at the start.  Private memory is one block. */
struct bn_io_region {
    bn_u64 address;
    bn_u64 thread;
    bn_u64 block_bytes; /* 0: all in one piece */
    bn_u64 bytes;
};

struct bn_io_region bn_io_region_private(const void *address, size_t bytes);

/* block_bytes 0 means an indefinite block size.  The phase of start is ignored. */
struct bn_io_region bn_io_region_shared(bn_pts_t start, size_t block_bytes, size_t bytes);

/* The part of the region that begins at byte first and is bytes long. first must be the beginning of a block, with
 * which the part then begins, unless block_bytes is 0. */
struct bn_io_region bn_io_region_part(const struct bn_io_region *region, bn_u64 first, bn_u64 bytes);

/* A position in a list of regions; extent_bytes is 0 at the end. */
struct bn_io_memory {
    const struct bn_io_region *regions;
    size_t count;        /* regions from the current one on */
    bn_u64 region_bytes; /* bytes left in the current region */
    bn_u64 address;      /* of the next byte */
    bn_u64 extent_bytes; /* contiguous bytes from there on */
    bn_u64 thread;       /* that holds the next byte */
};

struct bn_io_memory bn_io_memory_begin(const struct bn_io_region *regions, size_t count);

/* Advances by bytes, at most extent_bytes. */
void bn_io_memory_advance(struct bn_io_memory *memory, bn_u64 bytes);

/* Takes up to count pieces of up to bytes bytes in all and advances past them.  Returns the number of pieces: 0 where
 * memory is not mapped here. */
int bn_io_memory_take(struct bn_io_memory *memory, bn_u64 bytes, struct iovec *pieces, int count, bn_u64 *taken_p);

/* Whether all regions are mapped here, so that any thread of this process may move their data */
bool bn_io_memory_is_mapped(const struct bn_io_region *regions, size_t count);

/* Copy bytes from or to a buffer, and advance. */
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

/* A position in the ranges.  The range from offset on is as long as possible: adjacent ranges are merged. */
struct bn_io_file_place {
    struct bn_io_ranges rest; /* after the current range */
    int64_t offset;
    bn_u64 range_bytes; /* 0 at the end */
};

struct bn_io_ranges bn_io_ranges_one(int64_t offset, bn_u64 bytes);
struct bn_io_file_place bn_io_file_begin(const struct bn_io_ranges *ranges);

/* Advances by bytes, at most range_bytes. */
void bn_io_file_advance(struct bn_io_file_place *place, bn_u64 bytes);

#ifdef __cplusplus
}
#endif

#endif
