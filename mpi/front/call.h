/*
 * call.h: one call of a collective operation, whatever its name and the type of its counts.
 *
 *     struct bn_args args = {...};
 *     bool is_ours = bn_call_begin(&args);
 *     int result = is_ours ? bn_call_carry(&args) : below.Bcast(...);
 *     if (args.is_watched)
 *         bn_call_end(&args);
 *     return result;
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
    /* What bn_call_begin has found out */
    struct bn_communicator *communicator;
    enum bn_mpi_reason reason;
    size_t nbytes;   /* of a block: the same on all members; of blocks that differ 1, or what all members know */
    bool is_unknown; /* nothing is (node/agree.h) */
    /* Of blocks that differ: what this member knows of the size of all, their mean, or 1; and the mean of those that it
     * sends or receives itself, whichever are larger */
    size_t known_bytes, own_bytes;
    bool is_short; /* what this member sends itself does not fit where it receives it, which is an error of its own */
    int error;     /* that the library below would report, and not the engine; the call goes no further then */
    enum bn_carrier carrier;    /* of those of the engine's, if it is ours */
    bool is_watched;            /* somebody wants to know how long it takes */
    bool is_tried;              /* so that it can be learned who is faster */
    bool is_small;              /* as all members know, of a call that may be anybody's */
    struct bn_account *account; /* if it is */
    uint64_t begin_ns;
};

static inline bool bn_is_root(const struct bn_args *args)
{
    return args->communicator->rank == args->root;
}

/** Whether the engine carries out the call: the same on all members of the communicator. */
bool bn_call_begin(struct bn_args *args);

/** The call, which is watched, has been carried out. */
void bn_call_end(struct bn_args *args);

/** Carries it out; what MPI_Bcast and others return. */
int bn_call_carry(struct bn_args *args);

/* The families (blocks.c, reductions.c): what a call is about, which sets nbytes, and carrying it out: false, with no
 * more said than the engine has, if that is impossible. */
enum bn_mpi_reason bn_blocks_measure(struct bn_args *args);
bool bn_blocks_carry(struct bn_args *args);
/* As the engine names it */
enum bn_operation bn_blocks_operation(const struct bn_args *args);
enum bn_operation bn_reduction_operation(const struct bn_args *args);
/* Whether what this member sends and what it receives are the same memory, alike: some libraries report that. */
bool bn_blocks_are_aliased(const struct bn_args *args);
bool bn_reduction_is_aliased(const struct bn_args *args);
enum bn_mpi_reason bn_reduction_measure(struct bn_args *args);
bool bn_reduction_carry(struct bn_args *args);

#endif
