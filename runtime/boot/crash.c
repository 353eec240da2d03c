#include "boot/crash.h"

#include "boot/job.h"
#include "platform/atomic_word.h"
#include "platform/signals.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { STACK_BYTES = 128 << 10, NEAR_STACK_BYTES = 64 << 10 };

static void (*report_death)(int thread);
static bool has_reported;

static bool is_about_memory(int signal, const siginfo_t *info)
{
    return (signal == SIGSEGV || signal == SIGBUS) && info->si_code > 0 && info->si_code != SI_KERNEL;
}

static void record(struct bn_crash *crash, int signal, const siginfo_t *info, void *ucontext)
{
    struct bn_interrupted context = bn_interrupted_read(ucontext);
    uint32_t order = bn_word_add(&bn_job()->crash_count, 1);
    crash->signal = signal;
    crash->has_address = is_about_memory(signal, info);
    crash->address = crash->has_address ? (uintptr_t)info->si_addr : 0;
    bool is_jump = crash->has_address && crash->address == context.pc;
    crash->access = is_jump ? BN_ACCESS_JUMP : crash->has_address ? context.access : BN_ACCESS_UNKNOWN;
    crash->is_stack_overflow = crash->has_address && !is_jump && signal == SIGSEGV &&
                               crash->address + NEAR_STACK_BYTES > context.sp &&
                               crash->address < context.sp + NEAR_STACK_BYTES;
    crash->frames[0] = context.pc;
    crash->frame_count = 1;
    bn_word_show(&crash->order, order);
    crash->frame_count = bn_interrupted_backtrace(ucontext, is_jump, crash->frames, BN_CRASH_FRAME_MAX);
}

/* The POSIX thread of this process that records the crash; 0: none has begun to */
static uint32_t teller;

/* The process dies with that thread.  Others wait for it, but not forever, since it may hang. */
static void wait_for_teller(void)
{
    enum { LIMIT_S = 2 };
    struct timespec left = {.tv_sec = LIMIT_S, .tv_nsec = 0};
    while (nanosleep(&left, &left) != 0 && errno == EINTR)
        continue;
}

static void report_once(int thread)
{
    if (report_death && !has_reported) {
        has_reported = true;
        report_death(thread);
    }
}

/*
 * If unwinding itself faults, the second signal comes here, too (hence SA_NODEFER); it reports what has been recorded
 * so far, and has its default action.  Other POSIX threads that fault meanwhile wait.
 */
static void handle(int signal, siginfo_t *info, void *ucontext)
{
    int saved_errno = errno;
    int thread = bn_job_thread();
    uint32_t own = (uint32_t)syscall(SYS_gettid), first = 0;
    bool is_first = bn_word_change(&teller, &first, own);
    if (is_first && thread >= 0)
        record(&bn_job()->threads[thread].crash, signal, info, ucontext);
    if (!is_first && first != own)
        wait_for_teller();
    else if (thread >= 0)
        report_once(thread);
    struct sigaction standard = {.sa_handler = SIG_DFL};
    sigaction(signal, &standard, NULL);
    errno = saved_errno;
    /* A fault recurs when the instruction is restarted; a signal that was sent must be sent again. */
    if (info->si_code <= 0 || signal == SIGTRAP)
        raise(signal);
}

void bn_crash_use_own_stack(void)
{
    stack_t present;
    if (sigaltstack(NULL, &present) != 0 || (present.ss_flags & SS_DISABLE) == 0)
        return;
    void *memory = mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return;
    stack_t own = {.ss_sp = memory, .ss_size = STACK_BYTES};
    sigaltstack(&own, NULL);
}

static const char *what_to_do;

/* An object without a place yet has the address it would have in a window at address 0, where nothing else of a program
 * lies. */
static void handle_before_start(int signal, siginfo_t *info, void *ucontext)
{
    static const uintptr_t below = (uintptr_t)1 << 46;
    static const char text[] =
        "banyan: memory that does not exist was accessed before the threads were started; if by UPC code, ";
    (void)ucontext;
    struct sigaction standard = {.sa_handler = SIG_DFL};
    sigaction(signal, &standard, NULL);
    if (info->si_code > 0 && (uintptr_t)info->si_addr < below)
        (void)!(write(STDERR_FILENO, text, sizeof text - 1) + write(STDERR_FILENO, what_to_do, strlen(what_to_do)) +
                write(STDERR_FILENO, "\n", 1));
    if (info->si_code <= 0)
        raise(signal);
}

void bn_crash_expect_start(const char *advice)
{
    what_to_do = advice;
    struct sigaction present;
    struct sigaction ours = {.sa_sigaction = handle_before_start, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    if (sigaction(SIGSEGV, NULL, &present) == 0 && present.sa_handler == SIG_DFL)
        sigaction(SIGSEGV, &ours, NULL);
}

static bool is_free(const struct sigaction *present)
{
    return present->sa_handler == SIG_DFL ||
           ((present->sa_flags & SA_SIGINFO) && present->sa_sigaction == handle_before_start);
}

void bn_crash_install(void (*on_death)(int thread))
{
    report_death = on_death;
    bn_crash_use_own_stack();
    for (int i = 0; i < BN_SIGNAL_FAULTS; ++i) {
        struct sigaction present;
        struct sigaction ours = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
        if (sigaction(bn_signal_faults[i], NULL, &present) == 0 && is_free(&present))
            sigaction(bn_signal_faults[i], &ours, NULL);
    }
}
