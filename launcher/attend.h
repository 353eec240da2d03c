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
 * Runs words as a child, which gets the signals that are sent to this process and does not outlive it.  Its standard
 * error goes to that of this process, but for blocks that say nothing new; a lost host is reported in one line. Returns
 * the exit status of the child, 128 + the signal's number if it died of one; 126, reported, if it cannot be run.  Where
 * the child ends with 1 after a signal that asks for the end, this process ends of that signal.
 */
int launcher_attend(char **words, const char *program);

#endif
