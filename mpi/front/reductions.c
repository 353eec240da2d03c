/*
 * reductions.c: operations that combine vectors.  Elements are whole objects of their type: either predefined types,
 * whose gaps are not touched in results, or types without gaps.
 */
#include "front/packed.h"
#include "front/valid.h"

#include <limits.h>
#include <string.h>

enum { DELIVERED_BYTES = 64 << 10 }; /* unit in which a result with gaps is delivered, so that it stays in a cache */

static const enum bn_operation operations[BN_MPI_OPERATION_COUNT] = {
    [BN_MPI_REDUCE] = BN_COMBINE,
    [BN_MPI_ALLREDUCE] = BN_COMBINE_ALL,
    [BN_MPI_REDUCE_SCATTER] = BN_COMBINE_SCATTER,
    [BN_MPI_REDUCE_SCATTER_BLOCK] = BN_COMBINE_SCATTER,
    [BN_MPI_SCAN] = BN_COMBINE_PREFIX,
    [BN_MPI_EXSCAN] = BN_COMBINE_PREFIX,
};

enum bn_operation bn_reduction_operation(const struct bn_args *args)
{
    return operations[args->operation];
}

static bool has_parts(const struct bn_args *args)
{
    return operations[args->operation] == BN_COMBINE_SCATTER;
}

/* Whether this member gets the result */
static bool has_result(const struct bn_args *args)
{
    return args->operation != BN_MPI_REDUCE || bn_is_root(args);
}

static bool is_in_place(const struct bn_args *args)
{
    return args->send.buffer == MPI_IN_PLACE;
}

static bool has_counts(const struct bn_args *args)
{
    return args->operation == BN_MPI_REDUCE_SCATTER;
}

static MPI_Count count_of(const struct bn_args *args, int rank)
{
    if (!has_counts(args))
        return args->recv.count;
    return args->is_large ? ((const MPI_Count *)args->recv.counts)[rank] : ((const int *)args->recv.counts)[rank];
}

/* The number of elements of the vector; false if a count is negative, or there are none */
static bool find_length(const struct bn_args *args, MPI_Count *length_p)
{
    bool is_right = true;
    *length_p = has_parts(args) ? 0 : args->recv.count;
    if (has_counts(args) && !args->recv.counts)
        return false;
    for (int rank = 0; has_parts(args) && rank < args->communicator->size; rank++) {
        MPI_Count count = count_of(args, rank);
        is_right &= count >= 0;
        *length_p += count;
    }
    return is_right && *length_p >= 0;
}

/* ---- Operations and types ---- */

/* The groups of types for which MPI defines a predefined operation; 0: op is not predefined. */
static unsigned groups_of_op(MPI_Op op)
{
#define GROUPS_OF_OP(field, handle, groups)                                                                            \
    if (op == bn_below.field)                                                                                          \
        return groups;
    BN_PREDEFINED_OPS(GROUPS_OF_OP)
    return 0;
}

bool bn_op_is_predefined(MPI_Op op)
{
    return groups_of_op(op) != 0;
}

/* The group of a predefined type of Fortran that is known by its precision instead of a name; 0: it is none.  Other
 * members may use the name of the same type. */
static unsigned group_by_precision(MPI_Datatype type)
{
    int integers, addresses, types, combiner;
    if (bn_below.Type_get_envelope(type, &integers, &addresses, &types, &combiner) != MPI_SUCCESS)
        return 0;
    return combiner == MPI_COMBINER_F90_REAL      ? BN_FLOATING
           : combiner == MPI_COMBINER_F90_COMPLEX ? BN_COMPLEX
           : combiner == MPI_COMBINER_F90_INTEGER ? BN_FORTRAN_INTEGER
                                                  : 0;
}

/* The group of a predefined type; 0: MPI defines no operation for it, though a library may. */
static unsigned group_of_type(MPI_Datatype type)
{
#define GROUP_OF_TYPE(group, handle) group,
    static const unsigned char groups[] = {BN_PREDEFINED_TYPES(GROUP_OF_TYPE)};
    static _Thread_local struct {
        MPI_Datatype type;
        unsigned group;
    } last;
    if (last.group != 0 && last.type == type)
        return last.group;
    last.type = type;
    last.group = 0;
    for (size_t i = 0; i < sizeof groups && last.group == 0; i++)
        if (bn_below.types[i] == type)
            last.group = groups[i];
    if (last.group == 0)
        last.group = group_by_precision(type);
    return last.group;
}

static enum bn_mpi_reason reason_against_type(const struct bn_args *args, const struct bn_layout *layout)
{
    if (!layout || args->op == bn_below.no_op)
        return BN_MPI_WRONG_ARGUMENT;
    if (layout->is_named && layout->extent > BN_LAYOUT_NAMED_BYTES)
        return BN_MPI_GAPS;
    unsigned groups = groups_of_op(args->op);
    if (groups != 0) /* trying it would abort the job on failure, since no communicator's error handler is called */
        return groups & group_of_type(args->recv.type) ? BN_MPI_OURS : BN_MPI_WRONG_ARGUMENT;
    if (!bn_op_is_valid(args->op))
        return BN_MPI_WRONG_ARGUMENT;
    bool is_dense = layout->is_named || (layout->is_contiguous && layout->true_lb == 0);
    return is_dense && layout->extent > 0 ? BN_MPI_OURS : BN_MPI_GAPS;
}

/* All predefined operations that combine vectors commute. */
static bool keeps_order(const struct bn_args *args)
{
    int commutes = 1;
    if (groups_of_op(args->op) == 0)
        bn_below.Op_commutative(args->op, &commutes);
    return !commutes;
}

/* Whether it can be carried out over the machines of the communicator */
static bool can_span(const struct bn_args *args)
{
    const struct bn_communicator_span *span = args->communicator->span;
    return !span || bn_wide_can_run(&span->by[BN_BY_ENGINE]->wide, operations[args->operation], keeps_order(args));
}

/* The number of elements of this member's result */
static MPI_Count result_count(const struct bn_args *args)
{
    if (!has_result(args) || (args->operation == BN_MPI_EXSCAN && args->communicator->rank == 0))
        return 0;
    return has_parts(args) ? count_of(args, args->communicator->rank) : args->recv.count;
}

/* Refuses only what MPI forbids on this member (call.h).  Where there is no result, a receive buffer is needed only in
 * place, for what this member contributes. */
enum bn_mpi_reason bn_reduction_measure(struct bn_args *args)
{
    const struct bn_layout *layout = bn_layout_of(args->recv.type);
    MPI_Count length;
    enum bn_mpi_reason reason = reason_against_type(args, layout);
    if (reason != BN_MPI_OURS)
        return reason;
    bool is_right = find_length(args, &length) && args->root >= 0 && args->root < args->communicator->size;
    is_right &= !is_in_place(args) || has_result(args);
    is_right &= length == 0 || is_in_place(args) || args->send.buffer != NULL;
    bool has_room = args->recv.buffer != NULL && args->recv.buffer != MPI_IN_PLACE;
    is_right = is_right && (has_room || (is_in_place(args) ? length : result_count(args)) == 0);
    args->nbytes = (size_t)length * (size_t)layout->extent;
    if (!is_right)
        return BN_MPI_WRONG_ARGUMENT;
    return can_span(args) ? BN_MPI_OURS : BN_MPI_MIXED_RANKS;
}

bool bn_reduction_is_aliased(const struct bn_args *args)
{
    return has_result(args) && args->nbytes > 0 && args->send.buffer == args->recv.buffer;
}

/* ---- Carrying out ---- */

static void combine(const void *left, void *right, size_t count, const struct bn_vector *vector)
{
    const struct bn_args *args = vector->context;
    const unsigned char *from = left;
    unsigned char *to = right;
    while (count > 0) {
        int piece = count < INT_MAX ? (int)count : INT_MAX;
        bn_below.Reduce_local((void *)from, to, piece, args->recv.type, args->op);
        from += (size_t)piece * vector->element_bytes;
        to += (size_t)piece * vector->element_bytes;
        count -= (size_t)piece;
    }
}

/* Copies a result to the receive buffer without touching the gaps of its elements. */
static bool deliver(const struct bn_args *args, const struct bn_layout *layout, unsigned char *result)
{
    MPI_Count count = result_count(args), most = DELIVERED_BYTES / (MPI_Count)layout->size_bytes + 1;
    struct bn_room *room = &args->communicator->rooms[0];
    void *packed = bn_room_get(room, layout->size_bytes * (size_t)(count < most ? count : most));
    unsigned char *to = (unsigned char *)args->recv.buffer;
    for (MPI_Count piece; packed && count > 0; count -= piece) {
        piece = count < most ? count : most;
        bn_pack_elements(args->recv.type, layout, result, piece, packed, false);
        bn_pack_elements(args->recv.type, layout, to, piece, packed, true);
        result += piece * layout->extent;
        to += piece * layout->extent;
    }
    bn_room_done(room);
    return packed != NULL;
}

/* What the members combine.  Counts are kept in the communicator's tables. */
static struct bn_vector vector_of(struct bn_args *args, const struct bn_layout *layout)
{
    struct bn_communicator *communicator = args->communicator;
    for (int rank = 0; has_parts(args) && rank < communicator->size; rank++)
        communicator->tables[rank] = (size_t)count_of(args, rank);
    return (struct bn_vector){
        .element_bytes = (size_t)layout->extent,
        .count = args->nbytes / (size_t)layout->extent,
        .keeps_order = keeps_order(args),
        .is_exclusive = args->operation == BN_MPI_EXSCAN,
        .counts = has_parts(args) ? communicator->tables : NULL,
        .combine = combine,
        .context = args,
    };
}

/* Whether the result is made apart from the receive buffer, whose gaps the engine would overwrite */
static bool is_apart(const struct bn_args *args, const struct bn_layout *layout)
{
    return has_result(args) && layout->size_bytes != (size_t)layout->extent;
}

/* Where the engine makes the result.  With MPI_IN_PLACE it already holds what this member contributes.  False: no
 * memory. */
static bool begin_result(const struct bn_args *args, const struct bn_layout *layout, void **result_p)
{
    *result_p = has_result(args) ? (void *)args->recv.buffer : NULL;
    if (!is_apart(args, layout))
        return true;
    *result_p = bn_room_get(&args->communicator->rooms[1], args->nbytes);
    if (*result_p && is_in_place(args))
        memcpy(*result_p, args->recv.buffer, args->nbytes);
    return *result_p != NULL;
}

static bool end_result(const struct bn_args *args, const struct bn_layout *layout, void *result, bool is_done)
{
    if (!is_apart(args, layout))
        return is_done;
    bool is_delivered = is_done && deliver(args, layout, result);
    bn_room_done(&args->communicator->rooms[1]);
    return is_delivered;
}

bool bn_reduction_carry(struct bn_args *args)
{
    const struct bn_layout *layout = bn_layout_of(args->recv.type);
    void *result;
    if (args->nbytes == 0)
        return true;
    const struct bn_vector vector = vector_of(args, layout);
    if (!begin_result(args, layout, &result))
        return false;
    const struct bn_call call = {
        .dst = (uint64_t)result,
        .src = (uint64_t)(is_in_place(args) ? result : args->send.buffer),
        .nbytes = args->nbytes,
        .root = args->root,
        .in = BN_SYNC_MY,
        .out = BN_SYNC_MY,
        .vector = &vector,
    };
    bool is_done = bn_communicator_run(args->communicator, operations[args->operation], &call) == BN_OK;
    return end_result(args, layout, result, is_done);
}
