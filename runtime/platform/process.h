/*
 * process.h: processes and their signals, as the monitor of a job needs them.
 */
#ifndef BN_PLATFORM_PROCESS_H
#define BN_PLATFORM_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Nanoseconds of a monotonic clock */
int64_t bn_process_now_ns(void);

/* Makes the system kill the calling process when its parent dies; if the parent is dead already, the process exits
 * immediately. */
void bn_process_die_with(pid_t parent);

/* Opens /dev/null for each of the three standard descriptors that is closed. */
void bn_process_fill_standard_files(void);

/* "segmentation fault" for SIGSEGV, "signal" for one without a name; all in lower case, for use inside a sentence */
const char *bn_process_signal_name(int signal);

/*
 * Ends the calling process by signal, so that a waiting parent sees that signal; with exit status 128 + signal if that
 * is impossible.  Leaves no core file.
 */
__attribute__((noreturn)) void bn_process_die_of(int signal);

/* Like _exit(status), but allowed inside a strict access: ThreadSanitizer would report an exit there that it sees. */
__attribute__((noreturn)) void bn_process_end_at_once(int status);

/* Stops the calling process as signal would (SIGTSTP), and returns when it is continued. */
void bn_process_stop_by(int signal);

/*
 * Runs a command (found on PATH) and returns its standard output, terminated and cut to output_bytes.  False if it
 * cannot be run, fails, or takes longer than limit_ms, in which case it is killed.  Allocates nothing.
 */
bool bn_process_capture(char *const *arguments, int limit_ms, char *output, size_t output_bytes);

/* The path of the running program, without links, in PATH_MAX bytes; false if it cannot be found.  Needs no /proc. */
bool bn_process_program(char *path);

/* Whether a debugger, or something else that traces processes, is attached to the calling process */
bool bn_process_is_traced(void);

/* The command name of the process that traces the calling one ("gdb", "strace"), cut by the system to 15 characters;
 * empty if there is none, or none that can be seen */
void bn_process_tracer_name(char *name, size_t name_bytes);

/* Whether a word of the command line of that process contains text; only its first 4 KB are searched */
bool bn_process_tracer_was_told(const char *text);

/**
 * Whether the system lets this process read the memory of its parent, and therefore of its siblings (process_vm_readv).
 * Containers often forbid it, and so do systems that restrict ptrace.
 */
bool bn_process_may_read_others(void);

#ifdef __cplusplus
}
#endif

#endif
