/*
 * runs.h: where the bytes of a datatype lie in memory, in the order in which they are packed.
 */
#ifndef BN_MPI_TYPES_RUNS_H
#define BN_MPI_TYPES_RUNS_H

#include "types/calls.h"

/* `number` blocks of contiguous bytes, a stride apart; the first one is at `offset` from the address of the data */
struct bn_run {
    MPI_Aint offset, stride;
    size_t bytes, number;
};

struct bn_runs {
    struct bn_run *list;
    size_t count, room, most;
    bool has_failed; /* there is no memory, the type is invalid, or there would be more than `most` */
};

/** Finds the runs of elements of a type, which need not be committed.  False: see has_failed; `most` limits the number
 * of runs.  bn_runs_free must follow in any case. */
bool bn_runs_find(struct bn_runs *runs, MPI_Datatype type, MPI_Count count, size_t most);
void bn_runs_free(struct bn_runs *runs);

/** Packs the data of elements, which are an extent apart, into contiguous bytes; or unpacks them.  The address of the
 *  data may be null if offsets are addresses. */
void bn_runs_copy(const struct bn_runs *runs, MPI_Aint extent, void *data, MPI_Count count, void *packed, bool unpacks);

#endif
