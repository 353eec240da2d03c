/*
 * circle.h: collective operations of the library below among the leaders of a communicator (wide/circle.h).
 */
#ifndef BN_MPI_FRONT_CIRCLE_H
#define BN_MPI_FRONT_CIRCLE_H

#include "front/below.h"
#include "wide/circle.h"

/* To last as long as what bn_circle_on returns */
struct bn_circle_below {
    MPI_Comm comm; /* of the leaders, in the order of nodes; nobody else uses it */
    int size;
    int *tables; /* two of size: of the operation that is on its way, bytes and offsets */
};

/** Operations on them.  The vectors that they combine are those of a struct bn_args (call.h), in vector->context. */
struct bn_circle bn_circle_on(struct bn_circle_below *leaders);

#endif
