/*
 * fatal.h: the end of a program that cannot continue.
 *
 * Only runtime/upc may include this: the layers below return a status.
 */
#ifndef BN_UPC_FATAL_H
#define BN_UPC_FATAL_H

/*
 * Reports "banyan: thread 3: <function>: <message>" and ends the job with status 1.  function is the name that the
 * program used, "upc_free"; null if the program called no function.  With -fcheck it is preceded by the place of the
 * call, as "a.upc:7: ".  Standard I/O of this thread is flushed.  Does not return.
 *
 * In a process that a thread has forked, this and the functions below end only that process, as exit does.
 */
__attribute__((noreturn, cold, format(printf, 2, 3))) void bn_upc_fatal(const char *function, const char *format, ...);

/* The same; explain reports further lines about the state of the job. */
__attribute__((noreturn, cold, format(printf, 3, 4))) void
bn_upc_fatal_explained(void (*explain)(void), const char *function, const char *format, ...);

/*
 * Ends all threads of the job immediately; all 8 bits of status become the job's exit status.  Standard I/O of this
 * thread is flushed; there is no barrier, and no atexit function runs.  This is upc_global_exit.
 */
__attribute__((noreturn, cold)) void bn_upc_end_job(int status);

#endif
