/*
 * upc_tick.h: a cheap clock with high resolution (UPC 1.3, Required Library Specifications, wall-clock timers).
 *
 * The unit and the origin are the thread's own: ticks of different threads cannot be compared.  Plain C and C++; in UPC
 * it includes upc.h, as the headers of the other libraries do.
 */
#ifndef UPC_TICK_H
#define UPC_TICK_H

#include <stdint.h>
#ifdef __UPC__
#include <upc.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef uint64_t upc_tick_t;
#define UPC_TICK_MIN ((upc_tick_t)0)
#define UPC_TICK_MAX UINT64_MAX

/* The current time.  Never fails, never goes back.  It is the processor's counter if that has a constant rate (about 10
 * ns a call), and CLOCK_MONOTONIC otherwise. */
upc_tick_t upc_ticks_now(void);

/* An interval between two readings of the calling thread, in nanoseconds.  Cost: a multiplication. */
uint64_t upc_ticks_to_ns(upc_tick_t ticks);

#ifdef __cplusplus
}
#endif

#endif
