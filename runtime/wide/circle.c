/*
 * circle.c: collectives of the leaders through the library below, in pieces: while one piece is in flight, nodes do
 * their share of others.  Heads are always leaders, whatever the root; between the root and its node's leader, data
 * moves as within any node.
 *
 * Libraries choose their algorithms by size, as if each piece were a separate call, so they perform best with few,
 * large pieces.
 */
#include "wide/helpers.h"
#include "wide/vectors.h"

enum { PIECES = 4, LEAST_PIECE_BYTES = 64 << 10 };

bool bn_circle_has(enum bn_operation operation, size_t nbytes)
{
    switch (operation) {
    case BN_BARRIER:
    case BN_BROADCAST:
    case BN_GATHER_ALL:
    case BN_GATHER_ALL_V:
    case BN_COMBINE:
    case BN_COMBINE_ALL: return true;
    case BN_EXCHANGE: return nbytes <= BN_WIDE_PACKED_BYTES;
    default: return false;
    }
}

/* Elements per piece, for count elements of element_bytes each; pieces are as equal as possible. */
static size_t piece_of(size_t count, size_t element_bytes)
{
    size_t pieces = count * element_bytes / LEAST_PIECE_BYTES, most = BN_MESSAGE_BYTES / element_bytes;
    pieces = pieces < 1 ? 1 : pieces > PIECES ? PIECES : pieces;
    size_t piece = (count + pieces - 1) / pieces;
    return piece < most || most == 0 ? piece : most;
}

static struct bn_message *begin(struct bn_wide *wide, size_t nbytes)
{
    struct bn_message *message = bn_wide_next_message(wide);
    if (message)
        message->entry =
            bn_record_begin(wide->record, (struct bn_record_entry){.kind = BN_RECORD_CIRCLE, .nbytes = nbytes});
    return message;
}

bn_status_t bn_circle_meet(struct bn_wide *wide)
{
    struct bn_message *message = begin(wide, 0);
    if (!message)
        return BN_ERR_MEMORY;
    wide->circle->barrier(wide->circle->context, message);
    bn_wide_await_all(wide);
    return BN_OK;
}

static size_t end_of(const struct bn_wide *wide, struct bn_circle_parts parts)
{
    return parts.offsets[wide->node_count - 1] + parts.bytes[wide->node_count - 1];
}

bool bn_circle_exchange(struct bn_wide *wide, const void *src, void *dst, struct bn_circle_parts parts)
{
    struct bn_message *message = begin(wide, end_of(wide, parts));
    if (message)
        wide->circle->exchange(wide->circle->context, src, dst, parts, message);
    return message != NULL;
}

bool bn_circle_gather_all(struct bn_wide *wide, void *data, struct bn_circle_parts parts)
{
    struct bn_message *message = begin(wide, end_of(wide, parts));
    if (message)
        wide->circle->gather_all(wide->circle->context, data, parts, message);
    return message != NULL;
}

/* ---- Broadcast ---- */

static bool broadcast_piece(struct bn_wide *wide, int root_node, unsigned char *data, size_t nbytes)
{
    struct bn_message *message = begin(wide, nbytes);
    if (message)
        wide->circle->broadcast(wide->circle->context, root_node, data, nbytes, message);
    return message != NULL;
}

/* A leader that is the root, or receives, begins all pieces before its node copies the first; otherwise each piece must
 * first reach the leader. */
bn_status_t bn_circle_broadcast(struct bn_wide *wide, const struct bn_call *call)
{
    int root_node = bn_wide_node_of(wide, call->root);
    bool is_here = root_node == wide->mine.index, is_leader = bn_wide_is_leader(wide);
    bool comes_first = is_leader && is_here && wide->rank != call->root;
    int near_root = is_here ? bn_wide_near_rank(wide, call->root) : bn_wide_near_leader(wide);
    unsigned char *data = (unsigned char *)(wide->rank == call->root ? call->src : call->dst);
    size_t piece = piece_of(call->nbytes, 1), nbytes;
    for (size_t done = 0; is_leader && !comes_first && done < call->nbytes; done += nbytes) {
        nbytes = call->nbytes - done < piece ? call->nbytes - done : piece;
        if (!broadcast_piece(wide, root_node, data + done, nbytes))
            return BN_ERR_MEMORY;
    }
    size_t message = 0;
    for (size_t done = 0; done < call->nbytes; done += nbytes, message++) {
        nbytes = call->nbytes - done < piece ? call->nbytes - done : piece;
        if (is_leader && !is_here)
            bn_wide_await(wide, message, message + 1);
        bn_status_t status = bn_wide_broadcast_near(wide, near_root, data + done, nbytes);
        if (status != BN_OK)
            return status;
        if (comes_first && !broadcast_piece(wide, root_node, data + done, nbytes))
            return BN_ERR_MEMORY;
    }
    return BN_OK;
}

/* ---- Reductions ---- */

/* The root is a rank, or BN_CIRCLE_ALL. */
struct reduction {
    struct bn_wide *wide;
    const struct bn_call *call;
    int root, root_node;
    size_t piece_count;            /* elements of a piece */
    bool gets_result;              /* some member of this node */
    unsigned char *sums, *results; /* at leaders; results: used if the leader is not itself a destination */
};

static struct bn_elements piece_at(const struct reduction *reduction, size_t i)
{
    return bn_elements_piece((struct bn_elements){0, reduction->call->vector->count}, reduction->piece_count, i);
}

/* Where a leader stores the result of a piece; null if it gets none */
static unsigned char *result_at(const struct reduction *reduction, struct bn_elements span)
{
    if (!reduction->gets_result)
        return NULL;
    uint64_t vector = reduction->results ? (uint64_t)reduction->results : reduction->call->dst;
    return bn_elements_at(reduction->call, vector, span);
}

static bool begin_piece(const struct reduction *reduction, struct bn_elements span)
{
    struct bn_wide *wide = reduction->wide;
    struct bn_message *message = begin(wide, bn_elements_bytes(reduction->call, span));
    if (message)
        wide->circle->combine(wide->circle->context, reduction->root_node,
                              bn_elements_at(reduction->call, (uint64_t)reduction->sums, span),
                              result_at(reduction, span), span.count, reduction->call->vector, message);
    return message != NULL;
}

/* Moves a result from the leader to the root, by a scatter in which all other blocks are empty */
static bn_status_t hand_to_root(const struct reduction *reduction, struct bn_elements span)
{
    struct bn_wide *wide = reduction->wide;
    int size = bn_wide_near_size(wide), near_root = bn_wide_near_rank(wide, reduction->root);
    size_t *bytes = wide->near_tables, *offsets = bytes + size, nbytes = bn_elements_bytes(reduction->call, span);
    const struct bn_block_table parts = {bytes, offsets};
    struct bn_call near = {.nbytes = 1, .root = bn_wide_near_leader(wide)};
    for (int i = 0; i < size; i++) {
        bytes[i] = i == near_root ? nbytes : 0;
        offsets[i] = 0;
    }
    if (bn_wide_is_leader(wide)) {
        near.src = (uint64_t)result_at(reduction, span);
        near.src_parts = &parts;
    }
    if (wide->rank == reduction->root) {
        near.dst = (uint64_t)bn_elements_at(reduction->call, reduction->call->dst, span);
        near.own_bytes = nbytes;
    }
    return bn_wide_near(wide, BN_SCATTER_V, near);
}

/* Delivers the result of a piece to the members of this node that get it */
static bn_status_t finish_piece(const struct reduction *reduction, size_t i)
{
    struct bn_wide *wide = reduction->wide;
    struct bn_elements span = piece_at(reduction, i);
    if (!reduction->gets_result)
        return BN_OK;
    if (bn_wide_is_leader(wide))
        bn_wide_await(wide, i, i + 1);
    if (reduction->root != BN_CIRCLE_ALL)
        return reduction->root == wide->mine.leader ? BN_OK : hand_to_root(reduction, span);
    return bn_wide_broadcast_near(wide, bn_wide_near_leader(wide),
                                  bn_elements_at(reduction->call, reduction->call->dst, span),
                                  bn_elements_bytes(reduction->call, span));
}

static bn_status_t reduce(struct bn_wide *wide, const struct bn_call *call, int root)
{
    struct reduction reduction = {
        .wide = wide,
        .call = call,
        .root = root,
        .root_node = root == BN_CIRCLE_ALL ? BN_CIRCLE_ALL : bn_wide_node_of(wide, root),
        .piece_count = piece_of(call->vector->count, call->vector->element_bytes),
    };
    reduction.gets_result = root == BN_CIRCLE_ALL || reduction.root_node == wide->mine.index;
    if (bn_wide_is_leader(wide)) {
        bool is_other = root != BN_CIRCLE_ALL && root != wide->rank && reduction.gets_result;
        reduction.sums = bn_wide_room(wide, 0, call->nbytes);
        reduction.results = is_other ? bn_wide_room(wide, 1, call->nbytes) : NULL;
        if (!reduction.sums || (is_other && !reduction.results))
            return BN_ERR_MEMORY;
    }
    struct bn_elements span;
    size_t i = 0;
    for (; span = piece_at(&reduction, i), span.count > 0; i++) {
        unsigned char *sum = reduction.sums ? bn_elements_at(call, (uint64_t)reduction.sums, span) : NULL;
        bn_status_t status = bn_wide_combine_near(wide, call, span, bn_wide_near_leader(wide), sum);
        if (status == BN_OK && sum && !begin_piece(&reduction, span))
            status = BN_ERR_MEMORY;
        if (status == BN_OK && i > 0)
            status = finish_piece(&reduction, i - 1);
        if (status != BN_OK)
            return status;
    }
    return i > 0 ? finish_piece(&reduction, i - 1) : BN_OK;
}

bn_status_t bn_circle_combine(struct bn_wide *wide, const struct bn_call *call)
{
    return reduce(wide, call, call->root);
}

bn_status_t bn_circle_combine_all(struct bn_wide *wide, const struct bn_call *call)
{
    return reduce(wide, call, BN_CIRCLE_ALL);
}
