/*
 * forms.h: nonblocking forms of collectives that a library gets wrong, although its blocking ones are right.
 *
 * The arbiter carries out a blocking collective by its nonblocking form.  Where one of the conditions below holds, it
 * calls the blocking form in an ordered turn instead (order.h); WRONG_FORMS of generate.py says which calls ask which
 * condition.  Each gives the same answer on all members of the communicator.
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
 *  processes.  MPI_Ibcast and MPI_Ireduce of Open MPI (4.1 and 5) begin nothing where the count is 0, and MPI_Ibcast of
 *  MPICH 5 hangs there.  But a process that passes MPI_PROC_NULL as root may pass any count, and with another one than
 *  the others its next collective matches the wrong one of theirs. */
static inline bool bn_forms_joins_groups(MPI_Comm comm)
{
    int is_inter = 0;
    if (comm != bn_handles.no_comm)
        bn_below.Comm_test_inter(comm, &is_inter);
    return is_inter != 0;
}

#endif
