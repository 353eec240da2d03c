/*
 * The rate of the ticks comes from two readings of both clocks: one at start-up, one at the first conversion.  A
 * program that measures anything has run for milliseconds by then, so usually nothing waits; start-up never does.
 * Callers that do not measure use bn_clock_ticks_to_known_ns, which allows the rate to be unknown.  Each reading is
 * exact to about 50 ns, so readings 5 ms apart give the rate to 20 parts in a million.  A thread may be interrupted for
 * milliseconds between the two clocks, so the shortest of several attempts counts.
 */
#include "platform/clock.h"

#include "platform/atomic_word.h"

#include <stdbool.h>
#include <stddef.h>
#include <time.h>

#if defined(__x86_64__)
#include <cpuid.h>
#include <x86intrin.h>
#endif

enum { NS_PER_S = 1000000000, CALIBRATION_NS = 5000000 };

/* The rate of the ticks is written by the first thread that converts; if several do at once, the last one wins.  The
 * other members are set before a process has several threads. */
static struct {
    struct reading {
        uint64_t ticks, ns;
    } start;
    uint64_t ns_per_tick; /* times 2^32; 0 until it is known */
    bool has_counter;
    bool is_started;
} ticks;

uint64_t bn_clock_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

#if defined(__x86_64__)

static bool counter_is_usable(void)
{
    enum { POWER_LEAF = 0x80000007, INVARIANT_TSC = 1 << 8 };
    unsigned eax, ebx, ecx, edx;
    return __get_cpuid(POWER_LEAF, &eax, &ebx, &ecx, &edx) && (edx & INVARIANT_TSC);
}

static uint64_t counter_read(void)
{
    return __rdtsc();
}

#elif defined(__aarch64__)

static bool counter_is_usable(void)
{
    return true;
}

static uint64_t counter_read(void)
{
    uint64_t now;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(now));
    return now;
}

#elif defined(__powerpc64__)

static bool counter_is_usable(void)
{
    return true;
}

static uint64_t counter_read(void)
{
    return __builtin_ppc_get_timebase();
}

#elif defined(__s390x__)

static bool counter_is_usable(void)
{
    return true;
}

static uint64_t counter_read(void)
{
    uint64_t now;
    __asm__ volatile(".insn s, 0xb27c0000, %0" : "=Q"(now) : : "cc"); /* stckf, also where gcc is for the first z */
    return now;
}

#elif defined(__riscv)

static bool counter_is_usable(void)
{
    return true;
}

static uint64_t counter_read(void)
{
    uint64_t now;
    __asm__ volatile("rdtime %0" : "=r"(now));
    return now;
}

#else

static bool counter_is_usable(void)
{
    return false;
}

static uint64_t counter_read(void)
{
    return 0;
}

#endif

/* Both clocks at one moment */
static struct reading read_both(void)
{
    enum { ATTEMPTS = 4 };
    struct reading best = {0, 0};
    uint64_t shortest = UINT64_MAX;
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        uint64_t before = counter_read(), ns = bn_clock_ns(), between = counter_read() - before;
        if (between < shortest) {
            shortest = between;
            best = (struct reading){before + between / 2, ns};
        }
    }
    return best;
}

void bn_clock_start(void)
{
    if (ticks.is_started)
        return;
    ticks.has_counter = counter_is_usable();
    ticks.start = read_both();
    ticks.ns_per_tick = ticks.has_counter ? 0 : UINT64_C(1) << 32;
    ticks.is_started = true;
}

uint64_t bn_clock_ticks(void)
{
    if (!ticks.is_started)
        bn_clock_start();
    return ticks.has_counter ? counter_read() : bn_clock_ns();
}

/* Nanoseconds per tick times 2^32; 0 if it is too early to know. */
static uint64_t rate(void)
{
    if (!ticks.is_started)
        bn_clock_start();
    uint64_t ns_per_tick = bn_word64_get(&ticks.ns_per_tick);
    if (__builtin_expect(ns_per_tick != 0, 1))
        return ns_per_tick;
    if (bn_clock_ns() - ticks.start.ns < CALIBRATION_NS)
        return 0;
    struct reading now = read_both();
    ns_per_tick = (uint64_t)(((unsigned __int128)(now.ns - ticks.start.ns) << 32) / (now.ticks - ticks.start.ticks));
    bn_word64_set(&ticks.ns_per_tick, ns_per_tick);
    return ns_per_tick;
}

static uint64_t convert(uint64_t interval, uint64_t ns_per_tick)
{
    return (uint64_t)(((unsigned __int128)interval * ns_per_tick) >> 32);
}

uint64_t bn_clock_ticks_to_ns(uint64_t interval)
{
    uint64_t ns_per_tick;
    do
        ns_per_tick = rate();
    while (ns_per_tick == 0);
    return convert(interval, ns_per_tick);
}

uint64_t bn_clock_ticks_to_known_ns(uint64_t interval)
{
    uint64_t ns_per_tick = rate();
    return ns_per_tick == 0 ? UINT64_MAX : convert(interval, ns_per_tick);
}
