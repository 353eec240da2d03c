/*
 * context.h: information about the interrupted instruction, for signal handlers.
 */
#ifndef BN_PLATFORM_CONTEXT_H
#define BN_PLATFORM_CONTEXT_H

#include <stdbool.h>
#include <stdint.h>

enum bn_access { BN_ACCESS_UNKNOWN, BN_ACCESS_READ, BN_ACCESS_WRITE, BN_ACCESS_JUMP };

struct bn_interrupted {
    uintptr_t pc;          /* address of the instruction */
    uintptr_t sp;          /* stack pointer */
    enum bn_access access; /* for memory faults: what the instruction did */
};

/* Reads the third argument of a handler that was installed with SA_SIGINFO. Safe in a signal handler. */
struct bn_interrupted bn_interrupted_read(const void *ucontext);

/*
 * Addresses of the instructions that called each other, innermost first, beginning with the interrupted one.  Returns
 * how many were written.  If the program has jumped to that address (is_lost), where no code is, the next one is that
 * of the call which its return address belongs to.  Sufficiently safe in a handler of a dying process: walks unwind
 * tables, allocates nothing; but faults if the stack makes no sense.
 */
int bn_interrupted_backtrace(void *ucontext, bool is_lost, uintptr_t *pcs, int max);

#endif
