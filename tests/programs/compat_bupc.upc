// Facts 3.1: -compat=bupc: programs that look for Berkeley UPC find it, and its functions in upc.h.
// flags: -compat=bupc
#include <upc.h>

#include "check.h"

#if __BERKELEY_UPC__ < 2 || !defined(__BERKELEY_UPC_MINOR__) || !defined(__BERKELEY_UPC_PATCHLEVEL__)
#error "version"
#endif
#ifndef __BERKELEY_UPC_RUNTIME__
#error "__BERKELEY_UPC_RUNTIME__"
#endif
#if defined(__GCC_UPC__) || defined(__clang_upc__)
#error "another system"
#endif

static shared int64_t count;

int main(void)
{
    bupc_tick_t start = bupc_ticks_now();
    bupc_atomicI64_fetchadd_relaxed(&count, 1);
    while (bupc_atomicI64_read_strict(&count) < THREADS)
        bupc_poll();
    CHECK(bupc_ticks_now() >= start);
    return finish();
}
