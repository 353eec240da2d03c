/*
 * log.h: messages of the runtime to the user.
 *
 * A message is one line on standard error, written by one system call so that it stays whole:
 *
 *     banyan: thread 3: upc_all_alloc: <what is wrong>; <what to do>
 *
 * The thread is named once bn_log_set_thread has been called.  No newline at the end of the format.
 * May be called by any thread at any time, even from a signal handler (nothing is allocated); errno is preserved.
 */
#ifndef BN_BASE_LOG_H
#define BN_BASE_LOG_H

#include <stdarg.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

enum bn_log_level {
    BN_LOG_QUIET,   /* errors only */
    BN_LOG_NORMAL,  /* errors and warnings */
    BN_LOG_VERBOSE, /* also decisions of the runtime */
};

/* Sets the level from now on.  Called at start-up, before threads exist; the initial level is BN_LOG_NORMAL. */
void bn_log_set_level(enum bn_log_level level);

/* From now on messages carry the number of this UPC thread; -1 for a process that is not a thread (the initial
 * state). */
void bn_log_set_thread(int thread);

void bn_log_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
void bn_log_warning(const char *format, ...) __attribute__((format(printf, 1, 2)));
void bn_log_info(const char *format, ...) __attribute__((format(printf, 1, 2)));
void bn_log_answer(const char *format, ...)
    __attribute__((format(printf, 1, 2))); /* output that was requested; always shown */

/**
 * Whether everything printed on standard output could be written; reports an error if not.  For programs whose output
 * is their result, before they exit.
 */
bool bn_log_output_arrived(void);

/**
 * Waits, at most a second, until everything written to standard error has been read.  Needed before ending a job whose
 * launcher reads standard error from a pipe, ends the job immediately when told to, and drops what it has not read yet
 * (Hydra). @cost A system call if nothing is waiting to be read, or if standard error is not a pipe.
 */
void bn_log_await_reader(void);

/*
 * Checks a condition that only a bug in Banyan can violate; reports it and aborts.  The check stays on in release
 * builds, so the expression must be cheap.
 */
#define bn_assert(condition) ((condition) ? (void)0 : bn_assert_failed(#condition, __FILE__, __LINE__))
__attribute__((noreturn)) void bn_assert_failed(const char *condition, const char *file, int line);

#ifdef __cplusplus
}
#endif

#endif
