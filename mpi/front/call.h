/*
 * call.h: one call of a collective operation, whatever its name and the type of its counts.
 *
 *     struct bn_args args = {...};
 *     if (bn_call_is_ours(&args))
 *         return bn_call_carry(&args);
 *     return below.Bcast(...);
 *
 * Whether it is ours must be the same on all members, so it rests on what MPI makes equal everywhere: the communicator,
 * the operation, the root, the bytes of a block; of reductions also the type and the operation.
 */
#ifndef BN_MPI_FRONT_CALL_H
#define BN_MPI_FRONT_CALL_H

#include "front/communicator.h"

/* One side of a call: a block, or one for each member */
struct bn_side {
    const void *buffer;
    MPI_Count count; /* of each block */
    MPI_Datatype type;
    const void *counts, *offsets; /* by rank, ints or large ones; null: all blocks are alike, one behind the other */
    const MPI_Datatype *types;    /* by rank, and offsets are bytes; null: type, and offsets are elements */
};

struct bn_args {
    enum bn_mpi_operation operation;
    bool is_large; /* counts are MPI_Count, and offsets MPI_Aint */
    struct bn_side send, recv;
    int root;
    MPI_Op op;
    MPI_Comm comm;
    /* What bn_call_is_ours has found out */
    struct bn_communicator *communicator;
    enum bn_mpi_reason reason;
    size_t nbytes; /* of a block: the same on all members; of blocks that differ 1, or what all members know */
};

static inline bool bn_is_root(const struct bn_args *args)
{
    return args->communicator->rank == args->root;
}

/** Whether the engine carries out the call: the same on all members of the communicator. */
bool bn_call_is_ours(struct bn_args *args);

/** Carries it out; what MPI_Bcast and others return. */
int bn_call_carry(struct bn_args *args);

/* The families (blocks.c, reductions.c): what a call is about, which sets nbytes, and carrying it out: false, with no
 * more said than the engine has, if that is impossible. */
enum bn_mpi_reason bn_blocks_measure(struct bn_args *args);
bool bn_blocks_carry(struct bn_args *args);
enum bn_mpi_reason bn_reduction_measure(struct bn_args *args);
bool bn_reduction_carry(struct bn_args *args);

#endif
