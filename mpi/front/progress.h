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

#endif
