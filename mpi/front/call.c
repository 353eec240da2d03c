#include "front/call.h"

#include "base/log.h"
#include "front/layout.h"
#include "front/layout.h"
#include "host/options.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>

/* ---- What a call says of itself, the same on all members ---- */

/* The bytes of one side; false if its arguments are wrong: then the library below says so. */
static bool measure(const struct bn_data *side, size_t *nbytes_p)
{
    const struct bn_layout *layout = bn_layout_of(side->type);
    if (!layout || side->count < 0)
        return false;
    *nbytes_p = layout->size_bytes * (size_t)side->count;
    return *nbytes_p == 0 || side->buffer || !layout->is_contiguous || layout->true_lb != 0;
}

static enum bn_mpi_reason measure_barrier(struct bn_args *args)
{
    args->nbytes = 0;
    return BN_MPI_OURS;
}

static enum bn_mpi_reason measure_bcast(struct bn_args *args)
{
    bool is_right = args->root >= 0 && args->root < args->communicator->size && measure(&args->recv, &args->nbytes);
    return is_right ? BN_MPI_OURS : BN_MPI_WRONG_ARGUMENT;
}

/* ---- What becomes of it ---- */

static bool carry_barrier(struct bn_args *args)
{
    bn_team_barrier(&args->communicator->team->team);
    return true;
}

static bool carry_bcast(struct bn_args *args)
{
    struct bn_communicator *communicator = args->communicator;
    bool is_root = communicator->rank == args->root;
    struct bn_packed packed;
    if (!bn_pack_begin(&packed, &args->recv, is_root, &communicator->rooms[0]))
        return false;
    const struct bn_call call = {
        .dst = packed.address,
        .src = is_root ? packed.address : 0, /* in place */
        .nbytes = args->nbytes,
        .root = args->root,
        .in = BN_SYNC_MY,
        .out = BN_SYNC_MY,
    };
    bool is_done = bn_operation_run(&communicator->team->team, BN_BROADCAST, &call) == BN_OK;
    bn_pack_end(&packed, !is_root);
    return is_done;
}

static const struct carrier {
    enum bn_mpi_reason (*measure)(struct bn_args *args);
    bool (*carry)(struct bn_args *args);
} carriers[BN_MPI_OPERATION_COUNT] = {
    [BN_MPI_BARRIER] = {measure_barrier, carry_barrier},
    [BN_MPI_BCAST] = {measure_bcast, carry_bcast},
};

/* ---- Whose it is ---- */

static enum bn_mpi_reason reason_against(struct bn_args *args)
{
    args->communicator = bn_communicator_of(args->comm);
    if (!args->communicator)
        return BN_MPI_NOT_READY;
    if (!args->communicator->team)
        return args->communicator->reason;
    if (!bn_mpi_is_on(args->operation))
        return BN_MPI_SWITCHED_OFF;
    enum bn_mpi_reason reason = carriers[args->operation].measure(args);
    return reason == BN_MPI_OURS && args->nbytes > INT_MAX ? BN_MPI_TOO_LARGE : reason;
}

bool bn_call_is_ours(struct bn_args *args)
{
    args->reason = reason_against(args);
    return args->reason == BN_MPI_OURS;
}

int bn_call_carry(struct bn_args *args)
{
    if (carriers[args->operation].carry(args))
        return MPI_SUCCESS;
    const char *name = bn_mpi_operation_name(args->operation);
    bn_log_error(
        "%s cannot be carried out: there is no memory, or the reason stands above; BANYAN_MPI_%s=off leaves it to "
        "the MPI library",
        name, name);
    below.Abort(args->comm, EXIT_FAILURE);
    return MPI_ERR_OTHER;
}
