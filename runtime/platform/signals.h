/*
 * signals.h: signals as a stream of events, for a process that passes them on to its children.
 */
#ifndef BN_PLATFORM_SIGNALS_H
#define BN_PLATFORM_SIGNALS_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The signals that report faults of the program; only these have a handler of ours (boot/crash.h). */
enum { BN_SIGNAL_FAULTS = 7 };
extern const int bn_signal_faults[BN_SIGNAL_FAULTS];
bool bn_signal_is_fault(int signal);

/** All signals but those. */
void bn_signals_fill_without_faults(sigset_t *set);

struct bn_signal_state {
    sigset_t mask;
    struct sigaction child;
};

/* From now on the system keeps how children have ended until it is asked for.  It would not if the calling process had
 * inherited that SIGCHLD is ignored, as from some programs that run others. */
void bn_signals_expect_children(void);

/*
 * From now on blocks all signals that can be passed on, and SIGCHLD; stores the former state in *before_p.  Signals
 * that report program faults (SIGSEGV ...) and those that stop background jobs at a terminal (SIGTTIN, SIGTTOU) keep
 * their effect.
 */
void bn_signals_hold(struct bn_signal_state *before_p);

/* In a child: restores the state before bn_signals_hold. */
void bn_signals_restore(const struct bn_signal_state *before);

/* A file that is readable while blocked signals are pending; -1 if the system refuses.  SIGPIPE is ignored from now
 * on. */
int bn_signals_open(void);

struct bn_signal {
    int number;
    bool is_from_terminal; /* the kernel sent it to the whole foreground group, children included */
    bool has_value;        /* sent by sigqueue */
    union sigval value;
};

/* Takes the next signal; false if there is none now. */
bool bn_signals_take(int file, struct bn_signal *signal_p);

/* Forwards a signal to a child. */
void bn_signals_forward(const struct bn_signal *signal, pid_t process);

#ifdef __cplusplus
}
#endif

#endif
