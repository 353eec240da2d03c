/*
 * gather.c: gather and scatter: blocks to the root, and from it.
 *
 * The root's node uses the engine alone.  Small blocks of another node are gathered at its leader and travel together;
 * large ones, and those whose size only the root knows, each travel between their member and the root.
 */
#include "wide/slabs.h"

enum { DIRECT_FROM_BYTES = 16384 };

struct rooted {
    struct bn_wide *wide;
    const struct bn_call *call;
    struct bn_slabs slabs; /* at the root */
    int root_node;
    size_t own_bytes;
    bool is_scatter, is_direct;
};

/* Sends or receives a block between the root and another member */
static bool move(const struct rooted *rooted, int other, unsigned char *data, size_t nbytes)
{
    bool is_sender = (rooted->wide->rank == rooted->call->root) == rooted->is_scatter;
    return is_sender ? bn_wide_send(rooted->wide, other, data, nbytes)
                     : bn_wide_receive(rooted->wide, other, data, nbytes);
}

/* The share of the root's node */
static bn_status_t run_near(const struct rooted *rooted)
{
    struct bn_call call = {
        .src = rooted->call->src,
        .dst = rooted->call->dst,
        .nbytes = rooted->call->nbytes,
        .root = bn_wide_near_rank(rooted->wide, rooted->call->root),
        .own_bytes = rooted->own_bytes,
    };
    struct bn_block_table parts;
    if (rooted->wide->rank == rooted->call->root) {
        parts = bn_wide_near_parts(rooted->wide, 0, rooted->slabs.parts, rooted->slabs.nbytes);
        if (rooted->is_scatter)
            call.src_parts = &parts;
        else
            call.dst_parts = &parts;
    }
    return bn_wide_near(rooted->wide, rooted->is_scatter ? BN_SCATTER_V : BN_GATHER_V, call);
}

/* ---- The root ---- */

static bool move_blocks(const struct rooted *rooted, const struct bn_node *node)
{
    for (int position = node->begin; position < node->end; position++) {
        int rank = bn_hierarchy_member_at(rooted->wide->hierarchy, position);
        if (!move(rooted, rank, bn_slabs_block(&rooted->slabs, rank), bn_slabs_block_bytes(&rooted->slabs, rank)))
            return false;
    }
    return true;
}

/* Where a slab lies at the root during its transfer: in place, or in a room */
static unsigned char *slab_at(const struct rooted *rooted, const struct bn_node *node, unsigned char *packed)
{
    return rooted->slabs.is_dense ? bn_slabs_block(&rooted->slabs, bn_wide_first(rooted->wide, node))
                                  : packed + (size_t)node->begin * rooted->call->nbytes;
}

static bool move_slab(const struct rooted *rooted, const struct bn_node *node, unsigned char *packed)
{
    unsigned char *slab = slab_at(rooted, node, packed);
    if (rooted->is_scatter && !rooted->slabs.is_dense)
        bn_slabs_pack(&rooted->slabs, node, slab);
    return move(rooted, node->leader, slab, bn_node_bytes(node, rooted->call->nbytes));
}

static bn_status_t run_at_root(const struct rooted *rooted)
{
    struct bn_wide *wide = rooted->wide;
    bool needs_room = !rooted->is_direct && !rooted->slabs.is_dense;
    unsigned char *packed = needs_room ? bn_wide_room(wide, 0, (size_t)wide->size * rooted->call->nbytes) : NULL;
    if (needs_room && !packed)
        return BN_ERR_MEMORY;
    for (int distance = 1; distance < wide->node_count; distance++) {
        const struct bn_node node = bn_wide_node_behind(wide, distance);
        if (!(rooted->is_direct ? move_blocks(rooted, &node) : move_slab(rooted, &node, packed)))
            return BN_ERR_MEMORY;
    }
    bn_status_t status = run_near(rooted);
    if (rooted->is_scatter || !needs_room || status != BN_OK)
        return status;
    bn_wide_await_all(wide);
    for (int distance = 1; distance < wide->node_count; distance++) {
        const struct bn_node node = bn_wide_node_behind(wide, distance);
        bn_slabs_unpack(&rooted->slabs, &node, slab_at(rooted, &node, packed));
    }
    return BN_OK;
}

/* ---- The others ---- */

static bn_status_t run_far(const struct rooted *rooted)
{
    struct bn_wide *wide = rooted->wide;
    const struct bn_call *call = rooted->call;
    if (rooted->is_direct) {
        unsigned char *own = (unsigned char *)(rooted->is_scatter ? call->dst : call->src);
        return move(rooted, call->root, own, rooted->own_bytes) ? BN_OK : BN_ERR_MEMORY;
    }
    struct bn_call near = {
        .src = call->src, .dst = call->dst, .nbytes = call->nbytes, .root = bn_wide_near_leader(wide)};
    size_t slab_bytes = bn_node_bytes(&wide->mine, call->nbytes);
    unsigned char *slab = bn_wide_is_leader(wide) ? bn_wide_room(wide, 0, slab_bytes) : NULL;
    if (bn_wide_is_leader(wide) && !slab)
        return BN_ERR_MEMORY;
    if (rooted->is_scatter) {
        if (slab && !move(rooted, call->root, slab, slab_bytes))
            return BN_ERR_MEMORY;
        bn_wide_await_all(wide);
        near.src = (uint64_t)slab;
        return bn_wide_near(wide, BN_SCATTER, near);
    }
    near.dst = (uint64_t)slab;
    bn_status_t status = bn_wide_near(wide, BN_GATHER, near);
    if (status == BN_OK && slab && !move(rooted, call->root, slab, slab_bytes))
        return BN_ERR_MEMORY;
    return status;
}

static bn_status_t run(struct bn_wide *wide, const struct bn_call *call, bool differ, bool is_scatter)
{
    const struct bn_block_table *parts = is_scatter ? call->src_parts : call->dst_parts;
    struct rooted rooted = {
        .wide = wide,
        .call = call,
        .slabs = {wide, (unsigned char *)(is_scatter ? call->src : call->dst), parts, call->nbytes,
                  !differ && wide->hierarchy->is_in_member_order},
        .root_node = bn_wide_node_of(wide, call->root),
        .own_bytes = differ ? call->own_bytes : call->nbytes,
        .is_scatter = is_scatter,
        .is_direct = differ || call->nbytes >= DIRECT_FROM_BYTES,
    };
    if (wide->rank == call->root)
        return run_at_root(&rooted);
    return rooted.root_node == wide->mine.index ? run_near(&rooted) : run_far(&rooted);
}

bn_status_t bn_wide_gather(struct bn_wide *wide, const struct bn_call *call, bool differ)
{
    return run(wide, call, differ, false);
}

bn_status_t bn_wide_scatter(struct bn_wide *wide, const struct bn_call *call, bool differ)
{
    return run(wide, call, differ, true);
}
