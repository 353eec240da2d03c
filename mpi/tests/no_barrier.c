/*
 * no_barrier.c: preloaded, it makes barriers wait for nobody, which the tester must notice.
 *
 *     NO_BARRIER=blocking       MPI_Barrier
 *     NO_BARRIER=nonblocking    MPI_Ibarrier
 */
#include <mpi.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static bool is_nothing(const char *form)
{
    const char *which = getenv("NO_BARRIER");
    return which && strcmp(which, form) == 0;
}

int MPI_Barrier(MPI_Comm comm)
{
    return is_nothing("blocking") ? MPI_SUCCESS : PMPI_Barrier(comm);
}

int MPI_Ibarrier(MPI_Comm comm, MPI_Request *request)
{
    *request = MPI_REQUEST_NULL;
    return is_nothing("nonblocking") ? MPI_SUCCESS : PMPI_Ibarrier(comm, request);
}
