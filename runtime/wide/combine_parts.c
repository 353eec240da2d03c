#include "wide/combine_parts.h"

#include <string.h>

size_t bn_combine_piece_count(const struct bn_combine_parts *parts)
{
    size_t largest = 0;
    for (int node = 0; node < parts->wide->node_count; node++) {
        size_t nbytes = bn_elements_bytes(parts->call, bn_combine_part(parts, node));
        largest = nbytes > largest ? nbytes : largest;
    }
    return bn_vector_elements(parts->call->vector, bn_wide_fragment(parts->wide, largest, 1, true));
}

/* Where the sums received from a node lie */
static unsigned char *received_from(const struct bn_combine_parts *parts, int node)
{
    size_t nbytes = bn_elements_bytes(parts->call, bn_combine_part(parts, parts->wide->mine.index));
    return parts->received + (size_t)node * nbytes;
}

unsigned char *bn_combine_own_place(const struct bn_combine_parts *parts)
{
    return received_from(parts, parts->wide->mine.index);
}

bool bn_combine_parts_open(struct bn_combine_parts *parts)
{
    struct bn_wide *wide = parts->wide;
    int self = wide->mine.index;
    struct bn_elements own = bn_combine_part(parts, self), piece;
    size_t piece_count = bn_combine_piece_count(parts), element_bytes = parts->call->vector->element_bytes;
    parts->sums = bn_wide_room(wide, 0, parts->call->nbytes);
    parts->received = bn_wide_room(wide, 1, (size_t)wide->node_count * bn_elements_bytes(parts->call, own));
    if (!parts->sums || !parts->received)
        return false;
    parts->first_message = wide->messages.count;
    for (size_t i = 0; piece = bn_elements_piece(own, piece_count, i), piece.count > 0; i++)
        for (int distance = 1; distance < wide->node_count; distance++) {
            const struct bn_node from = bn_wide_node_behind(wide, distance);
            unsigned char *to = received_from(parts, from.index) + (piece.first - own.first) * element_bytes;
            if (!bn_wide_receive(wide, bn_combine_head(parts, from.index), to, bn_elements_bytes(parts->call, piece)))
                return false;
        }
    return true;
}

bool bn_combine_parts_open_results(const struct bn_combine_parts *parts)
{
    struct bn_wide *wide = parts->wide;
    size_t piece_count = bn_combine_piece_count(parts);
    struct bn_elements piece;
    for (int distance = 1; distance < wide->node_count; distance++) {
        const struct bn_node from = bn_wide_node_behind(wide, wide->node_count - distance);
        struct bn_elements part = bn_combine_part(parts, from.index);
        for (size_t i = 0; piece = bn_elements_piece(part, piece_count, i), piece.count > 0; i++)
            if (!bn_wide_receive(wide, bn_combine_head(parts, from.index),
                                 bn_elements_at(parts->call, parts->call->dst, piece),
                                 bn_elements_bytes(parts->call, piece)))
                return false;
    }
    return true;
}

bn_status_t bn_combine_parts_send(struct bn_combine_parts *parts)
{
    struct bn_wide *wide = parts->wide;
    int near_head = bn_wide_near_rank(wide, bn_combine_head(parts, wide->mine.index));
    for (int distance = 1; distance <= wide->node_count; distance++) { /* its own part last */
        const struct bn_node to = bn_wide_node_behind(wide, distance);
        struct bn_elements part = bn_combine_part(parts, to.index), piece;
        size_t piece_count = bn_combine_piece_count(parts);
        for (size_t i = 0; piece = bn_elements_piece(part, piece_count, i), piece.count > 0; i++) {
            unsigned char *sum = parts->sums ? bn_elements_at(parts->call, (uint64_t)parts->sums, piece) : NULL;
            bn_status_t status = bn_wide_combine_near(wide, parts->call, piece, near_head, sum);
            if (status != BN_OK)
                return status;
            if (sum && distance < wide->node_count &&
                !bn_wide_send(wide, bn_combine_head(parts, to.index), sum, bn_elements_bytes(parts->call, piece)))
                return BN_ERR_MEMORY;
        }
    }
    return BN_OK;
}

/* Combines in the order of nodes, which is the order of ranks if the ranks of each node are consecutive. */
void bn_combine_parts_finish(struct bn_combine_parts *parts, size_t i, unsigned char *result)
{
    struct bn_wide *wide = parts->wide;
    int self = wide->mine.index, others = wide->node_count - 1;
    struct bn_elements own = bn_combine_part(parts, self);
    struct bn_elements piece = bn_elements_piece(own, bn_combine_piece_count(parts), i);
    size_t nbytes = bn_elements_bytes(parts->call, piece);
    size_t offset = (piece.first - own.first) * parts->call->vector->element_bytes;
    size_t message = parts->first_message + i * (size_t)others;
    bn_wide_await(wide, message, message + (size_t)others);
    for (int node = others; node >= 0; node--) {
        const unsigned char *sum = node == self ? bn_elements_at(parts->call, (uint64_t)parts->sums, piece)
                                                : received_from(parts, node) + offset;
        if (node == others)
            memcpy(result, sum, nbytes);
        else
            bn_elements_combine(parts->call, sum, result, piece.count);
    }
}
