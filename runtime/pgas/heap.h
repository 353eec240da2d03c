/*
 * heap.h: the allocator behind the local and the global heap.
 *
 * A heap hands out offsets in a range of memory that grows at its end.  All bookkeeping lies outside that memory, so a
 * program that writes beyond its blocks damages only its own data, and a wrong or second free is always detected.
 *
 * One owner (a thread, or the holder of a lock) allocates and frees, one call at a time.  All others may free as well,
 * at any time and without a lock; such a block is reused when the owner next runs short.
 */
#ifndef BN_PGAS_HEAP_H
#define BN_PGAS_HEAP_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The memory under a heap, for offsets from 0 to the end that was set last */
struct bn_heap_backing {
    bool (*set_end)(void *context, uint64_t end_bytes); /* false: no more room; nothing changed */
    void (*discard)(void *context, uint64_t offset_bytes, uint64_t size_bytes); /* as bn_memory_discard */
    void *context;
    /* Size of the system's large pages.  While there is room, a block whose size is a multiple of this and at least
     * twice as large begins at a multiple of it, counted from begin_bytes before offset 0. 0: blocks begin at any
     * page. */
    uint64_t large_page_bytes;
    uint64_t begin_bytes;
};

struct bn_heap; /* lies in shared memory, at one address in all processes */

#define BN_HEAP_NONE UINT64_MAX

enum bn_heap_result {
    BN_HEAP_FREED = 0,
    BN_HEAP_NOT_ALLOCATED, /* no block lies there */
    BN_HEAP_ALREADY_FREE,  /* a block lay there and was freed */
    BN_HEAP_INTERIOR,      /* inside a block, not at its start */
};

/** Bytes of zeroed shared memory, aligned to 64, that the bookkeeping of a heap that may grow to limit_bytes needs.
 * Few of them are touched. */
uint64_t bn_heap_size_bytes(uint64_t limit_bytes);

/** Makes an empty heap in zeroed memory of bn_heap_size_bytes(limit_bytes).  Called once, before the first use. */
void bn_heap_init(struct bn_heap *heap, uint64_t limit_bytes, struct bn_heap_backing backing);

/**
 * Allocates size_bytes > 0 and returns the block's offset, or BN_HEAP_NONE.  Blocks are aligned to 16 bytes, those of
 * 512 bytes or more to 64.  The memory is not cleared.  Owner only.
 *
 * @cost A few nanoseconds up to 16 KiB; above that, constant time, plus growing the memory if needed.
 */
uint64_t bn_heap_alloc(struct bn_heap *heap, uint64_t size_bytes);

/** Frees the block at an offset.  Owner only. */
enum bn_heap_result bn_heap_free(struct bn_heap *heap, uint64_t offset);

/** Like bn_heap_free, for all threads except the owner; lock-free. */
enum bn_heap_result bn_heap_free_remote(struct bn_heap *heap, uint64_t offset);

/** Takes back what others have freed and gives up empty pages that were kept for speed.  Owner only. */
void bn_heap_trim(struct bn_heap *heap);

/** Bytes in blocks, in whole pages, including what others freed but the owner has not taken back.  Owner only. */
uint64_t bn_heap_used_bytes(const struct bn_heap *heap);

#ifdef __cplusplus
}
#endif

#endif
