/* bupc.c: what <bupc.h> itself declares. */
#include "upc/bupc_c.h"

#include "platform/clock.h"
#include "topology/distance.h"
#include "upc/context.h"
#include "upc/fatal.h"
#include "upc/hierarchy.h"
#include "upc/upc_c.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

uint64_t bupc_ticks_now(void)
{
    return bn_clock_ticks();
}

uint64_t bupc_ticks_to_us(uint64_t ticks)
{
    enum { NS_PER_US = 1000 };
    return bn_clock_ticks_to_ns(ticks) / NS_PER_US;
}

uint64_t bupc_ticks_to_ns(uint64_t ticks)
{
    return bn_clock_ticks_to_ns(ticks);
}

/* Converts a large number of ticks, so that rounding to nanoseconds does not matter. */
static double microseconds(double ticks)
{
    const uint64_t many = 1 << 20;
    return ticks * (double)bn_clock_ticks_to_ns(many) / (double)many / 1e3;
}

enum { READINGS = 1000 };

double bupc_tick_granularityus(void)
{
    uint64_t least = UINT64_MAX;
    for (int i = 0; i < READINGS; i++) {
        uint64_t first = bn_clock_ticks(), next;
        do
            next = bn_clock_ticks();
        while (next == first);
        if (next - first < least)
            least = next - first;
    }
    return microseconds((double)least);
}

double bupc_tick_overheadus(void)
{
    uint64_t first = bn_clock_ticks();
    for (int i = 1; i < READINGS; i++)
        bn_clock_ticks();
    return microseconds((double)(bn_clock_ticks() - first) / READINGS);
}

int bupc_castable(bn_pts_t ptr)
{
    return BN_OWN(upc_cast)(ptr) || ptr.addr == 0;
}

int bupc_thread_castable(unsigned thread)
{
    return BN_OWN(upc_thread_info)(thread).guaranteedCastable != 0;
}

void *bupc_cast(bn_pts_t ptr)
{
    return BN_OWN(upc_cast)(ptr);
}

bn_pts_t bupc_inverse_cast(void *address)
{
    int thread;
    uint64_t offset;
    switch (bn_segment_classify(&bn_context.segments, (uint64_t)address, &thread, &offset)) {
    case BN_PLACE_OUTSIDE:
    case BN_PLACE_UNALLOCATED: return bn_null();
    case BN_PLACE_STATIC:
    case BN_PLACE_GLOBAL_HEAP:
    case BN_PLACE_LOCAL_HEAP: break;
    }
    return bn_at(address);
}

bn_pts_t bupc_local_to_shared(void *address, int thread, int phase)
{
    bn_pts_t ptr = BN_OWN(bupc_inverse_cast)(address);
    if (ptr.addr == 0 || ptr.thread != (bn_u32)thread)
        return bn_null();
    ptr.phase = (bn_u32)phase;
    return ptr;
}

bn_pts_t bupc_ptradd(bn_pts_t ptr, size_t block_elems, size_t elem_bytes, ptrdiff_t increment)
{
    if (block_elems == 0)
        return bn_add_indef(ptr, increment, elem_bytes);
    if (block_elems == 1)
        return bn_add_cyclic(ptr, increment, elem_bytes);
    return bn_add_block(ptr, increment, block_elems, elem_bytes);
}

int bupc_dump_shared(bn_pts_t ptr, char *text, int text_bytes)
{
    enum { DUMP_MIN_LENGTH = 100 };
    if (!text || text_bytes < DUMP_MIN_LENGTH) {
        errno = EINVAL;
        return -1;
    }
    if (ptr.addr == 0)
        snprintf(text, (size_t)text_bytes, "<NULL>");
    else
        snprintf(text, (size_t)text_bytes,
                 "<address=0x%" PRIx64 " (addrfield=0x%zx), thread=%" PRIu32 ", phase=%" PRIu32 ">", ptr.addr,
                 BN_OWN(upc_addrfield)(ptr), ptr.thread, ptr.phase);
    return 0;
}

unsigned bupc_thread_distance(int a, int b)
{
    /* Very near (100): the same memory; near (200): the same machine; far (300): the same switch */
    static const unsigned distances[BN_LEVEL_CLUSTER + 1] = {
        [BN_LEVEL_CORE] = 25,  [BN_LEVEL_CACHE] = 50,   [BN_LEVEL_DIE] = 75,
        [BN_LEVEL_NUMA] = 100, [BN_LEVEL_SOCKET] = 150, [BN_LEVEL_BOARD] = 175,
        [BN_LEVEL_NODE] = 200, [BN_LEVEL_SWITCH] = 300, [BN_LEVEL_CLUSTER] = 400,
    };
    int thread_count = bn_context.thread_count;
    int wrong = a < 0 || a >= thread_count ? a : b;
    if (wrong < 0 || wrong >= thread_count)
        bn_upc_fatal("bupc_thread_distance", "there is no thread %d; threads are numbered from 0 to %d", wrong,
                     thread_count - 1);
    return a == b ? 0 : distances[bn_distance(bn_upc_hierarchy(), a, b)];
}

char *bupc_getenv(const char *name)
{
    return getenv(name);
}

/* ---- Masks of tracing, which is not available ---- */

void bupc_trace_setmask(const char *mask)
{
    (void)mask;
}

const char *bupc_trace_getmask(void)
{
    return "";
}

void bupc_trace_settracelocal(int on)
{
    (void)on;
}

int bupc_trace_gettracelocal(void)
{
    return 0;
}

BN_ALSO(bupc_stats_setmask, bupc_trace_setmask);
BN_ALSO(bupc_stats_getmask, bupc_trace_getmask);
BN_ALSO(bupc_ticks_granularityus, bupc_tick_granularityus);
BN_ALSO(bupc_ticks_overheadus, bupc_tick_overheadus);

BN_OWN_DEFINE(bupc_inverse_cast);
