/*
 * watch.h: who says that a thread was killed.  The launcher knows the signal, but not the thread; the thread cannot say
 * it itself.
 */
#ifndef BN_UPC_REMOTE_WATCH_H
#define BN_UPC_REMOTE_WATCH_H

/**
 * Returns in a child of this process, which goes on as the thread.  This process waits for it and ends as it does,
 * after a line that says which thread was killed, on which machine and by which signal, where nobody else says it.
 * Before OpenSHMEM starts.  Does nothing in a process that is traced.
 */
void bn_watch_start(int thread);

/** From now on the end of this thread is no surprise, whatever its status. */
void bn_watch_expect_end(void);

#endif
