/*
 * progress.h: a thread that drives the library below while the program computes, if BANYAN_MPI_PROGRESS asks for one.
 */
#ifndef BN_MPI_THREADS_PROGRESS_H
#define BN_MPI_THREADS_PROGRESS_H

/** Starts that thread; warns if it cannot be started.  Calls must be arbitrated. */
void bn_progress_thread_begin(void);

/** Drives the library once.  Inside. */
void bn_progress_once(void);

/** Stops the thread and waits for its end; no effect if there is none. */
void bn_progress_thread_end(void);

#endif
