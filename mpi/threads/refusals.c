/*
 * Transfers in direct windows that could not be carried out.  The library reports what is wrong with them, unless their
 * epoch began with a lock, which the library does not have.
 */
#include "threads/errors.h"
#include "threads/gate.h"
#include "threads/transfers.h"

/* Whether the library would take the transfer for one without an epoch, although there is one. */
static bool is_unknown_below(const struct bn_direct *direct, int target)
{
    if (!direct || target < 0 || target >= direct->size)
        return false;
    uint32_t access = bn_direct_access(direct, target);
    return access != 0 && (access & ~(uint32_t)BN_DIRECT_PASSIVE) == 0;
}

/* What is wrong with data at an address, which must be as many bytes as at the target; MPI_SUCCESS: nothing */
static int class_of_data(const struct bn_data *data, const void *memory, MPI_Count there_bytes)
{
    if (data->count < 0)
        return MPI_ERR_COUNT;
    MPI_Count bytes = bn_data_bytes(data);
    if (bytes != there_bytes || bytes < 0)
        return MPI_ERR_TYPE;
    return bytes > 0 && !memory && bn_type_of(data->type) ? MPI_ERR_BUFFER : MPI_SUCCESS;
}

/* In a dynamic window, whose members have any address, the kernel refuses what is not attached. */
static int class_of_place(const struct bn_direct *direct, const struct bn_rma *transfer)
{
    bool is_outside = !bn_rma_place(direct, transfer);
    bool has_any_address = direct->members[transfer->target].size_bytes == INT64_MAX;
    return transfer->disp < 0 ? MPI_ERR_DISP : is_outside || has_any_address ? MPI_ERR_RMA_RANGE : MPI_ERR_OTHER;
}

/* Inside */
static int find_class(const struct bn_direct *direct, const struct bn_rma *transfer, bool reads, bool fetches)
{
    MPI_Count bytes = bn_data_bytes(&transfer->there);
    if (transfer->there.count < 0)
        return MPI_ERR_COUNT;
    if (bytes < 0)
        return MPI_ERR_TYPE;
    int result = reads ? class_of_data(&transfer->here, transfer->origin, bytes) : MPI_SUCCESS;
    if (result == MPI_SUCCESS && fetches)
        result = class_of_data(&transfer->back, transfer->result, bytes);
    return result != MPI_SUCCESS ? result : class_of_place(direct, transfer);
}

int bn_rma_refuse(const struct bn_rma *transfer, bool reads, bool fetches)
{
    const struct bn_direct *direct = bn_direct_find(transfer->window);
    if (!is_unknown_below(direct, transfer->target))
        return BN_RMA_LEFT;
    bool is_inside = bn_gate_enter(BN_PATH_MAIN);
    int result = bn_errors_report(transfer->window, find_class(direct, transfer, reads, fetches));
    if (is_inside)
        bn_gate_leave();
    return result;
}
