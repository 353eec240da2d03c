/*
 * log.h: messages of the runtime to the person who runs the program.
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
    BN_LOG_VERBOSE, /* and what the runtime decides */
};

/* Sets what is shown from now on.  Called at start, before threads exist; until then it is BN_LOG_NORMAL. */
void bn_log_set_level(enum bn_log_level level);
bool bn_log_is_verbose(void);

/* From now on messages carry the number of this UPC thread; -1 for a process that is not a thread (the initial
 * state). */
void bn_log_set_thread(int thread);

void bn_log_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
void bn_log_warning(const char *format, ...) __attribute__((format(printf, 1, 2)));
void bn_log_info(const char *format, ...) __attribute__((format(printf, 1, 2)));
void bn_log_answer(const char *format, ...)
    __attribute__((format(printf, 1, 2))); /* what was asked for: always shown */
void bn_log_error_v(const char *format, va_list args) __attribute__((format(printf, 1, 0)));

/**
 * Whether all that was printed on standard output could be written; reported if not.  For a program that was asked
 * something, before it ends.
 */
bool bn_log_output_arrived(void);

/**
 * Waits until what has been written has been read, a second at most: where standard error is a pipe to a launcher that
 * ends the job at once when it is told to, and drops what it has not read yet (Hydra).  Before such an end.
 * @cost A system call where nothing waits to be read, or standard error is no pipe.
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
