/* start.h: how a process becomes a thread of a job. */
#ifndef BN_UPC_START_START_H
#define BN_UPC_START_START_H

/*
 * Starts the job: reads the options of the run and removes them from the arguments, creates what the threads share, and
 * forks them.  Returns in each thread, after the barrier before main; the calling process becomes the monitor and does
 * not return.  Ends the process, with a message, if the job cannot be started.
 *
 * @pre  No job was started; the process has no other POSIX threads.
 */
void bn_upc_start(int *argc, char **argv);

/* Does the same where main begins and runs program in every thread; returns what program returned, or ends the thread
 * with that status. */
int bn_upc_run(int argc, char **argv, int (*program)(int argc, char **argv, char **environment));

#endif
