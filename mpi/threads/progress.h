/*
 * progress.h: a thread that drives the library below while the program computes, if BANYAN_MPI_PROGRESS asks for one.
 */
#ifndef BN_MPI_THREADS_PROGRESS_H
#define BN_MPI_THREADS_PROGRESS_H

/** Calls are arbitrated.  Says so if there can be no such thread. */
void bn_progress_begin(void);

/** Drives it for a moment.  Inside. */
void bn_progress_once(void);

/** Returns when it has ended; nothing if there is none. */
void bn_progress_end(void);

#endif
