/*
 * heaps.h: the heaps of a job: one local heap per thread, and the global heap.
 *
 * Addresses are window addresses (pgas/segment.h); an address tells which heap it belongs to.
 */
#ifndef BN_PGAS_HEAPS_H
#define BN_PGAS_HEAPS_H

#include "pgas/segment.h"

#ifdef __cplusplus
extern "C" {
#endif

struct heaps_state;

/* Every process holds the same copy, inherited over fork. */
struct bn_heaps {
    const struct bn_segments *segments;
    struct heaps_state *state; /* shared */
    struct heap_place *places; /* constant: where each heap's memory is */
};

/** Makes empty heaps on segments, which must outlive them.  Before the threads are forked.  @errors Reported. */
bn_status_t bn_heaps_create(struct bn_heaps *heaps, const struct bn_segments *segments);

/** Allocates size_bytes > 0 in the local heap of a thread, which must be the caller; 0 if there is no room. */
uint64_t bn_heaps_alloc_local(const struct bn_heaps *heaps, int thread, uint64_t size_bytes);

/** Allocates memory at one offset in all segments, size_bytes > 0 in each.  Returns the address on thread 0, or 0 if
 * there is no room.  Any thread may call it; all threads can use the memory on return. */
uint64_t bn_heaps_alloc_global(const struct bn_heaps *heaps, uint64_t size_bytes);

enum bn_heaps_result {
    BN_HEAPS_FREED = 0,
    BN_HEAPS_ALREADY_FREE,
    BN_HEAPS_NOT_A_BLOCK, /* in a heap, but no block begins there */
    BN_HEAPS_STATIC,      /* static shared data */
    BN_HEAPS_OUTSIDE,     /* no shared memory, or not allocated */
};

/** Frees memory of either kind of heap; caller is the calling thread. */
enum bn_heaps_result bn_heaps_free(const struct bn_heaps *heaps, int caller, uint64_t address);

#ifdef __cplusplus
}
#endif

#endif
