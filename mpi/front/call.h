/*
 * call.h: one call of a collective operation, whatever its name and the type of its counts.
 *
 *     struct bn_args args = {...};
 *     if (bn_call_is_ours(&args))
 *         return bn_call_carry(&args);
 *     return below.Bcast(...);
 */
#ifndef BN_MPI_FRONT_CALL_H
#define BN_MPI_FRONT_CALL_H

#include "front/packed.h"

struct bn_args {
    enum bn_mpi_operation operation;
    struct bn_data send, recv;
    int root;
    MPI_Comm comm;
    /* What bn_call_is_ours has found out */
    struct bn_communicator *communicator;
    enum bn_mpi_reason reason;
    size_t nbytes; /* of a block: the same on all members */
};

/** Whether the engine carries out the call: the same on all members of the communicator. */
bool bn_call_is_ours(struct bn_args *args);

/** Carries it out; what MPI_Bcast and others return. */
int bn_call_carry(struct bn_args *args);

#endif
