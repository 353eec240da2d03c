/*
 * broadcast.c: broadcast along a tree of nodes, in fragments.
 *
 * A head has several receives open, forwards a fragment as soon as it arrives, and then lets its node copy it while the
 * next ones arrive.  A node copies several fragments at a time if a step of its members takes longer than a fragment.
 * On the root's node all members copy from the root while it sends.
 */
#include "wide/helpers.h"

enum { OPEN = 8 }; /* open receives, and fragments whose sends are not complete */

struct flow {
    struct bn_wide *wide;
    struct bn_wide_tree tree;
    unsigned char *data;
    size_t nbytes, fragment, count; /* bytes of a fragment, and how many there are */
    size_t per_copy;                /* fragments that a node copies together */
    int root;
};

static size_t fragment_bytes(const struct flow *flow, size_t i)
{
    size_t left = flow->nbytes - i * flow->fragment;
    return left < flow->fragment ? left : flow->fragment;
}

static unsigned char *fragment(const struct flow *flow, size_t i)
{
    return flow->data + i * flow->fragment;
}

static bool send_on(const struct flow *flow, size_t i)
{
    for (int child = 0; child < flow->tree.child_count; child++) {
        int to = bn_wide_head(flow->wide, flow->tree.children[child], flow->root);
        if (!bn_wide_send(flow->wide, to, fragment(flow, i), fragment_bytes(flow, i)))
            return false;
    }
    return true;
}

static bn_status_t copy_near(const struct flow *flow, int root, size_t offset, size_t nbytes)
{
    uint64_t data = (uint64_t)(flow->data + offset);
    return bn_wide_near(flow->wide, BN_BROADCAST,
                        (struct bn_call){.src = data, .dst = data, .nbytes = nbytes, .root = root});
}

/* On nodes other than the root's, after fragment i has arrived: copies the group that it completes, if any. */
static bn_status_t copy_behind(const struct flow *flow, size_t i)
{
    size_t first = i / flow->per_copy * flow->per_copy, end = first + flow->per_copy;
    if (i + 1 < end && i + 1 < flow->count)
        return BN_OK;
    size_t offset = first * flow->fragment, until = end < flow->count ? end * flow->fragment : flow->nbytes;
    return copy_near(flow, bn_wide_near_leader(flow->wide), offset, until - offset);
}

/* The root's node.  Sends that are not complete when all have copied complete afterwards. */
static bn_status_t run_at_root(const struct flow *flow)
{
    if (flow->wide->rank == flow->root)
        for (size_t i = 0; i < flow->count; i++)
            if (!send_on(flow, i))
                return BN_ERR_MEMORY;
    return copy_near(flow, bn_wide_near_rank(flow->wide, flow->root), 0, flow->nbytes);
}

static bool receive(const struct flow *flow, size_t i)
{
    struct bn_wide *wide = flow->wide;
    int from = bn_wide_head(wide, flow->tree.parent, flow->root);
    if (!bn_wide_receive(wide, from, fragment(flow, i), fragment_bytes(flow, i)))
        return false;
    if (flow->count == 1) /* some libraries allow a root with less data than the others have room for */
        wide->messages.list[wide->messages.count - 1].may_be_less = true;
    return true;
}

static bn_status_t run_at_head(const struct flow *flow)
{
    size_t received[OPEN]; /* messages, by fragment */
    for (size_t i = 0; i < flow->count + OPEN; i++) {
        if (i >= OPEN) {
            size_t ready = i - OPEN;
            bn_wide_await(flow->wide, received[ready % OPEN], received[ready % OPEN] + 1);
        }
        if (i < flow->count) {
            received[i % OPEN] = flow->wide->messages.count;
            if (!receive(flow, i))
                return BN_ERR_MEMORY;
        }
        if (i < OPEN)
            continue;
        size_t ready = i - OPEN;
        if (!send_on(flow, ready))
            return BN_ERR_MEMORY;
        bn_status_t status = copy_behind(flow, ready);
        if (status != BN_OK)
            return status;
    }
    return BN_OK;
}

static bn_status_t run_below_head(const struct flow *flow)
{
    bn_status_t status = BN_OK;
    for (size_t i = 0; status == BN_OK && i < flow->count; i++)
        status = copy_behind(flow, i);
    return status;
}

bn_status_t bn_wide_broadcast(struct bn_wide *wide, const struct bn_call *call)
{
    if (wide->circle)
        return bn_circle_broadcast(wide, call);
    int root_node = bn_wide_node_of(wide, call->root);
    struct flow flow = {
        .wide = wide,
        .tree = bn_wide_tree_choose(wide, root_node, call->nbytes),
        .data = (unsigned char *)(wide->rank == call->root ? call->src : call->dst),
        .nbytes = call->nbytes,
        .root = call->root,
    };
    flow.fragment = flow.tree.fragment;
    flow.count = (call->nbytes + flow.fragment - 1) / flow.fragment;
    flow.per_copy = (wide->network->step_bytes + flow.fragment - 1) / flow.fragment;
    flow.per_copy = flow.per_copy > 0 ? flow.per_copy : 1;
    if (root_node == wide->mine.index)
        return run_at_root(&flow);
    return bn_wide_is_leader(wide) ? run_at_head(&flow) : run_below_head(&flow);
}
