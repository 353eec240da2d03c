/*
 * runs.h: where the bytes of data of a type lie, in the order in which they are packed.
 */
#ifndef BN_MPI_TYPES_RUNS_H
#define BN_MPI_TYPES_RUNS_H

#include "types/calls.h"

/* So many times bytes without a gap, each a stride behind the one before; the first lies so far from the data's address
 */
struct bn_run {
    MPI_Aint offset, stride;
    size_t bytes, number;
};

struct bn_runs {
    struct bn_run *list;
    size_t count, room, most;
    bool has_failed; /* there is no memory, the type is none, or there would be more than the most */
};

/** Of so many elements of a type, which need not be committed, if they are so many runs at the most.  To be freed in
 * any case. */
bool bn_runs_find(struct bn_runs *runs, MPI_Datatype type, MPI_Count count, size_t most);
void bn_runs_free(struct bn_runs *runs);

/** Copies the data of elements, which are an extent apart, one byte behind the other (or back: unpacks).  The address
 *  of the data may be null if offsets are addresses. */
void bn_runs_copy(const struct bn_runs *runs, MPI_Aint extent, void *data, MPI_Count count, void *packed, bool unpacks);

#endif
