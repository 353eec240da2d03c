/*
 * combine_prefix.c: prefix reductions of vectors, if the ranks of each node are consecutive.
 *
 * A node combines its vectors and computes the prefixes among its own members, while the combined vectors of all
 * earlier nodes arrive along a chain of leaders, piece by piece; then each member combines these in front.
 */
#include "wide/helpers.h"
#include "wide/vectors.h"

#include <string.h>

struct chain {
    struct bn_wide *wide;
    const struct bn_call *call;
    unsigned char *before; /* the combined vectors of all earlier nodes */
    unsigned char *sum;    /* sum of this node, later of all nodes up to it; at leaders */
};

static bn_status_t make_near(const struct chain *chain, struct bn_elements piece)
{
    const struct bn_call *call = chain->call;
    bool has_next = chain->wide->mine.index + 1 < chain->wide->node_count;
    unsigned char *sum = chain->sum ? bn_elements_at(call, (uint64_t)chain->sum, piece) : NULL;
    bn_status_t status =
        has_next ? bn_wide_combine_near(chain->wide, call, piece, bn_wide_near_leader(chain->wide), sum) : BN_OK;
    struct bn_vector vector = *call->vector;
    vector.count = piece.count;
    if (status != BN_OK)
        return status;
    return bn_wide_near(chain->wide, BN_COMBINE_PREFIX,
                        (struct bn_call){.src = (uint64_t)bn_elements_at(call, call->src, piece),
                                         .dst = (uint64_t)bn_elements_at(call, call->dst, piece),
                                         .nbytes = bn_elements_bytes(call, piece),
                                         .vector = &vector});
}

static void put_in_front(const struct chain *chain, struct bn_elements piece)
{
    const struct bn_call *call = chain->call;
    unsigned char *dst = bn_elements_at(call, call->dst, piece);
    const unsigned char *before = bn_elements_at(call, (uint64_t)chain->before, piece);
    if (call->vector->is_exclusive && chain->wide->rank == bn_wide_first(chain->wide, &chain->wide->mine))
        memcpy(dst, before, bn_elements_bytes(call, piece));
    else
        bn_elements_combine(call, before, dst, piece.count);
}

/* At the leader: receives the sum of earlier nodes and forwards that of all nodes up to this one.  message: the one
 * that brings the former. */
static bool pass_on(const struct chain *chain, struct bn_elements piece, size_t message)
{
    struct bn_wide *wide = chain->wide;
    const struct bn_call *call = chain->call;
    unsigned char *sum = bn_elements_at(call, (uint64_t)chain->sum, piece);
    if (wide->mine.index > 0) {
        bn_wide_await(wide, message, message + 1);
        if (wide->mine.index + 1 < wide->node_count)
            bn_elements_combine(call, bn_elements_at(call, (uint64_t)chain->before, piece), sum, piece.count);
    }
    return wide->mine.index + 1 == wide->node_count ||
           bn_wide_send(wide, bn_wide_node(wide, wide->mine.index + 1).leader, sum, bn_elements_bytes(call, piece));
}

bn_status_t bn_wide_combine_prefix(struct bn_wide *wide, const struct bn_call *call)
{
    bool is_leader = bn_wide_is_leader(wide), is_first = wide->mine.index == 0;
    struct chain chain = {wide, call, bn_wide_room(wide, 0, call->nbytes),
                          is_leader ? bn_wide_room(wide, 1, call->nbytes) : NULL};
    struct bn_elements all = {0, call->vector->count}, piece;
    size_t piece_count = bn_vector_elements(call->vector, wide->network->fragment_bytes);
    bn_status_t status = chain.before && (chain.sum || !is_leader) ? BN_OK : BN_ERR_MEMORY;
    if (status == BN_OK && is_leader && !is_first)
        for (size_t i = 0; piece = bn_elements_piece(all, piece_count, i), piece.count > 0; i++)
            if (!bn_wide_receive(wide, bn_wide_node(wide, wide->mine.index - 1).leader,
                                 bn_elements_at(call, (uint64_t)chain.before, piece), bn_elements_bytes(call, piece)))
                return BN_ERR_MEMORY;
    for (size_t i = 0; status == BN_OK && (piece = bn_elements_piece(all, piece_count, i)).count > 0; i++) {
        status = make_near(&chain, piece);
        if (status == BN_OK && is_leader && !pass_on(&chain, piece, i))
            status = BN_ERR_MEMORY;
        if (status != BN_OK || is_first)
            continue;
        unsigned char *before = bn_elements_at(call, (uint64_t)chain.before, piece);
        status = bn_wide_broadcast_near(wide, bn_wide_near_leader(wide), before, bn_elements_bytes(call, piece));
        if (status == BN_OK)
            put_in_front(&chain, piece);
    }
    return status;
}
