/*
 * forms.h: nonblocking forms of collectives that a library gets wrong, although its blocking ones are right.
 *
 * The arbiter carries out a blocking collective by its nonblocking form.  Where one of the conditions below holds, it
 * calls the blocking form in an ordered turn instead (order.h); WRONG_FORMS of generate.py says which calls ask which
 * condition.  Each gives the same answer on all members of the communicator, and costs nothing with other libraries.
 * MPI_Ibcast and similar calls of the program itself are left to the library.
 */
#ifndef BN_MPI_THREADS_FORMS_H
#define BN_MPI_THREADS_FORMS_H

#include "threads/library.h"

#include <string.h>

/* The ABI of MPI 5 does not tell which library is below, so there all conditions are asked. */
#define BN_FORMS_OF(abi) (strcmp(BN_MPI_ABI, abi) == 0 || strcmp(BN_MPI_ABI, "abi") == 0)

/** A Cartesian communicator with periodic dimensions of one or two processes, in which both neighbors of a process are
 *  the same one.  Open MPI (4.1 and 5) gives all messages of MPI_Ineighbor_alltoall, _alltoallv and _alltoallw one tag,
 *  so that what was sent to the left arrives from the left. */
bool bn_forms_meets_itself(MPI_Comm comm);

static inline bool bn_forms_mixes_neighbors(MPI_Comm comm)
{
    return BN_FORMS_OF("openmpi") && bn_forms_meets_itself(comm);
}

/** An intercommunicator.  MPI_Ibcast of MPICH (4.0 and 5) passes wrong data on, or fails, in groups of several
 *  processes, and hangs where processes of the root's group that are not the root pass a count of 0. */
static inline bool bn_forms_loses_broadcast(MPI_Comm comm)
{
    int is_inter = 0;
    if (BN_FORMS_OF("mpich") && comm != bn_handles.no_comm)
        bn_below.Comm_test_inter(comm, &is_inter);
    return is_inter != 0;
}

#endif
