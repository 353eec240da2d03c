#include "platform/signals.h"

#include <errno.h>
#include <stdint.h>
#include <sys/signalfd.h>
#include <unistd.h>

const int bn_signal_faults[BN_SIGNAL_FAULTS] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGSYS, SIGTRAP};

bool bn_signal_is_fault(int signal)
{
    for (int i = 0; i < BN_SIGNAL_FAULTS; ++i) {
        if (bn_signal_faults[i] == signal)
            return true;
    }
    return false;
}

void bn_signals_fill_without_faults(sigset_t *set)
{
    sigfillset(set);
    for (int i = 0; i < BN_SIGNAL_FAULTS; ++i)
        sigdelset(set, bn_signal_faults[i]);
}

static void fill(sigset_t *set)
{
    static const int kept[] = {SIGTTIN, SIGTTOU, SIGPIPE};
    bn_signals_fill_without_faults(set);
    for (size_t i = 0; i < sizeof kept / sizeof *kept; ++i)
        sigdelset(set, kept[i]);
}

void bn_signals_expect_children(void)
{
    struct sigaction standard = {.sa_handler = SIG_DFL};
    sigaction(SIGCHLD, &standard, NULL);
}

void bn_signals_hold(struct bn_signal_state *before_p)
{
    sigset_t all;
    fill(&all);
    sigprocmask(SIG_BLOCK, &all, &before_p->mask);
    sigaction(SIGCHLD, NULL, &before_p->child);
    bn_signals_expect_children();
}

void bn_signals_restore(const struct bn_signal_state *before)
{
    sigaction(SIGCHLD, &before->child, NULL);
    sigprocmask(SIG_SETMASK, &before->mask, NULL);
}

int bn_signals_open(void)
{
    sigset_t all;
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    fill(&all);
    sigaction(SIGPIPE, &ignore, NULL);
    return signalfd(-1, &all, SFD_CLOEXEC | SFD_NONBLOCK);
}

/*
 * The kernel sends signals of the keyboard to the whole foreground group, but when a terminal hangs up it signals only
 * the leader of the session.
 */
static bool is_for_group(const struct signalfd_siginfo *info)
{
    bool is_for_leader = info->ssi_signo == SIGHUP && getsid(0) == getpid();
    return info->ssi_code == SI_KERNEL && !is_for_leader;
}

bool bn_signals_take(int file, struct bn_signal *signal_p)
{
    struct signalfd_siginfo info;
    ssize_t bytes;
    do
        bytes = read(file, &info, sizeof info);
    while (bytes < 0 && errno == EINTR);
    if (bytes != (ssize_t)sizeof info)
        return false;
    *signal_p = (struct bn_signal){
        .number = (int)info.ssi_signo,
        .is_from_terminal = is_for_group(&info),
        .has_value = info.ssi_code == SI_QUEUE,
    };
    signal_p->value.sival_ptr = (void *)(uintptr_t)info.ssi_ptr;
    return true;
}

void bn_signals_forward(const struct bn_signal *signal, pid_t process)
{
    if (signal->has_value)
        sigqueue(process, signal->number, signal->value);
    else
        kill(process, signal->number);
}
