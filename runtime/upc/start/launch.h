/*
 * launch.h: the steps of a job's start and end, on one machine (start.c) or over a network (remote/start.c), that are
 * the same whether threads are processes (processes.c) or POSIX threads of processes (pthreads.c).
 *
 *     bn_launch_prepare                          once; over a network in each process
 *     bn_launch_processes                        once; from here on, in each process
 *     bn_launch_become(thread)                   every thread
 *     bn_units_initialise                        every thread
 *     bn_launch_meet                             every thread; behind it comes main
 *     bn_launch_leave                            every thread
 */
#ifndef BN_UPC_START_LAUNCH_H
#define BN_UPC_START_LAUNCH_H

#include <stdbool.h>

/* Whether each thread is a process: processes.c, pthreads.c */
extern const bool bn_launch_forks_each;

/* Whether standard output of a thread has a buffer of lines while main runs, unless main takes it away. */
bool bn_launch_gives_lines(void);

/* Reads the options of the run, and takes them out of the arguments.  Ends the process, with a message, if the job
 * cannot be started. */
void bn_launch_prepare(int *argc, char **argv);

/* The threads of a process: those from first on, before end */
struct bn_launch_threads {
    int first, end;
};

/*
 * Makes what threads share, and on one machine the processes, of threads_each threads or, where that is 0, as many as
 * make sense; returns in each of them.  On one machine the caller becomes the monitor; but one process that needs none
 * is this very process, so that debuggers work as usual.  Over a network the processes are there, and it is collective.
 * Ends the process, with a message, if that fails.
 */
struct bn_launch_threads bn_launch_processes(int threads_each);

/* Handlers for the calling thread's death; by its number it is known from bn_launch_become on. */
void bn_launch_become(int thread);

/* The barrier before main */
void bn_launch_meet(void);

/* What a thread does when its program has ended: the barrier at the end.  Nothing in a process that a thread has
 * forked. */
void bn_launch_leave(void);

#endif
