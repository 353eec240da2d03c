#include "upc/collective/reduce_layout.h"

#include "upc/context.h"
#include "upc/upc_c.h"

struct bn_cyclic bn_cyclic_of(bn_pts_t src, size_t elem_count, size_t block_elems, size_t elem_bytes)
{
    /* A pointer to an array of indefinite block size has no phase, whatever the generic pointer says. */
    size_t phase = block_elems == 0 ? 0 : src.phase % block_elems;
    return (struct bn_cyclic){
        .origin = src.addr - phase * elem_bytes,
        .thread = src.thread,
        .phase = phase,
        .block_elems = block_elems,
        .elem_bytes = elem_bytes,
        .elem_count = elem_count,
        .thread_count = (size_t)bn_context.thread_count,
    };
}

struct bn_elem_run bn_cyclic_held(const struct bn_cyclic *layout, size_t thread)
{
    /* With threads counted from that of the first block, the array begins on thread 0. */
    bool is_before = thread < layout->thread;
    size_t turn = is_before ? thread + layout->thread_count - layout->thread : thread - layout->thread;
    size_t elem_count = BN_OWN(upc_affinitysize)(layout->phase + layout->elem_count, layout->block_elems, turn);
    uint64_t address = layout->origin + bn_stride((uint64_t)thread - (uint64_t)layout->thread);
    if (is_before)
        address += layout->block_elems * layout->elem_bytes;
    if (turn == 0) {
        elem_count -= layout->phase;
        address += layout->phase * layout->elem_bytes;
    }
    return (struct bn_elem_run){(unsigned char *)address, elem_count};
}

struct bn_elem_run bn_cyclic_part(const struct bn_cyclic *layout, size_t first, size_t elem_count, size_t thread)
{
    if (layout->block_elems == 0) {
        unsigned char *address = (unsigned char *)layout->origin + first * layout->elem_bytes;
        return (struct bn_elem_run){address, thread == layout->thread ? elem_count : 0};
    }
    /* Blocks are counted so that the number modulo the threads is the thread, and the quotient the row on it. */
    size_t begin = layout->phase + first;
    size_t last = begin + elem_count - 1;
    size_t first_block = layout->thread + begin / layout->block_elems;
    size_t last_block = layout->thread + last / layout->block_elems;
    size_t threads = layout->thread_count;
    size_t own_first = first_block + (thread + threads - first_block % threads) % threads;
    if (own_first > last_block)
        return (struct bn_elem_run){NULL, 0};
    size_t own_last = last_block - (last_block % threads + threads - thread) % threads;
    size_t from = own_first / threads * layout->block_elems;
    size_t to = own_last / threads * layout->block_elems;
    from += own_first == first_block ? begin % layout->block_elems : 0;
    to += own_last == last_block ? last % layout->block_elems + 1 : layout->block_elems;
    uint64_t part = layout->origin + bn_stride((uint64_t)thread - (uint64_t)layout->thread);
    return (struct bn_elem_run){(unsigned char *)part + from * layout->elem_bytes, to - from};
}

struct bn_walk bn_walk_begin(const struct bn_cyclic *layout, size_t first, size_t elem_count)
{
    size_t index = layout->phase + first;
    struct bn_walk walk = {.layout = layout, .left = elem_count, .thread = layout->thread, .within = index};
    if (bn_is_one_block(layout))
        return walk;
    size_t thread = layout->thread + index / layout->block_elems;
    walk.within = index % layout->block_elems;
    walk.thread = thread % layout->thread_count;
    walk.row = thread / layout->thread_count;
    return walk;
}
