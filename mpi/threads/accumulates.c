/*
 * Transfers that combine data, in direct windows.  They hold the lock of the member whose memory they access, whatever
 * their types, so each is atomic with respect to the others; the library never combines in such windows.
 *
 * Numbers without gaps are combined in place; those in private memory of another process are fetched, combined and
 * written back in pieces.  Everything else is done inside the arbiter with the library's interpretation of types and
 * operations: elements are fetched into contiguous memory, combined by MPI_Reduce_local, and written back.  The holder
 * of the lock never waits, so the lock may be taken inside.
 */
#include "base/log.h"
#include "threads/typed_copies.h"
#include "threads/errors.h"
#include "threads/gate.h"
#include "threads/reach.h"

#include "host/predefined.h"

#include <limits.h>
#include <stdlib.h>

enum {
    PIECE_BYTES = 4096
}; /* in which another process's memory is combined; a multiple of the size of every number type */

static struct bn_spinlock *lock_of(const struct bn_direct *direct, const struct bn_rma *transfer)
{
    return &direct->members[transfer->target].words->combining;
}

/* Whether the operation uses the origin; MPI_NO_OP does not. */
static bool reads_origin(enum bn_op op)
{
    return op != BN_OP_NONE;
}

/* Whether the new data depend on the old ones */
static bool combines(enum bn_op op)
{
    return op != BN_OP_REPLACE && op != BN_OP_NONE;
}

/* Whether the old data are needed, so that data that have been written in part cannot be left to the library */
static bool needs_old(const struct bn_rma *transfer, enum bn_op op)
{
    return combines(op) || transfer->result;
}

/* Writes to another process's memory may fail halfway; the library would combine the data before that twice. */
static __attribute__((noreturn)) void end_halfway(const struct bn_rma *transfer)
{
    bn_log_error("data cannot be combined with those of rank %d of a window, as the system has refused a write to its "
                 "memory; BANYAN_MPI_WINDOWS=library leaves windows to the MPI library",
                 transfer->target);
    bn_library_abort(bn_handles.world);
}

/* ---- Numbers ---- */

/* Whether these are native numbers without gaps, and the arguments are valid; also their type and size */
static bool find_numbers(const struct bn_rma *transfer, enum bn_op op, bool fetches, uint64_t *bytes_p,
                         const struct bn_type **type_p)
{
    const struct bn_data *there = &transfer->there;
    const struct bn_type *type = bn_type_of(there->type);
    bool is_plain = op == BN_OP_REPLACE || op == BN_OP_NONE;
    *type_p = type;
    if (!bn_data_is_dense(there, type, bytes_p) || !bn_op_suits(op, type) ||
        (!is_plain && type->number == BN_NUMBER_NONE))
        return false;
    if (reads_origin(op) && (transfer->here.type != there->type || transfer->here.count != there->count ||
                             (!transfer->origin && *bytes_p > 0)))
        return false;
    return !fetches || (transfer->back.type == there->type && transfer->back.count == there->count &&
                        (transfer->result || *bytes_p == 0));
}

static void combine_near(const struct bn_rma *transfer, enum bn_op op, const struct bn_type *type, unsigned char *place,
                         uint64_t bytes)
{
    if (transfer->result)
        memmove(transfer->result, place, bytes);
    if (op == BN_OP_REPLACE)
        memmove(place, transfer->origin, bytes);
    else if (op != BN_OP_NONE)
        bn_combine(op, type->number, place, transfer->origin, bytes / type->bytes);
}

/* Fetches a piece; gives it to the result, and combines it. */
static bool prepare_piece(const struct bn_direct_member *member, enum bn_op op, const struct bn_type *type,
                          const unsigned char *place, const unsigned char *from, unsigned char *result,
                          unsigned char *piece, uint64_t bytes)
{
    if (!bn_reach_get(member, place, piece, bytes))
        return false;
    if (result)
        memcpy(result, piece, bytes);
    if (combines(op))
        bn_combine(op, type->number, piece, from, bytes / type->bytes);
    return true;
}

static bool combine_far(const struct bn_direct_member *member, const struct bn_rma *transfer, enum bn_op op,
                        const struct bn_type *type, unsigned char *place, uint64_t bytes)
{
    unsigned char piece[PIECE_BYTES];
    const unsigned char *from = transfer->origin;
    unsigned char *result = transfer->result;
    bool is_right = true, has_written = false;
    for (uint64_t done = 0; done < bytes && is_right; done += PIECE_BYTES) {
        uint64_t size = bytes - done < PIECE_BYTES ? bytes - done : PIECE_BYTES;
        if (needs_old(transfer, op))
            is_right = prepare_piece(member, op, type, place + done, from ? from + done : NULL,
                                     result ? result + done : NULL, piece, size);
        if (is_right && op != BN_OP_NONE) {
            has_written = true;
            is_right = bn_reach_put(member, place + done, combines(op) ? piece : from + done, size);
        }
    }
    if (!is_right && has_written && needs_old(transfer, op))
        end_halfway(transfer);
    return is_right;
}

static bool combine_numbers(const struct bn_direct *direct, const struct bn_rma *transfer, enum bn_op op,
                            const struct bn_type *type, unsigned char *place, uint64_t bytes)
{
    const struct bn_direct_member *member = &direct->members[transfer->target];
    struct bn_spinlock *lock = lock_of(direct, transfer);
    bool is_done = true;
    bn_spinlock_acquire(lock);
    if (member->process == 0)
        combine_near(transfer, op, type, place, bytes);
    else
        is_done = combine_far(member, transfer, op, type, place, bytes);
    bn_spinlock_release(lock);
    return is_done;
}

/* ---- Everything else ---- */

/* Contiguous elements of a predefined type */
struct elements {
    MPI_Count count;
    MPI_Datatype type;
    struct bn_type basic;
    int error; /* of the library, which may refuse to combine these */
};

/* The libraries combine more than MPI defines, such as sums of MPI_CHAR. */
static bool combine_elements(const struct bn_rma *transfer, enum bn_op op, struct elements *elements, unsigned char *to,
                             const unsigned char *from)
{
    MPI_Count left = elements->count;
    bool is_defined = bn_op_suits(op, &elements->basic);
    if (is_defined && bn_combine(op, elements->basic.number, to, from, (size_t)left))
        return true;
    while (left > 0 && elements->error == MPI_SUCCESS) {
        int piece = left < INT_MAX ? (int)left : INT_MAX;
        elements->error =
            (is_defined ? bn_below.Reduce_local : bn_errors_reduce)(from, to, piece, elements->type, transfer->op);
        from += (size_t)piece * elements->basic.extent;
        to += (size_t)piece * elements->basic.extent;
        left -= piece;
    }
    return elements->error == MPI_SUCCESS;
}

/* With the lock held.  `place` is the target's data, `from` the origin's elements, `room` has space for as many. */
static bool combine_derived(const struct bn_direct_member *member, const struct bn_rma *transfer, enum bn_op op,
                            struct elements *elements, unsigned char *place, const unsigned char *from,
                            unsigned char *room)
{
    const struct bn_data *there = &transfer->there, dense = {elements->count, elements->type};
    if (transfer->result && !bn_reach_bring(member, place, there, transfer->result, &transfer->back))
        return false;
    if (op == BN_OP_NONE)
        return true;
    if (combines(op) && !bn_reach_bring(member, place, there, room, &dense))
        return false;
    if (combines(op) && !combine_elements(transfer, op, elements, room, from))
        return false;
    bool is_right = bn_reach_carry(member, place, there, combines(op) ? room : from, &dense);
    if (!is_right && needs_old(transfer, op))
        end_halfway(transfer);
    return is_right;
}

static bool find_elements(const struct bn_rma *transfer, enum bn_op op, bool fetches, struct elements *elements)
{
    MPI_Count bytes = bn_data_bytes(&transfer->there);
    if (bytes < 0 || !bn_type_basic(transfer->there.type, &elements->type, &elements->basic) ||
        bytes % elements->basic.bytes != 0)
        return false;
    elements->count = bytes / elements->basic.bytes;
    return (!reads_origin(op) || bn_data_bytes(&transfer->here) == bytes) &&
           (!fetches || bn_data_bytes(&transfer->back) == bytes);
}

/* Inside.  *error_p: the class of the library's error, if it refuses to combine these elements */
static bool combine_inside(const struct bn_direct *direct, const struct bn_rma *transfer, enum bn_op op, bool fetches,
                           int *error_p)
{
    struct elements elements = {.error = MPI_SUCCESS};
    unsigned char *place = bn_rma_place(direct, transfer);
    if (!place || !find_elements(transfer, op, fetches, &elements))
        return false;
    size_t room_bytes = (size_t)elements.count * elements.basic.extent;
    unsigned char *rooms = malloc(2 * room_bytes + 1);
    bool is_done =
        rooms && (!reads_origin(op) || bn_typed_copy(transfer->origin, transfer->here.count, transfer->here.type, rooms,
                                                     elements.count, elements.type));
    if (is_done) {
        bn_spinlock_acquire(lock_of(direct, transfer));
        is_done = combine_derived(&direct->members[transfer->target], transfer, op, &elements, place, rooms,
                                  rooms + room_bytes);
        bn_spinlock_release(lock_of(direct, transfer));
    }
    free(rooms);
    if (elements.error != MPI_SUCCESS)
        bn_below.Error_class(elements.error, error_p);
    return is_done;
}

static bool carry_out(const struct bn_rma *transfer, enum bn_op op, bool fetches, int *error_p)
{
    uint64_t bytes;
    const struct bn_type *type;
    struct bn_direct *direct = bn_direct_find(transfer->window);
    if (!direct || transfer->target == MPI_PROC_NULL)
        return direct != NULL;
    if (op == BN_OP_COUNT) {
        *error_p = MPI_ERR_OP;
        return false;
    }
    if (find_numbers(transfer, op, fetches, &bytes, &type)) {
        unsigned char *place = bn_direct_place(direct, transfer->target, transfer->disp, bytes);
        if (!place || !combine_numbers(direct, transfer, op, type, place, bytes))
            return false;
    } else {
        bool is_inside = bn_gate_enter(BN_PATH_MAIN);
        bool is_done = combine_inside(direct, transfer, op, fetches, error_p);
        if (is_inside)
            bn_gate_leave();
        if (!is_done)
            return false;
    }
    bn_direct_done();
    return true;
}

static int accumulate(const struct bn_rma *transfer, bool fetches)
{
    int error = MPI_SUCCESS;
    enum bn_op op = bn_op_of(transfer->op);
    if (carry_out(transfer, op, fetches, &error))
        return MPI_SUCCESS;
    return error == MPI_SUCCESS ? bn_rma_refuse(transfer, reads_origin(op), fetches)
                                : bn_errors_report(transfer->window, error);
}

int bn_rma_accumulate(const struct bn_rma *transfer)
{
    return accumulate(transfer, false);
}

int bn_rma_get_accumulate(const struct bn_rma *transfer)
{
    return accumulate(transfer, true);
}

/* Whether bytes within the number may have any values: long double has 10 bytes of 16, but no smaller extent.  Types
 * that are not listed (types.h) are Fortran's of any precision. */
static bool may_have_padding(const struct bn_type *type)
{
    if (type->groups & BN_COMPLEX)
        return type->bytes > 2 * sizeof(double);
    return type->bytes > sizeof(double) && (type->groups == 0 || (type->groups & BN_FLOATING));
}

/* MPI_Compare_and_swap is defined for integers, bytes and logical values, but compares any bits without gaps. */
static bool find_swapped(MPI_Datatype type, struct bn_type *found)
{
    MPI_Datatype basic;
    const struct bn_type *listed = bn_type_of(type);
    if (!listed && type != bn_handles.no_type) {
        bool is_inside = bn_gate_enter(BN_PATH_MAIN);
        if (bn_type_basic(type, &basic, found) && basic == type)
            listed = found;
        if (is_inside)
            bn_gate_leave();
    }
    if (!listed || listed->bytes != listed->extent || may_have_padding(listed))
        return false;
    *found = *listed;
    return true;
}

static bool swap(const struct bn_direct *direct, const struct bn_rma *transfer, const void *compare, uint32_t bytes)
{
    unsigned char *place = bn_direct_place(direct, transfer->target, transfer->disp, bytes);
    if (!place || !transfer->origin || !compare || !transfer->result)
        return false;
    struct bn_spinlock *lock = lock_of(direct, transfer);
    const struct bn_direct_member *member = &direct->members[transfer->target];
    bn_spinlock_acquire(lock);
    bool is_done =
        bn_reach_get(member, place, transfer->result, bytes) &&
        (memcmp(transfer->result, compare, bytes) != 0 || bn_reach_put(member, place, transfer->origin, bytes));
    bn_spinlock_release(lock);
    return is_done;
}

int bn_rma_swap(const struct bn_rma *transfer, const void *compare)
{
    struct bn_type type;
    struct bn_direct *direct = bn_direct_find(transfer->window);
    if (!direct || transfer->target == MPI_PROC_NULL)
        return direct ? MPI_SUCCESS : BN_RMA_LEFT;
    if (!find_swapped(transfer->there.type, &type))
        return bn_errors_report(transfer->window, MPI_ERR_TYPE);
    if (!swap(direct, transfer, compare, type.bytes))
        return bn_rma_refuse(transfer, true, true);
    bn_direct_done();
    return MPI_SUCCESS;
}

/* ---- Calls with a single element, without counts ---- */

static int call_Fetch_and_op(const void *origin, void *back, MPI_Datatype type, int target, MPI_Aint disp, MPI_Op op,
                             MPI_Win window)
{
    const struct bn_data one = {1, type};
    const struct bn_rma transfer = {window, target, disp, one, origin, one, back, one, op};
    int outcome = bn_rma_get_accumulate(&transfer);
    if (outcome != BN_RMA_LEFT)
        return outcome;
    bool is_inside = bn_gate_enter_for(BN_USE_TRANSFER, BN_PATH_MAIN, 1);
    int result = bn_below.Fetch_and_op(origin, back, type, target, disp, op, window);
    if (is_inside)
        bn_gate_leave();
    return result;
}

static int call_Compare_and_swap(const void *origin, const void *compare, void *back, MPI_Datatype type, int target,
                                 MPI_Aint disp, MPI_Win window)
{
    const struct bn_data one = {1, type};
    const struct bn_rma transfer = {window, target, disp, one, origin, one, back, one, bn_handles.replace};
    int outcome = bn_rma_swap(&transfer, compare);
    if (outcome != BN_RMA_LEFT)
        return outcome;
    bool is_inside = bn_gate_enter_for(BN_USE_TRANSFER, BN_PATH_MAIN, 1);
    int result = bn_below.Compare_and_swap(origin, compare, back, type, target, disp, window);
    if (is_inside)
        bn_gate_leave();
    return result;
}

BN_BOTH_NAMES(int, Fetch_and_op, bn_next_tool.Fetch_and_op,
              (const void *origin, void *back, MPI_Datatype type, int target, MPI_Aint disp, MPI_Op op, MPI_Win window),
              (origin, back, type, target, disp, op, window))

BN_BOTH_NAMES(int, Compare_and_swap, bn_next_tool.Compare_and_swap,
              (const void *origin, const void *compare, void *back, MPI_Datatype type, int target, MPI_Aint disp,
               MPI_Win window),
              (origin, compare, back, type, target, disp, window))
