/* ticks.upc: reading the clock, compared with the processor's counter and the system's clock. */
#include <upc_relaxed.h>

#include <bupc.h>
#include <upc_tick.h>

#include "bench.h"

static volatile uint64_t sink;

#define LOOP(NAME, EXPRESSION)                  \
    static double NAME(long count)              \
    {                                           \
        uint64_t sum = 0;                       \
        double start = bench_cpu_ns();          \
        for (long i = 0; i < count; i++)        \
            sum += (uint64_t)(EXPRESSION);      \
        double ns = bench_cpu_ns() - start;     \
        sink = sum;                             \
        return ns;                              \
    }

static uint64_t system_clock_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* The processor's counter, if there is an instruction for it */
static uint64_t bare_counter(void)
{
#if defined(__x86_64__)
    return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
    uint64_t count;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(count));
    return count;
#else
    return system_clock_ns();
#endif
}

LOOP(now, upc_ticks_now())
LOOP(now_bupc, bupc_ticks_now())
LOOP(to_ns, upc_ticks_to_ns((upc_tick_t)i << 20))
LOOP(interval, upc_ticks_to_ns(upc_ticks_now() - (upc_tick_t)i))
LOOP(counter, bare_counter())
LOOP(system_clock, system_clock_ns())
LOOP(multiply, (uint64_t)(((unsigned __int128)(uint64_t)i * 1234567891234567) >> 32))

static const struct bench_row rows[] = {
    {"upc_ticks_now", "the counter (rdtsc)", now, counter, 1, 1, 0},
    {"upc_ticks_now", "clock_gettime", now, system_clock, 1, 1, 0},
    {"bupc_ticks_now", "the counter (rdtsc)", now_bupc, counter, 1, 1, 0},
    {"upc_ticks_to_ns", "multiply and shift", to_ns, multiply, 1, 1, 0},
    {"upc_ticks_to_ns(upc_ticks_now() - start)", "clock_gettime", interval, system_clock, 1, 1, 0},
    {NULL, NULL, NULL, NULL, 0, 0, 0},
};

int main(int argc, char **argv)
{
    bench_start(argc, argv);
    for (const struct bench_row *row = rows; row->measured; row++) {
        double measured[bench_options.samples], limit[bench_options.samples];
        bench_run_row(row, measured, limit);
    }
    return 0;
}
