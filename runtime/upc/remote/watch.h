/*
 * watch.h: reports that a thread, or a process of several threads, was killed.  The launcher knows the signal but not
 * the thread, and the thread itself cannot report it.
 */
#ifndef BN_UPC_REMOTE_WATCH_H
#define BN_UPC_REMOTE_WATCH_H

#include <stdbool.h>

/**
 * Returns in a child of this process, which becomes the threads from first to end - 1.  This process waits for the
 * child and ends in the same way.  It first prints a line that says what was killed, on which machine and by which
 * signal, unless that was already reported elsewhere; if the end ends the job, it also tells upcrun, in case that was
 * what started the job.  Called before OpenSHMEM starts.  Does nothing in a traced process.
 */
void bn_watch_start(int first, int end, bool is_of_upcrun);

/** From now on the end of this thread is expected, whatever its status. */
void bn_watch_expect_end(void);

#endif
