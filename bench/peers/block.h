/*
 * block.h: a source and a destination for each process, shared by all data-moving collectives, whatever library carries
 * them out.  One benchmark at a time uses them.
 */
#ifndef UOMS_BLOCK_H
#define UOMS_BLOCK_H

#include "harness/bench.h"

enum block_kind {
    BLOCK_BROADCAST,
    BLOCK_SCATTER,
    BLOCK_GATHER,
    BLOCK_GATHER_ALL,
    BLOCK_EXCHANGE,
    BLOCK_PERMUTE,
    BLOCK_GET,
    BLOCK_PUT,
    BLOCK_MEMCPY
};

extern unsigned char *block_source;
extern unsigned char *block_destination;

/* Allocates from the library's memory; collective.  Null if there is none. */
void *block_allocate(size_t size_bytes);
void block_free(void *memory);

/* For bench.h; param is a block_kind */
size_t block_bytes(size_t bytes, int threads); /* of both together, for the kind that takes most */
size_t block_bytes_one(size_t bytes, int threads);
int block_setup(struct uoms_run *run);
void block_prepare(struct uoms_run *run);
void block_clear(struct uoms_run *run);
size_t block_check(struct uoms_run *run);
void block_teardown(struct uoms_run *run);

/* Replaces the blocks by ones of other sizes; used by reductions. */
int block_take(struct uoms_run *run, size_t source_bytes, size_t destination_bytes);

#endif
