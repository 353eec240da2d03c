#include "threads/exchange.h"

#include <limits.h>
#include <stdlib.h>

static bool look_at_both(void *context)
{
    struct bn_wait_one *both = context;
    bool is_received = bn_look_at_one(&both[0]);
    return bn_look_at_one(&both[1]) && is_received;
}

int bn_complete_exchange(int send_result, MPI_Request requests[2], MPI_Status *status, MPI_Comm comm)
{
    struct bn_wait_one both[2] = {{.request = &requests[0], .status = status, .comm = comm},
                                  {.request = &requests[1], .status = MPI_STATUS_IGNORE, .comm = comm}};
    if (!bn_has_started(send_result, requests[1])) {
        bn_below.Cancel(&requests[0]);
        bn_below.Request_free(&requests[0]);
        bn_gate_leave();
        return send_result;
    }
    bool have_ended = look_at_both(both);
    bn_gate_leave();
    if (!have_ended)
        bn_gate_await(look_at_both, both);
    return both[0].result != MPI_SUCCESS ? both[0].result : both[1].result;
}

int bn_exchange_fails(MPI_Comm comm, int error)
{
    bool is_inside = bn_gate_enter(BN_PATH_MAIN);
    bn_below.Comm_call_errhandler(comm, error);
    if (is_inside)
        bn_gate_leave();
    return error;
}

int bn_twin_make(struct bn_twin *twin, const void *buffer, MPI_Count count, MPI_Datatype type)
{
    MPI_Aint lower, extent, bytes, last;
    if (bn_below.Type_get_extent(type, &lower, &extent) != MPI_SUCCESS ||
        bn_below.Type_get_true_extent(type, &lower, &bytes) != MPI_SUCCESS ||
        __builtin_mul_overflow((MPI_Aint)count - 1, extent, &last))
        return MPI_ERR_TYPE;
    bytes += last < 0 ? -last : last;
    lower += last < 0 ? last : 0;
    twin->memory = malloc((size_t)bytes);
    if (!twin->memory)
        return MPI_ERR_NO_MEM;
    twin->data = (void *)((uintptr_t)twin->memory - (uintptr_t)lower);
    if (bn_typed_copy(buffer, count, type, twin->data, count, type))
        return MPI_SUCCESS;
    free(twin->memory);
    return MPI_ERR_TYPE;
}

#define COUNT int
#define SUFFIXED(name) name
#include "threads/exchange.inc.h"
