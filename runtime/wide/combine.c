/*
 * combine.c: reduction of a vector of each member to the root, along a tree of nodes, in fragments.
 *
 * A node combines the next fragment while its children's sums of the previous fragment are on the wire.  If the order
 * of operands matters, nodes form a chain from the last to the first, which sends the result to the root.  If it is
 * faster, each node combines a part instead (combine_by_parts.c).
 */
#include "wide/helpers.h"
#include "wide/vectors.h"

#include <string.h>

enum { OPEN = 4 }; /* fragments in flight, from a receive to the completion of the send of their sum */

struct stream {
    struct bn_wide *wide;
    const struct bn_call *call;
    struct bn_wide_tree tree;
    struct bn_elements all;
    size_t fragment_count; /* elements */
    size_t count;          /* of fragments */
    size_t slot_bytes;
    unsigned char *sums;                                         /* OPEN slots */
    unsigned char *received;                                     /* OPEN slots for each child */
    int last_node;                                               /* where the tree ends: the root's node, or the
                                                                  * first */
    size_t sent[OPEN], received_begin[OPEN], received_end[OPEN]; /* messages */
};

static struct bn_elements fragment(const struct stream *stream, size_t i)
{
    return bn_elements_piece(stream->all, stream->fragment_count, i);
}

static int head_of(const struct stream *stream, int node)
{
    return bn_wide_head(stream->wide, node, stream->call->root);
}

/* Whether this member is the root and the tree ends at its node */
static bool is_end_at_root(const struct stream *stream)
{
    return stream->wide->rank == stream->call->root && stream->last_node == stream->wide->mine.index;
}

static unsigned char *sum_at(const struct stream *stream, size_t i)
{
    return is_end_at_root(stream) ? bn_elements_at(stream->call, stream->call->dst, fragment(stream, i))
                                  : stream->sums + i % OPEN * stream->slot_bytes;
}

static unsigned char *received_at(const struct stream *stream, size_t i, int child)
{
    return stream->received + ((size_t)child * OPEN + i % OPEN) * stream->slot_bytes;
}

static bool open_receives(struct stream *stream, size_t i)
{
    stream->received_begin[i % OPEN] = stream->wide->messages.count;
    for (int child = 0; i < stream->count && child < stream->tree.child_count; child++)
        if (!bn_wide_receive(stream->wide, head_of(stream, stream->tree.children[child]), received_at(stream, i, child),
                             bn_elements_bytes(stream->call, fragment(stream, i))))
            return false;
    stream->received_end[i % OPEN] = stream->wide->messages.count;
    return true;
}

/* Sends this node's sum of a fragment to the parent, or from the end of the tree to the root; the root keeps it. */
static bool send_on(struct stream *stream, size_t i)
{
    struct bn_wide *wide = stream->wide;
    size_t nbytes = bn_elements_bytes(stream->call, fragment(stream, i));
    stream->sent[i % OPEN] = wide->messages.count;
    if (stream->tree.parent >= 0)
        return bn_wide_send(wide, head_of(stream, stream->tree.parent), sum_at(stream, i), nbytes);
    return is_end_at_root(stream) || bn_wide_send(wide, stream->call->root, sum_at(stream, i), nbytes);
}

static bool finish(struct stream *stream, size_t i)
{
    size_t count = fragment(stream, i).count;
    bn_wide_await(stream->wide, stream->received_begin[i % OPEN], stream->received_end[i % OPEN]);
    for (int child = 0; child < stream->tree.child_count; child++) {
        unsigned char *received = received_at(stream, i, child), *sum = sum_at(stream, i);
        if (!stream->call->vector->keeps_order) {
            bn_elements_combine(stream->call, received, sum, count);
            continue;
        }
        bn_elements_combine(stream->call, sum, received, count); /* later nodes are the right operand */
        memcpy(sum, received, bn_elements_bytes(stream->call, fragment(stream, i)));
    }
    return send_on(stream, i) && open_receives(stream, i + OPEN);
}

/* Receives the result from the end of the tree, if that is elsewhere.  A fragment arrives only after this node has
 * contributed its share, so dst may equal src. */
static bool receive_result(const struct stream *stream)
{
    int from = head_of(stream, stream->last_node);
    for (size_t i = 0; i < stream->count; i++) {
        struct bn_elements span = fragment(stream, i);
        if (!bn_wide_receive(stream->wide, from, bn_elements_at(stream->call, stream->call->dst, span),
                             bn_elements_bytes(stream->call, span)))
            return false;
    }
    return true;
}

static bool prepare(struct stream *stream)
{
    size_t children = (size_t)stream->tree.child_count;
    stream->slot_bytes = (stream->fragment_count * stream->call->vector->element_bytes + BN_LINE_BYTES - 1) /
                         BN_LINE_BYTES * BN_LINE_BYTES;
    stream->sums = bn_wide_room(stream->wide, 0, OPEN * stream->slot_bytes);
    stream->received = bn_wide_room(stream->wide, 1, children * OPEN * stream->slot_bytes);
    if (!stream->sums || !stream->received)
        return false;
    if (stream->wide->rank == stream->call->root && !is_end_at_root(stream) && !receive_result(stream))
        return false;
    for (size_t i = 0; i < OPEN; i++)
        if (!open_receives(stream, i))
            return false;
    return true;
}

static bn_status_t run_at_head(struct stream *stream)
{
    struct bn_wide *wide = stream->wide;
    bn_status_t status = prepare(stream) ? BN_OK : BN_ERR_MEMORY;
    for (size_t i = 0; status == BN_OK && i <= stream->count; i++) {
        if (i < stream->count) {
            if (i >= OPEN && !is_end_at_root(stream))
                bn_wide_await(wide, stream->sent[i % OPEN], stream->sent[i % OPEN] + 1);
            status = bn_wide_combine_near(wide, stream->call, fragment(stream, i), bn_wide_near_rank(wide, wide->rank),
                                          sum_at(stream, i));
        }
        if (status == BN_OK && i > 0 && !finish(stream, i - 1))
            status = BN_ERR_MEMORY;
    }
    return status;
}

static bn_status_t run_below_head(struct stream *stream, int head)
{
    bn_status_t status = BN_OK;
    for (size_t i = 0; status == BN_OK && i < stream->count; i++)
        status = bn_wide_combine_near(stream->wide, stream->call, fragment(stream, i),
                                      bn_wide_near_rank(stream->wide, head), NULL);
    return status;
}

bn_status_t bn_wide_combine(struct bn_wide *wide, const struct bn_call *call)
{
    if (wide->circle)
        return bn_circle_combine(wide, call);
    int root_node = bn_wide_node_of(wide, call->root);
    bool keeps_order = call->vector->keeps_order;
    struct stream stream = {
        .wide = wide,
        .call = call,
        .tree = bn_wide_tree_choose(wide, root_node, call->nbytes),
        .all = {0, call->vector->count},
        .last_node = keeps_order ? 0 : root_node,
    };
    if (keeps_order) {
        /* A chain to the first node, and from there to the root */
        stream.tree.time = bn_wide_chain_time(wide, wide->node_count - 1 + (root_node > 0), call->nbytes);
        stream.tree.parent = wide->mine.index - 1;
        stream.tree.child_count = wide->mine.index + 1 < wide->node_count;
        stream.tree.children[0] = wide->mine.index + 1;
    }
    if (wide->node_count > 1 && bn_wide_parts_time(wide, call->nbytes) < stream.tree.time)
        return bn_wide_combine_by_parts(wide, call);
    stream.fragment_count =
        bn_vector_elements(call->vector, bn_wide_fragment(wide, call->nbytes, wide->node_count - 1, true));
    stream.count = (stream.all.count + stream.fragment_count - 1) / stream.fragment_count;
    int head = head_of(&stream, wide->mine.index);
    return head == wide->rank ? run_at_head(&stream) : run_below_head(&stream, head);
}
