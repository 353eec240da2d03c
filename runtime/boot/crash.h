/*
 * crash.h: handlers that record how a thread died of a signal, for the report.
 */
#ifndef BN_BOOT_CRASH_H
#define BN_BOOT_CRASH_H

/*
 * Installs handlers for the signals that report program faults (SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGSYS,
 * SIGTRAP).  They record in the control block where and why the thread died, and then let it die of the signal as if
 * there were no handler, with a core file if the user wants one.  Signals whose action is not the default are left
 * alone: they belong to the program or to a sanitizer.
 *
 * on_death, if not null, is called with the thread's number before it dies: a job without a monitor reports from there.
 */
void bn_crash_install(void (*on_death)(int thread));

/* Gives the calling POSIX thread an alternate stack for these handlers, in case its own has overflowed; part of
 * bn_crash_install. */
void bn_crash_use_own_stack(void);

/*
 * Until bn_crash_install, a SIGSEGV at an address of a shared object that has no place yet prints that the threads have
 * not been started, followed by the advice, a constant such as "call f first".  Does not replace a handler of the
 * program.
 */
void bn_crash_expect_start(const char *advice);

#endif
