/*
 * sizes.h: how large the blocks of a call are, where no member knows it of all of them: MPI_Scatterv, MPI_Gatherv,
 * MPI_Alltoallv, MPI_Alltoallw.
 *
 * Who carries out a call must be decided alike on all members, before any has heard of another.  So each says what it
 * knows in each call, and the decision rests on what all have said BN_SIZES_LAG calls ago: programs repeat their calls,
 * and a loop of 1, 2, 4 or 8 calls of an operation finds that of its own call.
 */
#ifndef BN_MPI_HOST_SIZES_H
#define BN_MPI_HOST_SIZES_H

#include "coll/team.h"
#include "host/operations.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    BN_SIZES_LAG = 8,                 /* so many calls a member may be ahead of another */
    BN_SIZES_KEPT = 2 * BN_SIZES_LAG, /* who has entered call k has read what all said in call k - LAG */
};

/* What a member has said, in memory that all see; zeroed: nothing yet.  The number of a flag is that of its calls, its
 * payload a byte for each. */
struct bn_sizes_said {
    struct bn_flag flags[BN_MPI_OPERATION_COUNT];
};

/* As one member sees it */
struct bn_sizes {
    struct bn_sizes_said *said;             /* of all members, by rank */
    uint64_t calls[BN_MPI_OPERATION_COUNT]; /* begun so far */
};

/**
 * Says the size class that this member knows of in its next call of an operation, 0 if it knows nothing; returns the
 * largest that was said BN_SIZES_LAG calls ago, the same on all members, or unknown in the first calls.
 *
 * Waits for members that are further behind.  @cost A line of the cache of each member.
 */
unsigned bn_sizes_agree(struct bn_sizes *sizes, const struct bn_team *team, enum bn_mpi_operation operation,
                        unsigned known_class, unsigned unknown);

#ifdef __cplusplus
}
#endif

#endif
