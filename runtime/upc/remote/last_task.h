/*
 * last_task.h: the end of a process whose main has called pthread_exit.
 *
 * The C library ends such a process with its last POSIX thread.  It does not end by itself over a network, since
 * OpenSHMEM and the libraries below it have threads that do not end.
 */
#ifndef BN_UPC_REMOTE_LAST_TASK_H
#define BN_UPC_REMOTE_LAST_TASK_H

/** Called by the thread that runs main, before main: if main calls pthread_exit, the process ends with status 0 once
 * the POSIX threads that exist now are the only ones. */
void bn_last_task_expect(void);

#endif
