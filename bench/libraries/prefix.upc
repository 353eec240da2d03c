/*
 * prefix.upc: prefix reductions block by block, compared with those where the range of indices is divided among the
 * threads.  With BANYAN_COLL_PREFIX_BLOCKS=1B small blocks go block by block, too.  Each owner rewrites its elements
 * before a round, as a program would.
 */
#include <upc_relaxed.h>

#include <banyan/coll.h>
#include <upc_collective.h>

#include "bench.h"

/* COUNT rounds over an array of doubles in blocks of BLOCK, TOTAL elements; way: as for bn_coll_use_way */
#define LOOP(NAME, BLOCK, TOTAL)                                                                                       \
    static shared [BLOCK] double *from_##NAME, *to_##NAME;                                                             \
    static double rounds_##NAME(long count, const char *way)                                                           \
    {                                                                                                                  \
        double ns = 0;                                                                                                 \
        bn_coll_use_way("prefix", way);                                                                                \
        for (long i = 0; i < count; i++) {                                                                             \
            double *own = (double *)&from_##NAME[MYTHREAD * (BLOCK)];                                                  \
            for (size_t k = 0; k < (TOTAL) / THREADS; k++)                                                             \
                own[k] = (double)(k % 3);                                                                              \
            upc_barrier;                                                                                               \
            double start = bench_now_ns();                                                                             \
            upc_all_prefix_reduceD(to_##NAME, from_##NAME, UPC_ADD, (TOTAL), (BLOCK), NULL, 0);                        \
            ns += bench_now_ns() - start;                                                                              \
        }                                                                                                              \
        bn_coll_use_way("prefix", NULL);                                                                               \
        return ns;                                                                                                     \
    }                                                                                                                  \
    static double by_blocks_##NAME(long count)                                                                         \
    {                                                                                                                  \
        return rounds_##NAME(count, NULL);                                                                             \
    }                                                                                                                  \
    static double by_range_##NAME(long count)                                                                          \
    {                                                                                                                  \
        return rounds_##NAME(count, "pull/flat/whole");                                                                \
    }                                                                                                                  \
    static void make_##NAME(void)                                                                                      \
    {                                                                                                                  \
        from_##NAME = (shared [BLOCK] double *)upc_all_alloc((TOTAL) / (BLOCK), (BLOCK) * sizeof(double));             \
        to_##NAME = (shared [BLOCK] double *)upc_all_alloc((TOTAL) / (BLOCK), (BLOCK) * sizeof(double));               \
    }

LOOP(small_64, 64, 1 << 15)
LOOP(small_512, 512, 1 << 15)
LOOP(small_4096, 4096, 1 << 15)
LOOP(large_64, 64, 1 << 19)
LOOP(large_512, 512, 1 << 19)
LOOP(large_4096, 4096, 1 << 19)
LOOP(large_32768, 32768, 1 << 19)

#define ROW(NAME, WHAT) \
    {"prefix reduce of " WHAT, "the index range dealt out", by_blocks_##NAME, by_range_##NAME, 1, 1, 0}

static const struct bench_row rows[] = {
    ROW(small_64, "256 KiB in blocks of 512 bytes"),
    ROW(small_512, "256 KiB in blocks of 4 KiB"),
    ROW(small_4096, "256 KiB in blocks of 32 KiB"),
    ROW(large_64, "4 MiB in blocks of 512 bytes"),
    ROW(large_512, "4 MiB in blocks of 4 KiB"),
    ROW(large_4096, "4 MiB in blocks of 32 KiB"),
    ROW(large_32768, "4 MiB in blocks of 256 KiB"),
    {NULL, NULL, NULL, NULL, 0, 0, 0},
};

int main(int argc, char **argv)
{
    bench_start(argc, argv);
    make_small_64();
    make_small_512();
    make_small_4096();
    make_large_64();
    make_large_512();
    make_large_4096();
    make_large_32768();
    bench_run(rows);
    return 0;
}
