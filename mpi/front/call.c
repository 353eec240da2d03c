#include "front/call.h"

#include "base/log.h"
#include "host/options.h"

#include <stdlib.h>

static enum bn_mpi_reason measure_nothing(struct bn_args *args)
{
    args->nbytes = 0;
    return BN_MPI_OURS;
}

static bool carry_barrier(struct bn_args *args)
{
    bn_team_barrier(&args->communicator->team->team);
    return true;
}

static const struct family {
    enum bn_mpi_reason (*measure)(struct bn_args *args);
    bool (*carry)(struct bn_args *args);
} barrier = {measure_nothing, carry_barrier}, blocks = {bn_blocks_measure, bn_blocks_carry},
  reduction = {bn_reduction_measure, bn_reduction_carry};

static const struct family *const families[BN_MPI_OPERATION_COUNT] = {
    [BN_MPI_BARRIER] = &barrier,
    [BN_MPI_BCAST] = &blocks,
    [BN_MPI_SCATTER] = &blocks,
    [BN_MPI_SCATTERV] = &blocks,
    [BN_MPI_GATHER] = &blocks,
    [BN_MPI_GATHERV] = &blocks,
    [BN_MPI_ALLGATHER] = &blocks,
    [BN_MPI_ALLGATHERV] = &blocks,
    [BN_MPI_ALLTOALL] = &blocks,
    [BN_MPI_ALLTOALLV] = &blocks,
    [BN_MPI_ALLTOALLW] = &blocks,
    [BN_MPI_REDUCE] = &reduction,
    [BN_MPI_ALLREDUCE] = &reduction,
    [BN_MPI_REDUCE_SCATTER] = &reduction,
    [BN_MPI_REDUCE_SCATTER_BLOCK] = &reduction,
    [BN_MPI_SCAN] = &reduction,
    [BN_MPI_EXSCAN] = &reduction,
};

static enum bn_mpi_reason reason_against(struct bn_args *args)
{
    args->communicator = bn_communicator_of(args->comm);
    if (!args->communicator)
        return BN_MPI_NOT_READY;
    if (!args->communicator->team)
        return args->communicator->reason;
    if (!bn_mpi_is_on(args->operation))
        return BN_MPI_SWITCHED_OFF;
    return families[args->operation]->measure(args);
}

bool bn_call_is_ours(struct bn_args *args)
{
    args->reason = reason_against(args);
    return args->reason == BN_MPI_OURS;
}

int bn_call_carry(struct bn_args *args)
{
    if (families[args->operation]->carry(args))
        return MPI_SUCCESS;
    const char *name = bn_mpi_operation_name(args->operation);
    bn_log_error("%s cannot be carried out: there is no memory, or the reason stands above; BANYAN_MPI_%s=off leaves "
                 "it to the MPI library",
                 name, name);
    below.Abort(args->comm, EXIT_FAILURE);
    return MPI_ERR_OTHER;
}
