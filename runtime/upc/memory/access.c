#include "upc/memory/self.h"

#include "base/options.h"

/* Programs see bn_thread_starts as constant; only this file has a name by which it can be written. */
static bn_u64 segments[2 * BN_PARTS];
extern const bn_u64 bn_thread_starts[2 * BN_PARTS] __attribute__((alias("segments")));

_Static_assert(BN_THREAD_MAX <= (int)BN_PARTS, "each thread has a part of its own");

void bn_segments_set(void)
{
    for (int thread = 0; thread < bn_self.threads; thread++) {
        segments[thread] = bn_self.window_base + bn_stride((bn_u64)thread);
        segments[BN_PARTS + bn_segment_part(thread, bn_self.threads)] = segments[thread];
    }
}

bn_u64 bn_cold_elem_cyclic(bn_shared_t a, bn_u64 i, bn_u64 elem)
{
    return bn_elem_cyclic(a, i, elem);
}

bn_u64 bn_cold_elem_block(bn_shared_t a, bn_u64 i, bn_u64 block, bn_u64 elem)
{
    return bn_elem_block(a, i, block, elem);
}

bn_u64 bn_outlined_elem_cyclic(bn_shared_t a, bn_u64 i, bn_u64 elem)
{
    return bn_elem_cyclic(a, i, elem);
}

bn_u64 bn_outlined_elem_block(bn_shared_t a, bn_u64 i, bn_u64 block, bn_u64 elem)
{
    return bn_elem_block(a, i, block, elem);
}

bn_pts_t bn_outlined_add_cyclic(bn_pts_t p, bn_i64 i, bn_u64 elem)
{
    return bn_add_cyclic(p, i, elem);
}

bn_pts_t bn_outlined_add_block(bn_pts_t p, bn_i64 i, bn_u64 block, bn_u64 elem)
{
    return bn_add_block(p, i, block, elem);
}

void bn_set_element(void *place, const struct bn_element *element)
{
    bn_pts_t pointer = bn_start(*element->handle);
    if (element->block_elems == 1)
        pointer = bn_add_cyclic(pointer, (bn_i64)element->index, element->elem_bytes);
    else if (element->block_elems > 1)
        pointer = bn_add_block(pointer, (bn_i64)element->index, element->block_elems, element->elem_bytes);
    else
        pointer.addr += element->index * element->elem_bytes;
    *(bn_packed_pts_t *)place = pointer;
}
