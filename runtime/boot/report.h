/*
 * report.h: the line that says why a job has ended.
 */
#ifndef BN_BOOT_REPORT_H
#define BN_BOOT_REPORT_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Describes in words the object at a shared address; "" for other addresses.  See bn_runtime_describe_address. */
typedef void (*bn_describe_fn)(uint64_t address, char *text, int text_bytes);

enum { BN_REPORT_BYTES = 8192 };

/* How a report names threads if only the process is known: "thread 3 of 8", or "the process of threads 2 to 3" */
void bn_report_name(char *text, size_t text_bytes, int first, int end);

/* The probable sender of SIGKILL, judging from the limits of the calling process: ", by ..." */
const char *bn_report_killer(void);

/*
 * Writes the report of a thread that died of signal, with a newline at its end:
 *
 *     banyan: thread 3 of 8 (pid 4242) was killed by signal 11 (segmentation fault) at heat.upc:42 in sweep(), reading
 *     address 0x10; the job is ended                                    (in one line)
 *
 * and, with BANYAN_BACKTRACE, a line for each call that led there.  Uses the thread's crash record.  Without one, any
 * thread of the process, up to `end`, may be the one that died.  Takes up to a second, because it runs addr2line.
 * Sufficiently safe in a handler of a dying process.
 */
void bn_report_signal(char *text, size_t text_bytes, int thread, int end, pid_t process, int signal,
                      bn_describe_fn describe);

/* Writes the report of the calling process's thread to standard error, for a job without a monitor.  Called by the
 * handler of the dying thread. */
void bn_report_own_death(int thread, bn_describe_fn describe);

#ifdef __cplusplus
}
#endif

#endif
