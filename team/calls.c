/* calls.c: collectives that move blocks. */
#include "team/error.h"
#include "team/member.h"

#include <stdlib.h>
#include <string.h>

static banyan_status check_root(const banyan_team *team, const char *call, int root)
{
    if (root >= 0 && root < team->size)
        return BANYAN_OK;
    return bn_error(BANYAN_ARGUMENT, "%s: root must be 0 to %d, not %d", call, team->size - 1, root);
}

static banyan_status check_buffer(const char *call, const char *name, const void *buffer, bool is_needed)
{
    if (buffer || !is_needed)
        return BANYAN_OK;
    return bn_error(BANYAN_ARGUMENT, "%s: %s is null", call, name);
}

static banyan_status check_size(const char *call, int blocks, size_t bytes)
{
    if (!bn_is_too_large((size_t)blocks, bytes))
        return BANYAN_OK;
    return bn_error(BANYAN_ARGUMENT, "%s: %d times %zu bytes is larger than any buffer", call, blocks, bytes);
}

/* Makes the call unless an argument was wrong, and ends the turn. */
static banyan_status finish(banyan_team *team, banyan_status status, enum bn_operation operation,
                            const struct bn_call *call)
{
    if (status == BANYAN_OK)
        status = bn_member_run(team, operation, call);
    bn_member_end(team);
    return status;
}

static struct bn_call call_of(const void *dst, const void *src, size_t nbytes, int root)
{
    return (struct bn_call){.dst = (uint64_t)dst,
                            .src = (uint64_t)src,
                            .nbytes = nbytes,
                            .root = root,
                            .in = BN_SYNC_MY,
                            .out = BN_SYNC_MY};
}

/* A copy of data that are sent and received in place; null: no memory */
static void *copy_of(banyan_team *team, const void *data, size_t bytes)
{
    if (team->copy_bytes < bytes) {
        free(team->copy);
        team->copy = malloc(bytes);
        team->copy_bytes = team->copy ? bytes : 0;
    }
    return team->copy ? memcpy(team->copy, data, bytes) : NULL;
}

banyan_status banyan_barrier(banyan_team *team)
{
    banyan_status status = bn_member_begin(team);
    const struct bn_call call = call_of(NULL, NULL, 0, 0);
    return status != BANYAN_OK ? status : finish(team, status, BN_BARRIER, &call);
}

banyan_status banyan_broadcast(banyan_team *team, void *buffer, size_t bytes, int root)
{
    banyan_status status = bn_member_begin(team);
    if (status != BANYAN_OK)
        return status;
    status = check_root(team, "banyan_broadcast", root);
    if (status == BANYAN_OK)
        status = check_size("banyan_broadcast", 1, bytes);
    if (status == BANYAN_OK)
        status = check_buffer("banyan_broadcast", "buffer", buffer, bytes > 0);
    const struct bn_call call = call_of(buffer, root == team->rank ? buffer : NULL, bytes, root);
    return finish(team, status, BN_BROADCAST, &call);
}

banyan_status banyan_scatter(banyan_team *team, const void *send, void *recv, size_t bytes, int root)
{
    banyan_status status = bn_member_begin(team);
    if (status != BANYAN_OK)
        return status;
    bool is_root = root == team->rank;
    status = check_root(team, "banyan_scatter", root);
    if (status == BANYAN_OK)
        status = check_size("banyan_scatter", team->size, bytes);
    if (status == BANYAN_OK)
        status = check_buffer("banyan_scatter", "send of the root", send, is_root && bytes > 0);
    if (status == BANYAN_OK)
        status = check_buffer("banyan_scatter", "recv", recv, !is_root && bytes > 0);
    if (is_root && !recv && send)
        recv = (unsigned char *)send + (size_t)team->rank * bytes;
    const struct bn_call call = call_of(recv, is_root ? send : NULL, bytes, root);
    return finish(team, status, BN_SCATTER, &call);
}

banyan_status banyan_gather(banyan_team *team, const void *send, void *recv, size_t bytes, int root)
{
    banyan_status status = bn_member_begin(team);
    if (status != BANYAN_OK)
        return status;
    bool is_root = root == team->rank;
    status = check_root(team, "banyan_gather", root);
    if (status == BANYAN_OK)
        status = check_size("banyan_gather", team->size, bytes);
    if (status == BANYAN_OK)
        status = check_buffer("banyan_gather", "recv of the root", recv, is_root && bytes > 0);
    if (status == BANYAN_OK)
        status = check_buffer("banyan_gather", "send", send, !is_root && bytes > 0);
    if (is_root && !send && recv)
        send = (unsigned char *)recv + (size_t)team->rank * bytes;
    const struct bn_call call = call_of(is_root ? recv : NULL, send, bytes, root);
    return finish(team, status, BN_GATHER, &call);
}

banyan_status banyan_allgather(banyan_team *team, const void *send, void *recv, size_t bytes)
{
    banyan_status status = bn_member_begin(team);
    if (status != BANYAN_OK)
        return status;
    status = check_size("banyan_allgather", team->size, bytes);
    if (status == BANYAN_OK)
        status = check_buffer("banyan_allgather", "recv", recv, bytes > 0);
    if (!send && recv)
        send = (unsigned char *)recv + (size_t)team->rank * bytes;
    const struct bn_call call = call_of(recv, send, bytes, 0);
    return finish(team, status, BN_GATHER_ALL, &call);
}

banyan_status banyan_alltoall(banyan_team *team, const void *send, void *recv, size_t bytes)
{
    banyan_status status = bn_member_begin(team);
    if (status != BANYAN_OK)
        return status;
    status = check_size("banyan_alltoall", team->size, bytes);
    if (status == BANYAN_OK)
        status = check_buffer("banyan_alltoall", "recv", recv, bytes > 0);
    if (status == BANYAN_OK && !send && recv) {
        send = copy_of(team, recv, (size_t)team->size * bytes);
        if (!send && bytes > 0)
            status = bn_error(BANYAN_MEMORY, "banyan_alltoall: no memory for a copy of what is sent; the others wait "
                                             "for this call");
    }
    const struct bn_call call = call_of(recv, send, bytes, 0);
    return finish(team, status, BN_EXCHANGE, &call);
}

/* ---- Blocks of different sizes ---- */

static banyan_status check_tables(const banyan_team *team, const char *call, const size_t *bytes, const size_t *offsets)
{
    if (!bytes || !offsets)
        return bn_error(BANYAN_ARGUMENT, "%s: bytes or offsets are null", call);
    for (int rank = 0; rank < team->size; rank++)
        if (bytes[rank] > PTRDIFF_MAX || (bytes[rank] > 0 && offsets[rank] > PTRDIFF_MAX - bytes[rank]))
            return bn_error(BANYAN_ARGUMENT, "%s: a block of %zu bytes at offset %zu, for rank %d, exceeds any buffer",
                            call, bytes[rank], offsets[rank], rank);
    return BANYAN_OK;
}

banyan_status banyan_scatterv(banyan_team *team, const void *send, const size_t *bytes, const size_t *offsets,
                              void *recv, size_t recv_bytes, int root)
{
    banyan_status status = bn_member_begin(team);
    if (status != BANYAN_OK)
        return status;
    bool is_root = root == team->rank;
    const struct bn_block_table parts = {bytes, offsets};
    status = check_root(team, "banyan_scatterv", root);
    if (status == BANYAN_OK && is_root)
        status = check_tables(team, "banyan_scatterv", bytes, offsets);
    if (status == BANYAN_OK && is_root && recv && bytes[root] != recv_bytes)
        status = bn_error(BANYAN_ARGUMENT, "banyan_scatterv: the root sends itself %zu bytes, and receives %zu",
                          bytes[root], recv_bytes);
    if (status == BANYAN_OK && !is_root)
        status = check_size("banyan_scatterv", 1, recv_bytes);
    if (status == BANYAN_OK)
        status = check_buffer("banyan_scatterv", "recv", recv, !is_root && recv_bytes > 0);
    struct bn_call call = call_of(recv, is_root ? send : NULL, 1, root);
    if (is_root && status == BANYAN_OK) {
        call.src_parts = &parts;
        recv_bytes = bytes[root];
        if (!recv)
            call.dst = call.src + offsets[root];
    }
    call.own_bytes = recv_bytes;
    return finish(team, status, BN_SCATTER_V, &call);
}

banyan_status banyan_gatherv(banyan_team *team, const void *send, size_t send_bytes, void *recv, const size_t *bytes,
                             const size_t *offsets, int root)
{
    banyan_status status = bn_member_begin(team);
    if (status != BANYAN_OK)
        return status;
    bool is_root = root == team->rank;
    const struct bn_block_table parts = {bytes, offsets};
    status = check_root(team, "banyan_gatherv", root);
    if (status == BANYAN_OK && is_root)
        status = check_tables(team, "banyan_gatherv", bytes, offsets);
    if (status == BANYAN_OK && is_root && send && bytes[root] != send_bytes)
        status = bn_error(BANYAN_ARGUMENT, "banyan_gatherv: the root sends itself %zu bytes, and receives %zu",
                          send_bytes, bytes[root]);
    if (status == BANYAN_OK && !is_root)
        status = check_size("banyan_gatherv", 1, send_bytes);
    if (status == BANYAN_OK)
        status = check_buffer("banyan_gatherv", "send", send, !is_root && send_bytes > 0);
    struct bn_call call = call_of(is_root ? recv : NULL, send, 1, root);
    if (is_root && status == BANYAN_OK) {
        call.dst_parts = &parts;
        send_bytes = bytes[root];
        if (!send)
            call.src = call.dst + offsets[root];
    }
    call.own_bytes = send_bytes;
    return finish(team, status, BN_GATHER_V, &call);
}

banyan_status banyan_allgatherv(banyan_team *team, const void *send, void *recv, const size_t *bytes,
                                const size_t *offsets)
{
    banyan_status status = bn_member_begin(team);
    if (status != BANYAN_OK)
        return status;
    const struct bn_block_table parts = {bytes, offsets};
    struct bn_call call = call_of(recv, send, 1, 0);
    status = check_tables(team, "banyan_allgatherv", bytes, offsets);
    if (status == BANYAN_OK) {
        size_t total = 0;
        for (int rank = 0; rank < team->size; rank++)
            total += bytes[rank];
        call.nbytes = total / (size_t)team->size + 1;
        call.own_bytes = bytes[team->rank];
        call.dst_parts = &parts;
        if (!send)
            call.src = call.dst + offsets[team->rank];
    }
    return finish(team, status, BN_GATHER_ALL_V, &call);
}

banyan_status banyan_alltoallv(banyan_team *team, const void *send, const size_t *send_bytes,
                               const size_t *send_offsets, void *recv, const size_t *recv_bytes,
                               const size_t *recv_offsets)
{
    banyan_status status = bn_member_begin(team);
    if (status != BANYAN_OK)
        return status;
    const struct bn_block_table sends = {send_bytes, send_offsets}, recvs = {recv_bytes, recv_offsets};
    struct bn_call call = call_of(recv, send, 1, 0);
    call.src_parts = &sends;
    call.dst_parts = &recvs;
    status = check_tables(team, "banyan_alltoallv", send_bytes, send_offsets);
    if (status == BANYAN_OK)
        status = check_tables(team, "banyan_alltoallv", recv_bytes, recv_offsets);
    if (status == BANYAN_OK && send_bytes[team->rank] != recv_bytes[team->rank])
        status = bn_error(BANYAN_ARGUMENT, "banyan_alltoallv: this member sends itself %zu bytes, and receives %zu",
                          send_bytes[team->rank], recv_bytes[team->rank]);
    return finish(team, status, BN_EXCHANGE_V, &call);
}
