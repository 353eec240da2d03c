/*
 * combine_by_parts.c: reduction to the root in which each node combines a part of the vector, and the root receives the
 * results.
 *
 * Time, as in tree.c, if the root's node combines w bytes and the m - 1 others share the rest: the larger of
 *
 *     2 l + 2 (n - w)         another node: its share from all nodes, then the root receives all these shares
 *     l + n + (m - 2) w       the link of the root's node
 *
 * plus 2 (m - 1) messages.  The two are equal for w = (l + n) / m.
 */
#include "wide/combine_parts.h"

static double share_of_root(const struct bn_wide *wide, size_t nbytes)
{
    double share = (double)(wide->network->latency_bytes + nbytes) / wide->node_count;
    return share < (double)nbytes ? share : (double)nbytes;
}

double bn_wide_parts_time(const struct bn_wide *wide, size_t nbytes)
{
    double n = (double)nbytes, l = (double)wide->network->latency_bytes, share = share_of_root(wide, nbytes);
    double others = 2 * l + 2 * (n - share), link = l + n + (wide->node_count - 2) * share;
    double messages = 2 * (wide->node_count - 1) * (double)wide->network->message_bytes;
    return messages + (others > link ? others : link);
}

/* Computes the begin of each node's part, in elements */
static void share_out(const struct bn_wide *wide, const struct bn_call *call, size_t *begin)
{
    size_t root_node = (size_t)bn_wide_node_of(wide, call->root), others = (size_t)wide->node_count - 1;
    size_t of_root = (size_t)(share_of_root(wide, call->nbytes) / (double)call->vector->element_bytes);
    size_t left = call->vector->count - of_root, taken = 0;
    begin[0] = 0;
    for (size_t node = 0, other = 0; node <= others; node++) {
        if (node == root_node) {
            taken += of_root;
        } else {
            taken += left / others + (other < left % others);
            other++;
        }
        begin[node + 1] = taken;
    }
}

/* Finishes this node's part, piece by piece: the root keeps it, others send it to the root */
static bool finish(struct bn_combine_parts *parts)
{
    struct bn_wide *wide = parts->wide;
    struct bn_elements own = bn_combine_part(parts, wide->mine.index), piece;
    bool is_root = wide->rank == parts->root;
    unsigned char *result = is_root ? bn_elements_at(parts->call, parts->call->dst, own) : bn_combine_own_place(parts);
    size_t piece_count = bn_combine_piece_count(parts), nbytes;
    for (size_t i = 0; piece = bn_elements_piece(own, piece_count, i), piece.count > 0; i++, result += nbytes) {
        nbytes = bn_elements_bytes(parts->call, piece);
        bn_combine_parts_finish(parts, i, result);
        if (!is_root && !bn_wide_send(wide, parts->root, result, nbytes))
            return false;
    }
    return true;
}

bn_status_t bn_wide_combine_by_parts(struct bn_wide *wide, const struct bn_call *call)
{
    size_t *begin = (size_t *)bn_wide_room(wide, 2, ((size_t)wide->node_count + 1) * sizeof *begin);
    struct bn_combine_parts parts = {.wide = wide, .call = call, .root = call->root, .begin = begin};
    if (!begin)
        return BN_ERR_MEMORY;
    share_out(wide, call, begin);
    bool is_head = bn_combine_is_head(&parts);
    if (is_head && !bn_combine_parts_open(&parts))
        return BN_ERR_MEMORY;
    if (wide->rank == call->root && !bn_combine_parts_open_results(&parts))
        return BN_ERR_MEMORY;
    bn_status_t status = bn_combine_parts_send(&parts);
    return status == BN_OK && is_head && !finish(&parts) ? BN_ERR_MEMORY : status;
}
