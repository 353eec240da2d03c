// Clause: the tick library (facts 2.6)
// needs: __UPC_TICK__
#include <upc_tick.h>
#include <time.h>
#include <upc.h>

#include "check.h"

int main(void)
{
    CHECK((upc_tick_t)-1 > 0);
    CHECK(UPC_TICK_MIN == 0);
    CHECK(UPC_TICK_MAX >= UINT32_MAX);
    CHECK(sizeof(upc_ticks_to_ns(UPC_TICK_MIN)) == 8);
    EQ(upc_ticks_to_ns(0), 0);
    upc_tick_t last = upc_ticks_now();
    for (int i = 0; i < 1000; i++) {
        upc_tick_t now = upc_ticks_now();
        CHECK(now >= last);
        last = now;
    }

    struct timespec begin, end;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    upc_tick_t start = upc_ticks_now();
    nanosleep(&(struct timespec){0, 30000000}, NULL);
    upc_tick_t stop = upc_ticks_now();
    clock_gettime(CLOCK_MONOTONIC, &end);
    uint64_t outer = (uint64_t)(end.tv_sec - begin.tv_sec) * 1000000000u +
                     (uint64_t)end.tv_nsec - (uint64_t)begin.tv_nsec;
    CHECK(upc_ticks_to_ns(stop - start) >= 29000000);
    CHECK(upc_ticks_to_ns(stop - start) <= outer + outer / 100);
    return finish();
}
