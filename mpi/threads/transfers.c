/*
 * MPI_Put, MPI_Get, and synchronisation that does not wait, in direct windows.
 *
 * Predefined types without gaps are copied directly.  Other types are copied inside the arbiter and interpreted by the
 * library: with a message of this process to itself, if both ends are in its memory.
 */
#include "threads/transfers.h"

#include "threads/typed_copies.h"
#include "threads/gate.h"
#include "threads/reach.h"

MPI_Count bn_data_bytes(const struct bn_data *data)
{
    MPI_Count bytes = 0, all;
    if (data->count < 0 || data->type == bn_handles.no_type || bn_below.Type_size_x(data->type, &bytes) != MPI_SUCCESS)
        return -1;
    return __builtin_mul_overflow(bytes, data->count, &all) ? -1 : all;
}

unsigned char *bn_rma_place(const struct bn_direct *direct, const struct bn_rma *transfer)
{
    MPI_Aint lower, extent, true_lower, true_extent, last;
    const struct bn_data *there = &transfer->there;
    unsigned char *begin = bn_direct_place(direct, transfer->target, transfer->disp, 0);
    if (!begin || bn_below.Type_get_extent(there->type, &lower, &extent) != MPI_SUCCESS ||
        bn_below.Type_get_true_extent(there->type, &true_lower, &true_extent) != MPI_SUCCESS)
        return NULL;
    if (there->count == 0 || true_extent == 0)
        return begin;
    if (__builtin_mul_overflow((MPI_Aint)there->count - 1, extent, &last))
        return NULL;
    const struct bn_direct_member *member = &direct->members[transfer->target];
    MPI_Aint offset = (MPI_Aint)((uintptr_t)begin - (uintptr_t)member->base);
    MPI_Aint from = offset + true_lower + (last < 0 ? last : 0);
    MPI_Aint to = offset + true_lower + true_extent + (last > 0 ? last : 0);
    return from >= 0 && (uint64_t)to <= member->size_bytes ? begin : NULL;
}

/* The size of a transfer; false: one end is not dense, or their sizes differ. */
static bool find_bytes(const struct bn_data *here, const struct bn_data *there, uint64_t *bytes_p)
{
    uint64_t other;
    const struct bn_type *own = bn_type_of(here->type);
    const struct bn_type *its = there->type == here->type ? own : bn_type_of(there->type);
    return bn_data_is_dense(here, own, bytes_p) && bn_data_is_dense(there, its, &other) && *bytes_p == other;
}

/* The receiver may have room for more than is sent. */
static bool copy_derived(const struct bn_direct *direct, const struct bn_rma *transfer, bool puts)
{
    const struct bn_data *mine = puts ? &transfer->here : &transfer->back, *there = &transfer->there;
    bool is_done = false, is_inside = bn_gate_enter(BN_PATH_MAIN);
    MPI_Count bytes = bn_data_bytes(mine), there_bytes = bn_data_bytes(there);
    bool is_missing = bytes > 0 && !(puts ? transfer->origin : transfer->result) && bn_type_of(mine->type);
    bool fits = bytes >= 0 && there_bytes >= 0 && (puts ? bytes <= there_bytes : there_bytes <= bytes);
    unsigned char *place = fits && !is_missing ? bn_rma_place(direct, transfer) : NULL;
    const struct bn_direct_member *member = &direct->members[transfer->target];
    if (place && puts)
        is_done = bn_reach_carry(member, place, there, transfer->origin, mine);
    else if (place)
        is_done = bn_reach_bring(member, place, there, transfer->result, mine);
    if (is_inside)
        bn_gate_leave();
    return is_done;
}

static inline bool copy(const struct bn_rma *transfer, bool puts)
{
    uint64_t bytes;
    const struct bn_data *mine = puts ? &transfer->here : &transfer->back;
    struct bn_direct *direct = bn_direct_find(transfer->window);
    if (!direct || transfer->target == MPI_PROC_NULL)
        return direct != NULL;
    if (find_bytes(mine, &transfer->there, &bytes)) {
        unsigned char *place = bn_direct_place(direct, transfer->target, transfer->disp, bytes);
        bool has_memory = puts ? transfer->origin != NULL : transfer->result != NULL;
        if (!place || (!has_memory && bytes > 0))
            return false;
        const struct bn_direct_member *member = &direct->members[transfer->target];
        if (!(puts ? bn_reach_put(member, place, transfer->origin, bytes)
                   : bn_reach_get(member, place, transfer->result, bytes)))
            return false;
    } else if (!copy_derived(direct, transfer, puts)) {
        return false;
    }
    bn_direct_done();
    return true;
}

int bn_rma_put(const struct bn_rma *transfer)
{
    return copy(transfer, true) ? MPI_SUCCESS : bn_rma_refuse(transfer, true, false);
}

int bn_rma_get(const struct bn_rma *transfer)
{
    return copy(transfer, false) ? MPI_SUCCESS : bn_rma_refuse(transfer, false, true);
}

int bn_rma_request(MPI_Request *request)
{
    bool is_inside = bn_gate_enter(BN_PATH_MAIN);
    int result = bn_typed_copies_request(request);
    if (is_inside)
        bn_gate_leave();
    return result;
}

/* ---- Flushes: all transfers are done when they are called; they only make them visible to others ---- */

static bool flushes(MPI_Win window, int target)
{
    struct bn_direct *direct = bn_direct_find(window);
    if (!direct)
        return false;
    if (target >= 0 && (target >= direct->size || !(bn_direct_access(direct, target) & BN_DIRECT_PASSIVE)))
        return false;
    if (target < 0 && target != MPI_PROC_NULL)
        return false;
    bn_atomic_fence();
    bn_direct_done();
    return true;
}

static bool flushes_all(MPI_Win window)
{
    struct bn_direct *direct = bn_direct_find(window);
    if (!direct || bn_word_get(&direct->passive) == 0)
        return false;
    bn_atomic_fence();
    bn_direct_done();
    return true;
}

static bool synchronises(MPI_Win window)
{
    if (!bn_direct_find(window))
        return false;
    bn_atomic_fence();
    bn_direct_done();
    return true;
}

#define FLUSH(name, parameters, arguments, direct)                                                                     \
    static int call_##name parameters                                                                                  \
    {                                                                                                                  \
        if (direct)                                                                                                    \
            return MPI_SUCCESS;                                                                                        \
        bool is_inside = bn_gate_enter_for(BN_USE_TRANSFER, BN_PATH_MAIN, 1);                                          \
        int result = bn_below.name arguments;                                                                          \
        if (is_inside)                                                                                                 \
            bn_gate_leave();                                                                                           \
        return result;                                                                                                 \
    }                                                                                                                  \
    BN_BOTH_NAMES(int, name, bn_next_tool.name, parameters, arguments)

FLUSH(Win_flush, (int target, MPI_Win window), (target, window), flushes(window, target))
FLUSH(Win_flush_local, (int target, MPI_Win window), (target, window), flushes(window, target))
FLUSH(Win_flush_all, (MPI_Win window), (window), flushes_all(window))
FLUSH(Win_flush_local_all, (MPI_Win window), (window), flushes_all(window))
FLUSH(Win_sync, (MPI_Win window), (window), synchronises(window))

#define COUNT int
#define SUFFIXED(name) name
#include "threads/transfers.inc.h"
