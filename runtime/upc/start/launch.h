/*
 * launch.h: the steps of a job's start and end, on one machine (start.c) or over a network (remote/start.c), that are
 * the same whether threads are processes (processes.c) or POSIX threads of processes (pthreads.c).
 *
 *     bn_launch_prepare                          once; over a network in each process
 *     bn_launch_processes                        once; from here on, in each process
 *     bn_launch_become(thread)                   every thread
 *     bn_units_initialise                        every thread
 *     bn_launch_meet                             every thread; main follows
 *     bn_launch_leave                            every thread
 */
#ifndef BN_UPC_START_LAUNCH_H
#define BN_UPC_START_LAUNCH_H

#include <stdbool.h>

/* Whether each thread is a process: processes.c, pthreads.c */
extern const bool bn_launch_forks_each;

/* Whether a thread's standard output is line-buffered while main runs, unless main changes that. */
bool bn_launch_gives_lines(void);

/* Reads the options of the run, and removes them from the arguments.  Ends the process, with a message, if the job
 * cannot be started. */
void bn_launch_prepare(int *argc, char **argv);

/* The threads of a process: first .. end - 1 */
struct bn_launch_threads {
    int first, end;
};

/*
 * Creates what the threads share and, on one machine, the processes, each with threads_each threads or, if that is 0,
 * as many as is reasonable; returns in each process.  On one machine the caller becomes the monitor; but if there is
 * only one process and it needs no monitor, the caller itself is that process, so that debuggers work as usual.  Over a
 * network the processes exist already, and the call is collective.  Ends the process, with a message, if that fails.
 */
struct bn_launch_threads bn_launch_processes(int threads_each);

/* Makes the calling thread the UPC thread with this number: attaches it to the job, and binds it to its processors if
 * threads are bound.  From here on, messages and crash reports name it. */
void bn_launch_become(int thread);

/* The barrier before main */
void bn_launch_meet(void);

/* Called by a thread when its program has ended, with its status: the barrier at the end.  Returns the status with
 * which the thread ends: another one if its part of the end has failed, such as writing a profile.  Does nothing in a
 * process that a thread has forked. */
int bn_launch_leave(int status);

#endif
