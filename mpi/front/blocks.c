/*
 * blocks.c: operations that move blocks: which blocks each member has, and where its own one lies with MPI_IN_PLACE.
 */
#include "front/packed.h"

#include "front/layout.h"

struct role {
    enum bn_blocks sends, recvs;
};

static const struct move {
    enum bn_operation operation;
    bool has_root;
    struct role root, others; /* operations without a root only use others */
} moves[BN_MPI_OPERATION_COUNT] = {
    [BN_MPI_BCAST] = {BN_BROADCAST, true, {BN_NO_BLOCK, BN_ONE_BLOCK}, {BN_NO_BLOCK, BN_ONE_BLOCK}},
    [BN_MPI_SCATTER] = {BN_SCATTER, true, {BN_ALL_BLOCKS, BN_ONE_BLOCK}, {BN_NO_BLOCK, BN_ONE_BLOCK}},
    [BN_MPI_SCATTERV] = {BN_SCATTER_V, true, {BN_ALL_BLOCKS, BN_ONE_BLOCK}, {BN_NO_BLOCK, BN_ONE_BLOCK}},
    [BN_MPI_GATHER] = {BN_GATHER, true, {BN_ONE_BLOCK, BN_ALL_BLOCKS}, {BN_ONE_BLOCK, BN_NO_BLOCK}},
    [BN_MPI_GATHERV] = {BN_GATHER_V, true, {BN_ONE_BLOCK, BN_ALL_BLOCKS}, {BN_ONE_BLOCK, BN_NO_BLOCK}},
    [BN_MPI_ALLGATHER] = {BN_GATHER_ALL, false, {0}, {BN_ONE_BLOCK, BN_ALL_BLOCKS}},
    [BN_MPI_ALLGATHERV] = {BN_GATHER_ALL_V, false, {0}, {BN_ONE_BLOCK, BN_ALL_BLOCKS}},
    [BN_MPI_ALLTOALL] = {BN_EXCHANGE, false, {0}, {BN_ALL_BLOCKS, BN_ALL_BLOCKS}},
    [BN_MPI_ALLTOALLV] = {BN_EXCHANGE_V, false, {0}, {BN_ALL_BLOCKS, BN_ALL_BLOCKS}},
    [BN_MPI_ALLTOALLW] = {BN_EXCHANGE_V, false, {0}, {BN_ALL_BLOCKS, BN_ALL_BLOCKS}},
};

enum bn_operation bn_blocks_operation(const struct bn_args *args)
{
    return moves[args->operation].operation;
}

/* What this member sends and receives; a side that is MPI_IN_PLACE counts as having no block. */
struct own_role {
    struct role role;
    bool is_send_in_place, is_recv_in_place;
};

static struct own_role role_of(const struct bn_args *args)
{
    const struct move *move = &moves[args->operation];
    struct own_role own = {.role = move->has_root && bn_is_root(args) ? move->root : move->others};
    own.is_send_in_place = own.role.sends != BN_NO_BLOCK && args->send.buffer == MPI_IN_PLACE;
    own.is_recv_in_place = own.role.recvs != BN_NO_BLOCK && args->recv.buffer == MPI_IN_PLACE;
    if (own.is_send_in_place)
        own.role.sends = BN_NO_BLOCK;
    if (own.is_recv_in_place)
        own.role.recvs = BN_NO_BLOCK;
    return own;
}

/* What a member sends and what it receives, as bn_side_measure counts it */
struct own_bytes {
    size_t sent, received;
};

static bool has_lists(const struct bn_args *args)
{
    return moves[args->operation].operation >= BN_UPC_OPERATION_COUNT;
}

/* Whether a side has the lists by rank that its operation takes.  One without counts would look like equal blocks. */
static bool is_complete(const struct bn_args *args, const struct bn_side *side, enum bn_blocks blocks)
{
    if (blocks != BN_ALL_BLOCKS || !has_lists(args))
        return true;
    return side->counts && side->offsets && (side->types || args->operation != BN_MPI_ALLTOALLW);
}

static bool is_right(const struct bn_args *args, const struct own_role *own, struct own_bytes *nbytes)
{
    const struct move *move = &moves[args->operation];
    const struct role *both = bn_is_root(args) && move->has_root ? &move->root : &move->others;
    if (move->has_root && (args->root < 0 || args->root >= args->communicator->size))
        return false;
    /* The side that may be in place: on a root the one that is its own block, elsewhere what is sent */
    if (own->is_recv_in_place && both->sends != BN_ALL_BLOCKS)
        return false;
    if (own->is_recv_in_place && !move->has_root)
        return false;
    if (own->is_send_in_place && both->recvs != BN_ALL_BLOCKS)
        return false;
    if (!is_complete(args, &args->send, own->role.sends) || !is_complete(args, &args->recv, own->role.recvs))
        return false;
    return bn_side_measure(args, &args->send, own->role.sends, &nbytes->sent) &&
           bn_side_measure(args, &args->recv, own->role.recvs, &nbytes->received);
}

static size_t larger(size_t left, size_t right)
{
    return left > right ? left : right;
}

/* The size of a block; if there is one for each member, their mean, rounded up */
static size_t block_bytes(const struct bn_args *args, enum bn_blocks blocks, size_t nbytes)
{
    size_t size = (size_t)args->communicator->size;
    return blocks == BN_ALL_BLOCKS ? (nbytes + size - 1) / size : nbytes;
}

static void measure_differing(struct bn_args *args, const struct own_role *own, const struct own_bytes *nbytes)
{
    size_t sent_bytes = block_bytes(args, own->role.sends, nbytes->sent);
    size_t received_bytes = block_bytes(args, own->role.recvs, nbytes->received);
    args->own_bytes = larger(sent_bytes, received_bytes);
    args->known_bytes = larger(larger(own->role.sends == BN_ALL_BLOCKS ? sent_bytes : 0,
                                      own->role.recvs == BN_ALL_BLOCKS ? received_bytes : 0),
                               1);
    args->is_unknown = args->operation != BN_MPI_ALLGATHERV;
    args->nbytes = args->is_unknown ? 1 : args->known_bytes;
}

/* Whether the member's own block does not fit where it receives it; libraries notice that when they copy it. */
static bool is_short(const struct bn_args *args, const struct own_role *own)
{
    int rank = args->communicator->rank;
    return own->role.sends != BN_NO_BLOCK && own->role.recvs != BN_NO_BLOCK &&
           bn_side_block_bytes(args, &args->recv, rank) < bn_side_block_bytes(args, &args->send, rank);
}

/* Refuses only what MPI forbids on this member (call.h). */
enum bn_mpi_reason bn_blocks_measure(struct bn_args *args)
{
    const struct own_role own = role_of(args);
    struct own_bytes nbytes;
    if (!is_right(args, &own, &nbytes))
        return BN_MPI_WRONG_ARGUMENT;
    args->is_short = is_short(args, &own);
    if (has_lists(args)) {
        int limit = BN_TEAM_ROOM_BYTES / (int)sizeof(uint64_t);
        measure_differing(args, &own, &nbytes);
        return args->communicator->largest_team > limit ? BN_MPI_TOO_MANY : BN_MPI_OURS;
    }
    /* Both sides of a block have the same size, so one of them is enough.  If this member's receiving side is too
     * short, its sending side more likely matches the other members, except in an all-to-all exchange. */
    bool sends = own.role.recvs == BN_NO_BLOCK || (args->is_short && args->operation != BN_MPI_ALLTOALL);
    const struct bn_side *side = sends ? &args->send : &args->recv;
    args->nbytes = bn_side_block_bytes(args, side, 0);
    return args->nbytes > BN_MPI_BLOCK_BYTES ? BN_MPI_TOO_LARGE : BN_MPI_OURS;
}

/* The member's own block on a side that has one for each member */
static const char *own_block_of(const struct bn_args *args, const struct bn_side *side)
{
    int rank = args->communicator->rank;
    MPI_Aint blocks = (MPI_Aint)rank * side->count;
    if (side->counts)
        blocks = args->is_large ? ((const MPI_Aint *)side->offsets)[rank] : ((const int *)side->offsets)[rank];
    return (const char *)side->buffer + blocks * bn_layout_of(side->type)->extent;
}

/* By MPICH's rule: types and counts must be the same, too. */
bool bn_blocks_are_aliased(const struct bn_args *args)
{
    const struct own_role own = role_of(args);
    const struct bn_side *send = &args->send, *recv = &args->recv;
    int rank = args->communicator->rank;
    if (own.role.sends == BN_NO_BLOCK || own.role.recvs == BN_NO_BLOCK)
        return false;
    if (own.role.sends == BN_ALL_BLOCKS && own.role.recvs == BN_ALL_BLOCKS)
        return send->buffer == recv->buffer && send->types == recv->types && send->type == recv->type &&
               send->counts == recv->counts && (send->counts || (send->count == recv->count && send->count > 0));
    size_t nbytes = bn_side_block_bytes(args, send, rank);
    const void *from = own.role.sends == BN_ALL_BLOCKS ? own_block_of(args, send) : send->buffer;
    const void *to = own.role.recvs == BN_ALL_BLOCKS ? own_block_of(args, recv) : recv->buffer;
    return send->type == recv->type && nbytes > 0 && nbytes == bn_side_block_bytes(args, recv, rank) && from == to;
}

/* The address of the member's own block among all blocks */
static uint64_t own_block(const struct bn_packed *all, size_t nbytes)
{
    size_t rank = (size_t)all->args->communicator->rank;
    return all->address + (all->parts.bytes ? all->parts.offsets[rank] : rank * nbytes);
}

static void fill_call(const struct bn_args *args, const struct own_role *own, const struct bn_packed *send,
                      const struct bn_packed *recv, struct bn_call *call)
{
    int rank = args->communicator->rank;
    call->src = send->address;
    call->dst = recv->address;
    call->src_parts = send->parts.bytes ? &send->parts : NULL;
    call->dst_parts = recv->parts.bytes ? &recv->parts : NULL;
    if (own->is_recv_in_place)
        call->dst = own_block(send, args->nbytes);
    else if (own->is_send_in_place && send->address == 0)
        call->src = own_block(recv, args->nbytes);
    else if (args->operation == BN_MPI_BCAST && bn_is_root(args))
        call->src = recv->address;
    if (send->parts.bytes && !recv->parts.bytes)
        call->own_bytes = send->parts.bytes[rank];
    else if (recv->parts.bytes && !send->parts.bytes)
        call->own_bytes = recv->parts.bytes[rank];
    else if (own->role.sends == BN_ONE_BLOCK)
        call->own_bytes = bn_side_block_bytes(args, &args->send, 0);
    else if (own->role.recvs == BN_ONE_BLOCK)
        call->own_bytes = bn_side_block_bytes(args, &args->recv, 0);
}

bool bn_blocks_carry(struct bn_args *args)
{
    const struct move *move = &moves[args->operation];
    const struct own_role own = role_of(args);
    bool all_both =
        move->others.sends == BN_ALL_BLOCKS && own.is_send_in_place; /* what it sends is in the receive buffer */
    bool is_bcast_root = args->operation == BN_MPI_BCAST && bn_is_root(args);
    struct bn_packed send, recv;
    if (args->nbytes == 0)
        return true;
    const struct bn_packing sends = {all_both ? BN_ALL_BLOCKS : own.role.sends, true, all_both};
    const struct bn_packing recvs = {own.role.recvs, is_bcast_root || (own.is_send_in_place && !all_both), false};
    if (!bn_pack_begin(&send, args, all_both ? &args->recv : &args->send, 0, sends))
        return false;
    bool is_aside = args->is_short && !args->recv.counts && args->operation != BN_MPI_ALLTOALL;
    bool is_done = is_aside ? bn_pack_aside(&recv, args, recvs.blocks, 1,
                                            bn_side_block_bytes(args, &args->send, args->communicator->rank))
                            : bn_pack_begin(&recv, args, &args->recv, 1, recvs);
    if (is_done) {
        struct bn_call call = {.nbytes = args->nbytes, .root = args->root, .in = BN_SYNC_MY, .out = BN_SYNC_MY};
        fill_call(args, &own, &send, &recv, &call);
        is_done = bn_communicator_run(args->communicator, move->operation, &call) == BN_OK;
        bn_pack_end(&recv, is_done && !is_bcast_root && !is_aside);
    }
    bn_pack_end(&send, false);
    return is_done;
}
