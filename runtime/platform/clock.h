/*
 * clock.h: clocks.
 *
 * Two clocks: nanoseconds of the system, and ticks, which are as cheap as the processor allows (the time stamp counter
 * where it is invariant, else nanoseconds of the system).
 */
#ifndef BN_PLATFORM_CLOCK_H
#define BN_PLATFORM_CLOCK_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Nanoseconds since some time in the past; never goes back; the same origin for all threads of the node. */
uint64_t bn_clock_ns(void);

/* Ticks of this thread since some time in the past.  Their rate does not change while the program runs. */
uint64_t bn_clock_ticks(void);

/*
 * An interval of ticks in nanoseconds.
 *
 * @cost The first call of a process that is younger than a few milliseconds waits until its clocks can be compared;
 *       later ones are a multiplication.
 */
uint64_t bn_clock_ticks_to_ns(uint64_t ticks);

/* The same for callers that cannot wait: returns UINT64_MAX as long as the clocks cannot be compared. */
uint64_t bn_clock_ticks_to_known_ns(uint64_t ticks);

/* Takes the first of the two readings that relate ticks to nanoseconds.  Called at start-up, by one thread at a time;
 * only the first call has an effect.  Otherwise the first call of bn_clock_ticks_to_ns takes it. */
void bn_clock_start(void);

#ifdef __cplusplus
}
#endif

#endif
