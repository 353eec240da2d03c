/* tick.c: <upc_tick.h>. */
#include "platform/clock.h"
#include "upc/upc_c.h"

uint64_t upc_ticks_now(void)
{
    return bn_clock_ticks();
}

uint64_t upc_ticks_to_ns(uint64_t ticks)
{
    return bn_clock_ticks_to_ns(ticks);
}
