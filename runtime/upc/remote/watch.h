/*
 * watch.h: reports that a thread was killed.  The launcher knows the signal but not the thread, and the thread itself
 * cannot report it.
 */
#ifndef BN_UPC_REMOTE_WATCH_H
#define BN_UPC_REMOTE_WATCH_H

/**
 * Returns in a child of this process, which becomes the thread.  This process waits for it and ends in the same way,
 * after a line that says which thread was killed, on which machine and by which signal, unless that was reported
 * elsewhere.  Called before OpenSHMEM starts.  Does nothing in a traced process.
 */
void bn_watch_start(int thread);

/** From now on the end of this thread is expected, whatever its status. */
void bn_watch_expect_end(void);

#endif
