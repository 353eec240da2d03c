/*
 * circle.h: collective operations of the library below among the leaders of a communicator (wide/circle.h).
 */
#ifndef BN_MPI_FRONT_CIRCLE_H
#define BN_MPI_FRONT_CIRCLE_H

#include "wide/circle.h"

#include <mpi.h>

/* Must live as long as what bn_circle_on returns. */
struct bn_circle_below {
    MPI_Comm comm; /* of the leaders, in the order of nodes; private */
    int size;
    int *tables; /* two tables of `size` entries: bytes and offsets of the operation in progress */
};

/** The operations among these leaders.  To combine vectors, vector->context must be a struct bn_args (call.h). */
struct bn_circle bn_circle_on(struct bn_circle_below *leaders);

#endif
