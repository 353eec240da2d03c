/*
 * progress.h: what a process does while it waits in one of our calls: it copies data of its own memory that others have
 * asked for, and drives the library below, so that messages that others wait for still move.
 */
#ifndef BN_MPI_FRONT_PROGRESS_H
#define BN_MPI_FRONT_PROGRESS_H

#include "front/below.h"

/** From now on waiting threads make such progress, by polling comm, on which there must be no messages. */
void bn_progress_begin(MPI_Comm comm);
void bn_progress_end(void);

/**
 * Drives the library below, unless this thread has just done so here.  After a barrier, programs expect the library to
 * know which messages others received before it: Open MPI's MPI_Bsend finds no room for a message until a call has seen
 * that earlier ones were received.  Only between begin and end.
 */
void bn_progress_behind_barrier(void);

#endif
