/*
 * runs.h: where the bytes of data of a type lie, in the order in which they are packed.
 */
#ifndef BN_MPI_THREADS_RUNS_H
#define BN_MPI_THREADS_RUNS_H

#include "threads/library.h"

#include <stddef.h>

/* Bytes without a gap, from where the data begin */
struct bn_run {
    MPI_Aint offset;
    size_t bytes;
};

struct bn_runs {
    struct bn_run *list;
    size_t count, room;
    bool has_failed; /* for lack of memory, or the type is none */
};

/** Of so many elements of a type, which need not be committed; false: the type is none, or there is no memory.  To be
 *  freed in any case.  Inside. */
bool bn_runs_find(struct bn_runs *runs, MPI_Datatype type, MPI_Count count);
void bn_runs_free(struct bn_runs *runs);

#endif
