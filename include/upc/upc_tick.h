/* upc_tick.h: a clock of high resolution and low cost.  Ticks of different threads cannot be compared. */
#ifndef UPC_TICK_H
#define UPC_TICK_H

#include <stdint.h>

typedef uint64_t upc_tick_t;
#define UPC_TICK_MIN ((upc_tick_t)0)
#define UPC_TICK_MAX UINT64_MAX

upc_tick_t upc_ticks_now(void);

/* An interval between two readings of the calling thread, in nanoseconds */
uint64_t upc_ticks_to_ns(upc_tick_t ticks);

#endif
