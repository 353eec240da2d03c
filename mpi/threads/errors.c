#include "threads/errors.h"

#include "threads/gate.h"

#include <string.h>

static bool has_handlers; /* the program has set an error handler; inside */

/* Gives MPI_COMM_WORLD another handler for the duration of the call, which is safe because nobody else is inside. */
static int test_quietly(MPI_Request *request, int *flag, MPI_Status *status, MPI_Comm comm)
{
    MPI_Errhandler before;
    bn_real.Comm_get_errhandler(bn_handles.world, &before);
    bn_real.Comm_set_errhandler(bn_handles.world, bn_handles.errors_return);
    int result = bn_real.Test(request, flag, status);
    bn_real.Comm_set_errhandler(bn_handles.world, before);
    bn_real.Errhandler_free(&before);
    if (result != MPI_SUCCESS)
        bn_real.Comm_call_errhandler(comm, result);
    return result;
}

int bn_errors_test(MPI_Request *request, int *flag, MPI_Status *status, MPI_Comm comm)
{
    bool goes_to_world = strcmp(BN_MPI_ABI, "openmpi") != 0;
    return goes_to_world && has_handlers && comm != bn_handles.no_comm ? test_quietly(request, flag, status, comm)
                                                                       : bn_real.Test(request, flag, status);
}

static int call_Comm_set_errhandler(MPI_Comm comm, MPI_Errhandler handler)
{
    bool is_inside = bn_gate_enter(BN_PATH_MAIN);
    int result = bn_real.Comm_set_errhandler(comm, handler);
    has_handlers = true;
    if (is_inside)
        bn_gate_leave();
    return result;
}

BN_BOTH_NAMES(int, Comm_set_errhandler, bn_tools.Comm_set_errhandler, (MPI_Comm comm, MPI_Errhandler handler),
              (comm, handler))

/* The name before MPI 2, which some mpi.h lack */
static int call_Errhandler_set(MPI_Comm comm, MPI_Errhandler handler)
{
    return call_Comm_set_errhandler(comm, handler);
}

BN_BOTH_NAMES(int, Errhandler_set, NULL, (MPI_Comm comm, MPI_Errhandler handler), (comm, handler))
