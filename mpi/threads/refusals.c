/*
 * Transfers in direct windows that could not be carried out.  The library reports what is wrong with them, unless their
 * epoch began with a lock, which the library does not have.
 */
#include "threads/errors.h"
#include "threads/gate.h"
#include "threads/transfers.h"
#include "threads/typed_copies.h"

/* Whether the library would take the transfer for one without an epoch, although there is one. */
static bool is_unknown_below(const struct bn_direct *direct, int target)
{
    if (!direct || target < 0 || target >= direct->size)
        return false;
    uint32_t access = bn_direct_access(direct, target);
    return access != 0 && (access & ~(uint32_t)BN_DIRECT_PASSIVE) == 0;
}

/* What is wrong with a description of data; MPI_SUCCESS: nothing */
static int class_of_data(const struct bn_data *data)
{
    if (data->count < 0)
        return MPI_ERR_COUNT;
    return bn_data_bytes(data) >= 0 && bn_typed_copies_take(data->type) ? MPI_SUCCESS : MPI_ERR_TYPE;
}

/* What is wrong with data in this process, which are valid, and of which the receiver may have more than the sender */
static int class_of_own(const struct bn_data *data, const void *memory, MPI_Count there_bytes, bool is_sent)
{
    MPI_Count bytes = bn_data_bytes(data);
    if (is_sent ? bytes > there_bytes : bytes < there_bytes)
        return MPI_ERR_TYPE;
    return bytes > 0 && !memory && bn_type_of(data->type) ? MPI_ERR_BUFFER : MPI_SUCCESS;
}

static int class_of_place(const struct bn_direct *direct, const struct bn_rma *transfer)
{
    return transfer->disp < 0 ? MPI_ERR_DISP : bn_rma_place(direct, transfer) ? MPI_SUCCESS : MPI_ERR_RMA_RANGE;
}

/* What else may have failed.  In a dynamic window, whose members have any address, the kernel refuses what is not
 * attached; otherwise it has refused a copy, or data to be combined are not as many as at the target. */
static int class_of_rest(const struct bn_direct *direct, const struct bn_rma *transfer, bool reads, bool fetches)
{
    MPI_Count bytes = bn_data_bytes(&transfer->there);
    if (direct->members[transfer->target].size_bytes == INT64_MAX)
        return MPI_ERR_RMA_RANGE;
    bool differs =
        (reads && bn_data_bytes(&transfer->here) != bytes) || (fetches && bn_data_bytes(&transfer->back) != bytes);
    return differs ? MPI_ERR_TYPE : MPI_ERR_OTHER;
}

/* Inside.  MPI_SUCCESS: nothing is to be transferred, at whatever place. */
static int find_class(const struct bn_direct *direct, const struct bn_rma *transfer, bool reads, bool fetches)
{
    MPI_Count bytes = bn_data_bytes(&transfer->there);
    int result = class_of_data(&transfer->there);
    if (result == MPI_SUCCESS && reads)
        result = class_of_data(&transfer->here);
    if (result == MPI_SUCCESS && fetches)
        result = class_of_data(&transfer->back);
    if (result == MPI_SUCCESS && (bytes > 0 || transfer->disp < 0))
        result = class_of_place(direct, transfer);
    if (result == MPI_SUCCESS && reads)
        result = class_of_own(&transfer->here, transfer->origin, bytes, true);
    if (result == MPI_SUCCESS && fetches)
        result = class_of_own(&transfer->back, transfer->result, bytes, false);
    return result != MPI_SUCCESS || bytes == 0 ? result : class_of_rest(direct, transfer, reads, fetches);
}

int bn_rma_refuse(const struct bn_rma *transfer, bool reads, bool fetches)
{
    const struct bn_direct *direct = bn_direct_find(transfer->window);
    if (!is_unknown_below(direct, transfer->target))
        return BN_RMA_LEFT;
    bool is_inside = bn_gate_enter(BN_PATH_MAIN);
    int result = find_class(direct, transfer, reads, fetches);
    if (result != MPI_SUCCESS)
        result = bn_errors_report(transfer->window, result);
    if (is_inside)
        bn_gate_leave();
    return result;
}
