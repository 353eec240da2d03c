/*
 * crash.h: what a thread that dies of a signal leaves for the report.
 */
#ifndef BN_BOOT_CRASH_H
#define BN_BOOT_CRASH_H

/*
 * Installs handlers for the signals of broken programs (SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGSYS, SIGTRAP) that
 * note in the control block where and why the thread died, and then let it die of the signal as if there were no
 * handler, with a core file if the user wants one.  Signals that are not at their default are left alone: they belong
 * to the program or to a sanitizer.
 *
 * on_death, if not null, is called with the thread's number before it dies: a job without a monitor reports there.
 */
void bn_crash_install(void (*on_death)(int thread));

/* Gives the calling POSIX thread a stack for these handlers, for one that has overflown; part of bn_crash_install. */
void bn_crash_use_own_stack(void);

/*
 * Until bn_crash_install, a SIGSEGV where shared objects without places seem to lie says that the threads have not been
 * started, and gives the advice, a constant: "call f first".  Leaves a handler of the program alone.
 */
void bn_crash_expect_start(const char *advice);

#endif
