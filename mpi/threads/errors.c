#include "threads/errors.h"

#include "threads/gate.h"

#include <string.h>

static bool has_handlers; /* the program has set an error handler; inside */

/*
 * Gives a communicator another handler for the duration of a call, while nobody else is inside.
 *
 * With BN_GATE_LEARNS threads may be past the arbiter: an error on MPI_COMM_WORLD that one of them makes at that moment
 * is only returned to it.  Without the exchange all errors of this thread would go to the wrong handler, which by
 * default ends the job.
 */
static MPI_Errhandler hush(MPI_Comm comm)
{
    MPI_Errhandler before;
    bn_below.Comm_get_errhandler(comm, &before);
    bn_below.Comm_set_errhandler(comm, bn_handles.errors_return);
    return before;
}

static void restore(MPI_Comm comm, MPI_Errhandler before)
{
    bn_below.Comm_set_errhandler(comm, before);
    bn_below.Errhandler_free(&before);
}

static int test_quietly(MPI_Request *request, int *flag, MPI_Status *status, MPI_Comm comm)
{
    MPI_Errhandler before = hush(bn_handles.world);
    int result = bn_below.Test(request, flag, status);
    restore(bn_handles.world, before);
    if (result != MPI_SUCCESS)
        bn_below.Comm_call_errhandler(comm, result);
    return result;
}

int bn_errors_test(MPI_Request *request, int *flag, MPI_Status *status, MPI_Comm comm)
{
    bool goes_to_another = strcmp(BN_MPI_ABI, "openmpi") != 0 && comm != bn_handles.no_comm && comm != bn_handles.world;
    return goes_to_another && has_handlers ? test_quietly(request, flag, status, comm)
                                           : bn_below.Test(request, flag, status);
}

int bn_errors_get_status(MPI_Request request, int *flag)
{
    if (strcmp(BN_MPI_ABI, "openmpi") == 0 || !has_handlers)
        return bn_below.Request_get_status(request, flag, MPI_STATUS_IGNORE);
    MPI_Errhandler before = hush(bn_handles.world);
    int result = bn_below.Request_get_status(request, flag, MPI_STATUS_IGNORE);
    restore(bn_handles.world, before);
    return result;
}

/* Errors of calls without a communicator go to the handler of MPI_COMM_WORLD, since MPI 4 to that of MPI_COMM_SELF. */
int bn_errors_reduce(const void *from, void *to, int count, MPI_Datatype type, MPI_Op op)
{
    MPI_Errhandler world = hush(bn_handles.world), self = hush(bn_handles.self);
    int result = bn_below.Reduce_local(from, to, count, type, op);
    restore(bn_handles.self, self);
    restore(bn_handles.world, world);
    return result;
}

int bn_errors_report(MPI_Win window, int error_class)
{
    bool is_inside = bn_gate_enter(BN_PATH_MAIN);
    bn_below.Win_call_errhandler(window, error_class);
    if (is_inside)
        bn_gate_leave();
    return error_class;
}

static int call_Comm_set_errhandler(MPI_Comm comm, MPI_Errhandler handler)
{
    bool is_inside = bn_gate_enter(BN_PATH_MAIN);
    int result = bn_below.Comm_set_errhandler(comm, handler);
    has_handlers = true;
    if (is_inside)
        bn_gate_leave();
    return result;
}

BN_BOTH_NAMES(int, Comm_set_errhandler, bn_next_tool.Comm_set_errhandler, (MPI_Comm comm, MPI_Errhandler handler),
              (comm, handler))

/* The name before MPI 2, which some mpi.h lack */
static int call_Errhandler_set(MPI_Comm comm, MPI_Errhandler handler)
{
    return call_Comm_set_errhandler(comm, handler);
}

BN_BOTH_NAMES(int, Errhandler_set, NULL, (MPI_Comm comm, MPI_Errhandler handler), (comm, handler))
