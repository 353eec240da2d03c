/*
 * attend.h: upcrun beside the launcher of OpenSHMEM.
 *
 * Open MPI's launcher says on standard error, in blocks between rules of dashes, how a job ended.  What the threads
 * have said themselves (a signal, an exit status) needs no second report; that a host is gone nobody else can say, and
 * it takes one line.
 */
#ifndef BN_LAUNCHER_ATTEND_H
#define BN_LAUNCHER_ATTEND_H

/**
 * Runs words as a child, which is asked for its end by one SIGINT when this process is, and does not outlive it.  What
 * it writes goes to the standard files of this process, but for blocks on standard error that say nothing new; a lost
 * host is reported in one line.  Where a file takes no more, the child is asked for its end; if the reader has not just
 * gone, that is reported.  Returns the exit status of the child, 128 + the signal's number if it died of one; 126,
 * reported, if it cannot be run.  Where the child ends with 1 after a signal that asks for the end, this process ends
 * of that signal; where it was output that nobody takes, of SIGPIPE.
 *
 * A process of the child has threads_each threads, of thread_count in all.
 */
int launcher_attend(char **words, const char *program, int threads_each, int thread_count);

#endif
