#include "pgas/heaps.h"

#include "base/log.h"
#include "pgas/heap.h"
#include "platform/cache_line.h"
#include "platform/huge_pages.h"
#include "platform/memory.h"
#include "sync/spinlock.h"

#include <stdlib.h>

enum { GLOBAL_HEAP = -1 };

/* The memory under a heap; context of its backing */
struct heap_place {
    const struct bn_segments *segments;
    int thread; /* or GLOBAL_HEAP */
};

/* Followed by the tables of the global heap and of the local heaps, each heap_bytes long */
struct heaps_state {
    struct bn_spinlock global_lock __attribute__((aligned(BN_LINE_BYTES)));
    uint64_t heap_bytes;
};

static bool set_end(void *context, uint64_t end_bytes)
{
    const struct heap_place *place = context;
    if (place->thread == GLOBAL_HEAP)
        return bn_segment_set_global_end(place->segments, end_bytes);
    return bn_segment_set_local_end(place->segments, place->thread, end_bytes);
}

static void discard(void *context, uint64_t offset, uint64_t size_bytes)
{
    const struct heap_place *place = context;
    const struct bn_segments *segments = place->segments;
    if (place->thread != GLOBAL_HEAP) {
        bn_segment_discard(segments, place->thread, BN_SEGMENT_HALF_BYTES + offset, size_bytes);
        return;
    }
    for (int thread = 0; thread < segments->thread_count; thread++)
        bn_segment_discard(segments, thread, segments->global_begin + offset, size_bytes);
}

static struct bn_heap *heap_of(const struct bn_heaps *heaps, int thread)
{
    uint64_t index = (uint64_t)(thread + 1);
    return (struct bn_heap *)((char *)(heaps->state + 1) + index * heaps->state->heap_bytes);
}

bn_status_t bn_heaps_create(struct bn_heaps *heaps, const struct bn_segments *segments)
{
    uint64_t heap_count = (uint64_t)segments->thread_count + 1;
    uint64_t page_bytes = bn_memory_page_bytes();
    /* Whole pages, so that a thread's tables lie in memory close to it */
    uint64_t heap_bytes = (bn_heap_size_bytes(segments->limit_bytes) + page_bytes - 1) / page_bytes * page_bytes;
    *heaps = (struct bn_heaps){.segments = segments};
    heaps->places = calloc(heap_count, sizeof *heaps->places);
    if (!heaps->places) {
        bn_log_error("out of memory at start; run fewer threads");
        return BN_ERR_MEMORY;
    }
    void *state;
    bn_status_t status = bn_memory_share_table(sizeof(struct heaps_state) + heap_count * heap_bytes, &state);
    if (status != BN_OK) {
        free(heaps->places);
        return status;
    }
    heaps->state = state;
    heaps->state->heap_bytes = heap_bytes;
    for (int thread = GLOBAL_HEAP; thread < segments->thread_count; thread++) {
        struct heap_place *place = &heaps->places[thread + 1];
        *place = (struct heap_place){segments, thread};
        /* Segments begin at multiples of a huge page (bn_stride). */
        uint64_t begin_bytes = thread == GLOBAL_HEAP ? segments->global_begin : BN_SEGMENT_HALF_BYTES;
        struct bn_heap_backing backing = {set_end, discard, place, BN_HUGE_PAGE_BYTES, begin_bytes};
        bn_heap_init(heap_of(heaps, thread), segments->limit_bytes, backing);
    }
    return BN_OK;
}

uint64_t bn_heaps_alloc_local(const struct bn_heaps *heaps, int thread, uint64_t size_bytes)
{
    uint64_t offset = bn_heap_alloc(heap_of(heaps, thread), size_bytes);
    if (offset == BN_HEAP_NONE)
        return 0;
    return bn_segment_address(heaps->segments, thread, BN_SEGMENT_HALF_BYTES + offset);
}

uint64_t bn_heaps_alloc_global(const struct bn_heaps *heaps, uint64_t size_bytes)
{
    bn_spinlock_acquire(&heaps->state->global_lock);
    uint64_t offset = bn_heap_alloc(heap_of(heaps, GLOBAL_HEAP), size_bytes);
    bn_spinlock_release(&heaps->state->global_lock);
    if (offset == BN_HEAP_NONE)
        return 0;
    return bn_segment_address(heaps->segments, 0, heaps->segments->global_begin + offset);
}

static enum bn_heap_result free_global(const struct bn_heaps *heaps, int thread, uint64_t offset)
{
    if (thread != 0)
        return BN_HEAP_NOT_ALLOCATED;
    bn_spinlock_acquire(&heaps->state->global_lock);
    enum bn_heap_result result = bn_heap_free(heap_of(heaps, GLOBAL_HEAP), offset);
    bn_spinlock_release(&heaps->state->global_lock);
    return result;
}

enum bn_heaps_result bn_heaps_free(const struct bn_heaps *heaps, int caller, uint64_t address)
{
    const struct bn_segments *segments = heaps->segments;
    int thread;
    uint64_t offset;
    if (!bn_segment_find(segments, address, &thread, &offset))
        return BN_HEAPS_OUTSIDE;
    enum bn_heap_result result;
    if (offset < segments->static_bytes)
        return BN_HEAPS_STATIC;
    if (offset < segments->global_begin)
        return BN_HEAPS_OUTSIDE;
    if (offset < BN_SEGMENT_HALF_BYTES)
        result = free_global(heaps, thread, offset - segments->global_begin);
    else if (thread == caller)
        result = bn_heap_free(heap_of(heaps, thread), offset - BN_SEGMENT_HALF_BYTES);
    else
        result = bn_heap_free_remote(heap_of(heaps, thread), offset - BN_SEGMENT_HALF_BYTES);
    switch (result) {
    case BN_HEAP_FREED: return BN_HEAPS_FREED;
    case BN_HEAP_ALREADY_FREE: return BN_HEAPS_ALREADY_FREE;
    default: return BN_HEAPS_NOT_A_BLOCK;
    }
}
