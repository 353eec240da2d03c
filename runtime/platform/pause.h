/* pause.h: pausing and yielding while waiting. */
#ifndef BN_PLATFORM_PAUSE_H
#define BN_PLATFORM_PAUSE_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Pauses for a few nanoseconds, during which a sibling hardware thread gets the core's resources; for the body of a
 * spin loop. */
static inline void bn_cpu_pause(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("isb" ::: "memory");
#elif defined(__powerpc64__)
    __asm__ volatile("or 27, 27, 27" ::: "memory"); /* yield, a no-op where it is not known */
#elif defined(__riscv)
    __asm__ volatile(".4byte 0x0100000f" ::: "memory"); /* pause, a fence that orders nothing where it is not known */
#else
    __asm__ volatile("" ::: "memory");
#endif
}

/* Yields the core to another runnable thread.  Next to compute-bound threads it naps instead, so that the caller runs
 * again soon (pause.c).  errno is preserved. @cost 0.3 us if no other thread is runnable, otherwise a context switch,
 * or 0.1 ms for a nap. */
void bn_cpu_yield(void);

/* For callers that can sleep until they are woken: yields and returns true, or returns false where bn_cpu_yield would
 * nap, so that the caller sleeps.  errno is preserved. @cost As bn_cpu_yield; 25 ns if the answer is false. */
bool bn_cpu_yield_unless_crowded(void);

#ifdef __cplusplus
}
#endif

#endif
