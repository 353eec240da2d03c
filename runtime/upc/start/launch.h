/*
 * launch.h: the steps of a job's start and end (start.c) that are the same whether threads are processes (processes.c)
 * or POSIX threads of processes (pthreads.c).
 *
 *     bn_launch_prepare                          once
 *     bn_launch_monitor                          once; from here on, in each process
 *     bn_launch_become(thread)                   every thread
 *     bn_units_initialise                        every thread
 *     bn_launch_meet                             every thread; behind it comes main
 *     bn_launch_leave                            every thread
 */
#ifndef BN_UPC_START_LAUNCH_H
#define BN_UPC_START_LAUNCH_H

#include <stdbool.h>

/* Whether each thread is a process: processes.c, pthreads.c, remote/start.c */
extern const bool bn_launch_forks_each;

/* Reads the options of the run, takes them out of the arguments, and creates what the threads share.  Ends the process,
 * with a message, if the job cannot be started.  Returns the number of threads. */
int bn_launch_prepare(int *argc, char **argv);

/*
 * Forks the processes, and becomes the monitor; returns in each of them, with the number of its first thread.  One
 * process that needs no monitor is this very process, so that debuggers work as usual.  Ends the process, with a
 * message, if that fails.
 */
int bn_launch_monitor(int threads_each);

/* Handlers for the calling thread's death; by its number it is known from bn_launch_become on. */
void bn_launch_become(int thread);

/* The barrier before main */
void bn_launch_meet(void);

/* What a thread does when its program has ended: the barrier at the end.  Nothing in a process that a thread has
 * forked. */
void bn_launch_leave(void);

#endif
