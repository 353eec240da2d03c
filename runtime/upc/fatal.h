/*
 * fatal.h: the end of a program that cannot continue.
 *
 * Only runtime/upc may include this: the layers below return a status.
 */
#ifndef BN_UPC_FATAL_H
#define BN_UPC_FATAL_H

/*
 * Reports "banyan: thread 3: <function>: <message>" and ends the job with status 1.  function is the name that the
 * program used, "upc_free"; null where none did.  Under -fcheck the place of the call stands before it, as "a.upc:7: ".
 * Standard I/O of this thread is flushed.  Does not return.
 *
 * A process that a thread has forked ends alone, as by exit; so it does with all of these.
 */
__attribute__((noreturn, cold, format(printf, 2, 3))) void bn_upc_fatal(const char *function, const char *format, ...);

/* The same, with more lines about the state of the job, which explain reports. */
__attribute__((noreturn, cold, format(printf, 3, 4))) void
bn_upc_fatal_explained(void (*explain)(void), const char *function, const char *format, ...);

/*
 * Ends all threads of the job at once; all 8 bits of status are the job's exit status.  Standard I/O of this thread is
 * flushed; there is no barrier, and no atexit function runs.  This is upc_global_exit.
 */
__attribute__((noreturn, cold)) void bn_upc_end_job(int status);

#endif
