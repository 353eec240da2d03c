/*
 * The calls of the module mpi_f08 of MPICH, Intel MPI and the standard ABI that reach PMPI_... and not MPI_...: those
 * without a buffer.  Handles are numbers in a structure; the last argument may be missing.
 */
#include "front/below.h"

#include <pthread.h>
#include <stdint.h>

#define EXPORT __attribute__((visibility("default")))

static MPI_Comm (*comm_from_int)(int);

static void find(void)
{
    bn_below_find();
    comm_from_int = (MPI_Comm(*)(int))bn_below_symbol("PMPI_Comm_fromint");
}

/* A handle of C is the same number, unless the library below has a function that says what it is. */
static MPI_Comm comm_of(int handle)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, find);
    return comm_from_int ? comm_from_int(handle) : (MPI_Comm)(intptr_t)handle;
}

static void end(int *error, int result)
{
    if (error)
        *error = result;
}

EXPORT void mpi_init_f08_(int *error)
{
    end(error, MPI_Init(NULL, NULL));
}

EXPORT void mpi_init_thread_f08_(const int *required, int *provided, int *error)
{
    end(error, MPI_Init_thread(NULL, NULL, *required, provided));
}

EXPORT void mpi_finalize_f08_(int *error)
{
    end(error, MPI_Finalize());
}

EXPORT void mpi_barrier_f08_(const int *comm, int *error)
{
    end(error, MPI_Barrier(comm_of(*comm)));
}
