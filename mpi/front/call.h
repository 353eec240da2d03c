/*
 * call.h: one call of a collective operation, independent of its name and of the type of its counts.
 *
 *     struct bn_args args = {...};
 *     bool is_ours = bn_call_begin(&args);
 *     int result = is_ours ? bn_call_carry(&args) : bn_below.Bcast(...);
 *     if (args.is_watched)
 *         bn_call_end(&args);
 *     return result;
 *
 * Whether the engine carries it out must be the same on all members, so it depends only on what MPI requires to be
 * equal everywhere: the communicator, the operation, the root and the size of a block, and in reductions the type and
 * the operator.
 */
#ifndef BN_MPI_FRONT_CALL_H
#define BN_MPI_FRONT_CALL_H

#include "front/communicator.h"

/*
 * One side of a call, as the program passes it: a block, or one for each member.  On some members MPI leaves arguments
 * without significance, and they may be anything, such as null pointers and MPI_DATATYPE_NULL:
 * - a whole side that a member does not have: `send` of scatters and `recv` of gathers, except at the root;
 * - all but the buffer of a side that is MPI_IN_PLACE;
 * - recv.buffer of MPI_Reduce, except at the root, and of MPI_Exscan on rank 0;
 * - the buffer of a side without bytes.
 */
struct bn_side {
    const void *buffer;
    MPI_Count count; /* of each block */
    MPI_Datatype type;
    const void *counts, *offsets; /* by rank, ints or large; null: equal, consecutive blocks */
    const MPI_Datatype *types;    /* by rank, with offsets in bytes; null: `type`, offsets in elements */
};

/* The part of a call that uses.h has; all zero: it uses nothing that may be freed. */
struct bn_use {
    struct bn_args *next, **link; /* in the list of all such calls; link is null: not in it */
    uint64_t handed;              /* what it uses of that many frees is kept for it; 0: the library has not got it */
};

struct bn_args {
    enum bn_mpi_operation operation;
    bool is_large; /* counts are MPI_Count, and offsets MPI_Aint */
    struct bn_side send, recv;
    int root;
    MPI_Op op;
    MPI_Comm comm;
    /* Set by bn_call_begin: */
    struct bn_communicator *communicator;
    enum bn_mpi_reason reason;
    size_t nbytes; /* of a block, the same on all members; if blocks differ, their mean if all members know it, or 1 */
    bool is_unknown; /* blocks differ, and no size is known to all members (node/agree.h) */
    /* If blocks differ: the mean of all blocks, as far as this member knows them, or 1; and the mean of what it sends
     * or of what it receives, whichever is larger */
    size_t known_bytes, own_bytes;
    bool is_short; /* the block that this member sends to itself is larger than its room for it: an error of this member
                    */
    int error;     /* that only the library below would report; then the call is not carried out */
    enum bn_carrier carrier;    /* which part of the engine, if the call is ours */
    bool is_watched;            /* bn_call_end must follow: its time is needed, or it uses what may be freed */
    bool is_tried;              /* it is a trial (host/ledger.h) */
    bool is_small;              /* the same on all members; set only if there are several candidates */
    struct bn_account *account; /* if there are several candidates */
    uint64_t begin_ns;
    struct bn_use use;
};

static inline bool bn_is_root(const struct bn_args *args)
{
    return args->communicator->rank == args->root;
}

/** The engine's operation that carries out the call. */
enum bn_operation bn_call_operation(const struct bn_args *args);

/** Whether the engine carries out the call: the same on all members of the communicator. */
bool bn_call_begin(struct bn_args *args);

/** To be called after a call with is_watched has been carried out. */
void bn_call_end(struct bn_args *args);

/** Carries it out; returns what MPI_Bcast and the others return. */
int bn_call_carry(struct bn_args *args);

/* The families of operations (blocks.c, reductions.c).  `carry` carries out the call; false: it cannot, and only the
 * engine has reported why. */
/** Checks the arguments and sets nbytes.  A call that it refuses goes to the library below; if only this member's is
 * refused, this member goes there alone, and the others wait for it in the engine.  So it may refuse only arguments
 * that MPI forbids on this member, never one without significance there. */
enum bn_mpi_reason bn_blocks_measure(struct bn_args *args);
enum bn_mpi_reason bn_reduction_measure(struct bn_args *args);
bool bn_blocks_carry(struct bn_args *args);
/* Whether MPI defines it, and not the program */
bool bn_op_is_predefined(MPI_Op op);
/* The engine's operation */
enum bn_operation bn_blocks_operation(const struct bn_args *args);
enum bn_operation bn_reduction_operation(const struct bn_args *args);
/* Whether this member sends and receives the same memory with the same type and count, which some libraries report. */
bool bn_blocks_are_aliased(const struct bn_args *args);
bool bn_reduction_is_aliased(const struct bn_args *args);
bool bn_reduction_carry(struct bn_args *args);

#endif
