/*
 * progress.h: what a process does while it waits in one of our calls: it copies what others ask of its memory, and
 * drives the library below, so that a message that others wait for still moves.
 */
#ifndef BN_MPI_FRONT_PROGRESS_H
#define BN_MPI_FRONT_PROGRESS_H

#include "front/below.h"

/** From now on whoever waits does so.  Nobody sends messages on comm. */
void bn_progress_begin(MPI_Comm comm);
void bn_progress_end(void);

/**
 * Drives the library below, unless this thread has just done so here: behind a barrier programs take for done what
 * others have received before it.  Open MPI's MPI_Bsend finds no room for a message until a call has seen that earlier
 * ones are received.  Between begin and end alone.
 */
void bn_progress_behind_barrier(void);

#endif
