/*
 * heaps.c: the heaps of pgas/heaps.h over several nodes.  All operations are one-sided: the thread that allocates or
 * frees does all the work.
 *
 * Local heap: only the owner accesses its data structures.  Other threads put blocks that they free on a list of the
 * owner, with the link in the block, and the owner takes the whole list when it next allocates or frees.
 *
 * Global heap: the same offsets on all threads. The list of blocks in use lies on thread 0, and is changed under a
 * lock. First fit.
 */
#include "pgas/heaps.h"

#include "base/log.h"
#include "pgas/heap.h"
#include "pgas/remote/remote.h"
#include "platform/atomic_word.h"
#include "platform/memory.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { ROUND = 64 };

/* State of this process */
struct heaps_state {
    struct bn_heap *local;
    struct bn_global_block blocks[BN_GLOBAL_BLOCKS + 1]; /* a copy of thread 0's list, while its lock is held */
};

/* ---- The local heap ---- */

static bool set_end(void *context, uint64_t end_bytes)
{
    return bn_segment_set_local_end(context, bn_remote.thread, end_bytes);
}

static void discard(void *context, uint64_t offset, uint64_t size_bytes)
{
    bn_segment_discard(context, bn_remote.thread, BN_SEGMENT_HALF_BYTES + offset, size_bytes);
}

bn_status_t bn_heaps_create(struct bn_heaps *heaps, const struct bn_segments *segments)
{
    void *memory;
    *heaps = (struct bn_heaps){.segments = segments};
    heaps->state = calloc(1, sizeof *heaps->state);
    if (!heaps->state) {
        bn_log_error("out of memory at start; run fewer threads");
        return BN_ERR_MEMORY;
    }
    bn_status_t status = bn_memory_share_table(bn_heap_size_bytes(segments->limit_bytes), &memory);
    if (status != BN_OK) {
        free(heaps->state);
        return status;
    }
    heaps->state->local = memory;
    struct bn_heap_backing backing = {set_end, discard, (void *)segments, 0, 0};
    bn_heap_init(heaps->state->local, segments->limit_bytes, backing);
    return BN_OK;
}

/* The offset in the allocation of an offset in the local heap */
static uint64_t upper_offset(uint64_t offset)
{
    return bn_remote.control_bytes + bn_remote.lower_bytes + offset;
}

/* Returns blocks that others have freed to the heap. */
static void take_back(const struct bn_heaps *heaps)
{
    if (bn_word64_see(&bn_remote.control->freed) == 0)
        return;
    uint64_t link = bn_remote.transport->swap(bn_remote.thread, BN_CONTROL_OFFSET(freed), 0);
    while (link != 0) {
        uint64_t offset = link - 1;
        uint64_t address = bn_segment_address(heaps->segments, bn_remote.thread, BN_SEGMENT_HALF_BYTES + offset);
        memcpy(&link, (const void *)address, sizeof link);
        if (bn_heap_free(heaps->state->local, offset) != BN_HEAP_FREED) {
            bn_log_error(
                "upc_free: another thread has freed 0x%llx, which is not a block of this thread, or has freed it twice",
                (unsigned long long)address);
            return;
        }
    }
}

static void give_back(int thread, uint64_t offset)
{
    uint64_t link = bn_remote.transport->load(thread, BN_CONTROL_OFFSET(freed));
    for (;;) {
        uint64_t found;
        bn_remote.transport->put(thread, upper_offset(offset), &link, sizeof link);
        bn_remote.transport->complete();
        found = bn_remote.transport->change(thread, BN_CONTROL_OFFSET(freed), link, offset + 1);
        if (found == link)
            return;
        link = found;
    }
}

uint64_t bn_heaps_alloc_local(const struct bn_heaps *heaps, int thread, uint64_t size_bytes)
{
    take_back(heaps);
    uint64_t offset = bn_heap_alloc(heaps->state->local, size_bytes);
    return offset == BN_HEAP_NONE ? 0 : bn_segment_address(heaps->segments, thread, BN_SEGMENT_HALF_BYTES + offset);
}

/* ---- The global heap ---- */

static uint64_t global_offset(uint64_t offset)
{
    return BN_CONTROL_OFFSET(global) + offset;
}

/* Takes the lock and fetches the list; returns the number of blocks. */
static uint64_t open_global(struct heaps_state *state)
{
    uint32_t step = 0;
    uint64_t count = 0;
    while (bn_remote.transport->change(0, global_offset(offsetof(struct bn_global_heap, lock)), 0,
                                       (uint64_t)bn_remote.thread + 1) != 0)
        bn_remote_step(&step);
    bn_remote.transport->get(&count, 0, global_offset(offsetof(struct bn_global_heap, count)), sizeof count);
    if (count > 0)
        bn_remote.transport->get(state->blocks, 0, global_offset(offsetof(struct bn_global_heap, blocks)),
                                 count * sizeof state->blocks[0]);
    return count;
}

/* Writes back the list from block first on, if it has changed, and releases the lock. */
static void close_global(const struct heaps_state *state, bool has_changed, uint64_t first, uint64_t count)
{
    const struct bn_transport *transport = bn_remote.transport;
    uint64_t blocks = global_offset(offsetof(struct bn_global_heap, blocks));
    if (has_changed && first < count)
        transport->put(0, blocks + first * sizeof state->blocks[0], &state->blocks[first],
                       (count - first) * sizeof state->blocks[0]);
    if (has_changed)
        transport->put(0, global_offset(offsetof(struct bn_global_heap, count)), &count, sizeof count);
    transport->complete();
    transport->swap(0, global_offset(offsetof(struct bn_global_heap, lock)), 0);
}

/* Finds the first gap for size_bytes, before block *place_p or after the last one. */
static uint64_t find_gap(const struct heaps_state *state, uint64_t count, uint64_t size_bytes, uint64_t *place_p)
{
    uint64_t end = 0;
    uint64_t i = 0;
    while (i < count && state->blocks[i].offset - end < size_bytes) {
        end = state->blocks[i].offset + state->blocks[i].size_bytes;
        i++;
    }
    *place_p = i;
    return end;
}

uint64_t bn_heaps_alloc_global(const struct bn_heaps *heaps, uint64_t size_bytes)
{
    struct heaps_state *state = heaps->state;
    uint64_t limit = heaps->segments->limit_bytes;
    if (size_bytes > limit)
        return 0;
    size_bytes = (size_bytes + ROUND - 1) / ROUND * ROUND;
    uint64_t place;
    uint64_t count = open_global(state);
    uint64_t offset = find_gap(state, count, size_bytes, &place);
    bool has_room = count < BN_GLOBAL_BLOCKS && size_bytes <= limit && offset <= limit - size_bytes;
    if (has_room) {
        memmove(&state->blocks[place + 1], &state->blocks[place], (count - place) * sizeof state->blocks[0]);
        state->blocks[place] = (struct bn_global_block){offset, size_bytes};
    }
    close_global(state, has_room, place, count + 1);
    return has_room ? bn_segment_address(heaps->segments, 0, heaps->segments->static_bytes + offset) : 0;
}

static enum bn_heaps_result free_global(const struct bn_heaps *heaps, int thread, uint64_t offset)
{
    struct heaps_state *state = heaps->state;
    if (thread != 0)
        return BN_HEAPS_NOT_A_BLOCK;
    uint64_t count = open_global(state);
    uint64_t i = 0;
    while (i < count && state->blocks[i].offset != offset)
        i++;
    bool is_found = i < count;
    if (is_found)
        memmove(&state->blocks[i], &state->blocks[i + 1], (count - i - 1) * sizeof state->blocks[0]);
    close_global(state, is_found, i, count - 1);
    return is_found ? BN_HEAPS_FREED : BN_HEAPS_NOT_A_BLOCK;
}

/* ---- Both ---- */

enum bn_heaps_result bn_heaps_free(const struct bn_heaps *heaps, int caller, uint64_t address)
{
    const struct bn_segments *segments = heaps->segments;
    int thread;
    uint64_t offset;
    if (!bn_segment_find(segments, address, &thread, &offset))
        return BN_HEAPS_OUTSIDE;
    if (offset < segments->static_bytes)
        return BN_HEAPS_STATIC;
    /* this thread's earlier writes to the block must not overwrite the link, nor data of the block's next user */
    bn_complete_far();
    if (offset < BN_SEGMENT_HALF_BYTES)
        return free_global(heaps, thread, offset - segments->static_bytes);
    offset -= BN_SEGMENT_HALF_BYTES;
    if (offset >= segments->limit_bytes || offset % sizeof(uint64_t) != 0)
        return BN_HEAPS_NOT_A_BLOCK;
    if (thread != caller) {
        give_back(thread, offset);
        return BN_HEAPS_FREED;
    }
    take_back(heaps);
    switch (bn_heap_free(heaps->state->local, offset)) {
    case BN_HEAP_FREED: return BN_HEAPS_FREED;
    case BN_HEAP_ALREADY_FREE: return BN_HEAPS_ALREADY_FREE;
    default: return BN_HEAPS_NOT_A_BLOCK;
    }
}
