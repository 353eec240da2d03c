#include "wide/slabs.h"

#include <string.h>

bool bn_slabs_next_run(const struct bn_slabs *slabs, const struct bn_node *node, struct bn_slab_run *run)
{
    for (run->nbytes = 0; run->nbytes == 0 && run->position < node->end;) {
        int rank = bn_hierarchy_member_at(slabs->wide->hierarchy, run->position);
        run->data = bn_slabs_block(slabs, rank);
        run->nbytes = slabs->is_dense ? bn_slabs_bytes(slabs, node) : bn_slabs_block_bytes(slabs, rank);
        run->position = slabs->is_dense ? node->end : run->position + 1;
    }
    return run->nbytes > 0;
}

size_t bn_slabs_bytes(const struct bn_slabs *slabs, const struct bn_node *node)
{
    size_t nbytes = 0;
    for (int position = node->begin; position < node->end; position++)
        nbytes += bn_slabs_block_bytes(slabs, bn_hierarchy_member_at(slabs->wide->hierarchy, position));
    return nbytes;
}

void bn_slabs_pack(const struct bn_slabs *slabs, const struct bn_node *node, unsigned char *packed)
{
    struct bn_slab_run run = {.position = node->begin};
    for (; bn_slabs_next_run(slabs, node, &run); packed += run.nbytes)
        memcpy(packed, run.data, run.nbytes);
}

void bn_slabs_unpack(const struct bn_slabs *slabs, const struct bn_node *node, const unsigned char *packed)
{
    struct bn_slab_run run = {.position = node->begin};
    for (; bn_slabs_next_run(slabs, node, &run); packed += run.nbytes)
        memcpy(run.data, packed, run.nbytes);
}
