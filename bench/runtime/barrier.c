/* barrier.c: the program's barrier, compared with the limits of the machine. */
#include "bench.h"

#include "banyan/access.h"
#include "platform/pause.h"

#include <sched.h>
#include <stdint.h>

/* Two threads, each with a flag on a cache line of its own, and nothing else: a lower bound for barriers. */
static void two_flags(int repetitions)
{
    static uint32_t sequence;
    uint32_t *flags = bench_shared();
    uint32_t *mine = flags + 16 * bench_thread();
    uint32_t *other = flags + 16 * (1 - bench_thread());
    for (int i = 0; i < repetitions; i++) {
        __atomic_store_n(mine, ++sequence, __ATOMIC_RELEASE);
        while ((int32_t)(__atomic_load_n(other, __ATOMIC_ACQUIRE) - sequence) < 0)
            bn_cpu_pause();
    }
}

/* As many context switches as a barrier needs if threads take turns: half of the threads on each of two cores */
static void yields(int repetitions)
{
    for (int i = 0; i < repetitions; i++)
        for (int turn = 0; turn < bench_thread_count() / 2; turn++)
            sched_yield();
}

static void barrier(int repetitions)
{
    for (int i = 0; i < repetitions; i++)
        bn_barrier();
}

static void barrier_value(int repetitions)
{
    for (int i = 0; i < repetitions; i++)
        bn_barrier_value(i);
}

int main(void)
{
    static const struct bench_way pair[] = {
        {"two flags", two_flags}, {"barrier", barrier}, {"with value", barrier_value}};
    static const struct bench_way crowd[] = {
        {"n/2 yields", yields}, {"barrier", barrier}, {"with value", barrier_value}};
    bench_run(&(struct bench_contest){"barrier", 2, 2000, pair, 3, NULL});
    for (int threads = 4; threads <= 16; threads *= 2)
        bench_run(&(struct bench_contest){"barrier", threads, 200, crowd, 3, NULL});
    return 0;
}
