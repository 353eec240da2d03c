/*
 * combine_all.c: reduction of a vector of each member with the result at all members, bitwise identical.
 *
 * Short vectors: each leader sends the sum of its node to all others, and each combines them in the order of nodes.
 * Long ones: each node combines a part and sends the result to all.  On very many nodes, short ones go up a tree and
 * down again.
 */
#include "wide/combine_parts.h"

#include <string.h>

enum { DIRECT_NODES = 32 };

/* Compares the bytes on a link: (m - 1) n + l for the short algorithm, 2 (m - 1) n / m + 2 l for the long one */
static bool is_short(const struct bn_wide *wide, const struct bn_call *call)
{
    size_t others = (size_t)wide->node_count - 1, count = (size_t)wide->node_count;
    return others * call->nbytes <= 2 * others * call->nbytes / count + wide->network->latency_bytes;
}

/* ---- Short ---- */

static bn_status_t swap_sums(struct bn_wide *wide, const struct bn_call *call, unsigned char *sums)
{
    size_t nbytes = call->nbytes;
    int others = wide->node_count - 1;
    for (int distance = 1; distance <= others; distance++) {
        const struct bn_node other = bn_wide_node_behind(wide, distance);
        if (!bn_wide_receive(wide, other.leader, sums + (size_t)other.index * nbytes, nbytes) ||
            !bn_wide_send(wide, other.leader, sums + (size_t)wide->mine.index * nbytes, nbytes))
            return BN_ERR_MEMORY;
    }
    bn_wide_await_all(wide);
    memcpy((void *)call->dst, sums + (size_t)others * nbytes, nbytes);
    for (int node = others - 1; node >= 0; node--)
        bn_elements_combine(call, sums + (size_t)node * nbytes, (void *)call->dst, call->vector->count);
    return BN_OK;
}

static bn_status_t combine_short(struct bn_wide *wide, const struct bn_call *call)
{
    unsigned char *sums = NULL;
    if (bn_wide_is_leader(wide)) {
        sums = bn_wide_room(wide, 0, (size_t)wide->node_count * call->nbytes);
        if (!sums)
            return BN_ERR_MEMORY;
    }
    bn_status_t status =
        bn_wide_combine_near(wide, call, (struct bn_elements){0, call->vector->count}, bn_wide_near_leader(wide),
                             sums ? sums + (size_t)wide->mine.index * call->nbytes : NULL);
    if (status == BN_OK && sums)
        status = swap_sums(wide, call, sums);
    return status == BN_OK ? bn_wide_broadcast_near(wide, bn_wide_near_leader(wide), (void *)call->dst, call->nbytes)
                           : status;
}

/* ---- Long ---- */

static bool send_result(struct bn_wide *wide, const unsigned char *result, size_t nbytes)
{
    for (int distance = 1; distance < wide->node_count; distance++) {
        const struct bn_node to = bn_wide_node_behind(wide, distance);
        if (!bn_wide_send(wide, to.leader, result, nbytes))
            return false;
    }
    return true;
}

/* Copies the result of a node's part, piece by piece, to all members of this node; message_p: the message with the
 * first piece, at leaders of other nodes */
static bn_status_t spread_part(struct bn_combine_parts *parts, int node, size_t *message_p)
{
    struct bn_wide *wide = parts->wide;
    struct bn_elements part = bn_combine_part(parts, node), piece;
    size_t piece_count = bn_combine_piece_count(parts);
    for (size_t i = 0; piece = bn_elements_piece(part, piece_count, i), piece.count > 0; i++) {
        unsigned char *result = bn_elements_at(parts->call, parts->call->dst, piece);
        size_t nbytes = bn_elements_bytes(parts->call, piece);
        if (bn_wide_is_leader(wide) && node == wide->mine.index) {
            bn_combine_parts_finish(parts, i, result);
            if (!send_result(wide, result, nbytes))
                return BN_ERR_MEMORY;
        } else if (bn_wide_is_leader(wide)) {
            bn_wide_await(wide, *message_p, *message_p + 1);
            ++*message_p;
        }
        bn_status_t status = bn_wide_broadcast_near(wide, bn_wide_near_leader(wide), result, nbytes);
        if (status != BN_OK)
            return status;
    }
    return BN_OK;
}

static bn_status_t combine_long(struct bn_wide *wide, const struct bn_call *call)
{
    size_t *begin = (size_t *)bn_wide_room(wide, 2, ((size_t)wide->node_count + 1) * sizeof *begin), results = 0;
    struct bn_combine_parts parts = {.wide = wide, .call = call, .root = BN_LEADERS, .begin = begin};
    if (!begin)
        return BN_ERR_MEMORY;
    size_t share = call->vector->count / (size_t)wide->node_count,
           more = call->vector->count % (size_t)wide->node_count;
    for (size_t node = 0; node <= (size_t)wide->node_count; node++)
        begin[node] = node * share + (node < more ? node : more);
    if (bn_wide_is_leader(wide)) {
        if (!bn_combine_parts_open(&parts))
            return BN_ERR_MEMORY;
        results = wide->messages.count;
        if (!bn_combine_parts_open_results(&parts))
            return BN_ERR_MEMORY;
    }
    bn_status_t status = bn_combine_parts_send(&parts);
    for (int distance = 0; status == BN_OK && distance < wide->node_count; distance++) {
        const struct bn_node node = bn_wide_node_behind(wide, wide->node_count - distance);
        status = spread_part(&parts, node.index, &results);
    }
    return status;
}

/* ---- Up and down ---- */

static bn_status_t combine_at_first(struct bn_wide *wide, const struct bn_call *call)
{
    struct bn_call first = *call;
    first.root = bn_wide_leader(wide, 0);
    bn_status_t status = bn_wide_combine(wide, &first);
    bn_wide_await_all(wide);
    first.src = call->dst;
    return status == BN_OK ? bn_wide_broadcast(wide, &first) : status;
}

bn_status_t bn_wide_combine_all(struct bn_wide *wide, const struct bn_call *call)
{
    if (wide->circle)
        return bn_circle_combine_all(wide, call);
    if (!is_short(wide, call))
        return combine_long(wide, call);
    return wide->node_count <= DIRECT_NODES ? combine_short(wide, call) : combine_at_first(wide, call);
}
