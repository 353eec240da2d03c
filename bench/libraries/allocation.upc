/* allocation.upc: shared memory from the heaps, compared with malloc. */
#include <upc_relaxed.h>

#include "bench.h"

enum { LIVE = 1000, ROUND = 64 };

static shared void *shared_blocks[LIVE];
static void *volatile private_blocks[LIVE];

static size_t mixed_size(long i)
{
    return (size_t)(16 + i % 20 * 16);
}

#define PAIRS(NAME, BYTES, ALLOC, FREE)             \
    static double NAME##_##BYTES(long count)        \
    {                                               \
        double start = bench_cpu_ns();              \
        for (long i = 0; i < count; i++) {          \
            ALLOC(0, BYTES);                        \
            FREE(0);                                \
        }                                           \
        return bench_cpu_ns() - start;              \
    }

/* LIVE blocks of mixed sizes: each round replaces one of them, in a scrambled order. */
#define TURNOVER(NAME, ALLOC, FREE)                 \
    static double NAME##_turnover(long count)       \
    {                                               \
        unsigned long seed = 1;                     \
        for (long i = 0; i < LIVE; i++)             \
            ALLOC(i, mixed_size(i));                \
        double start = bench_cpu_ns();              \
        for (long i = 0; i < count; i++) {          \
            seed = seed * 6364136223846793005UL + 1442695040888963407UL; \
            unsigned long place = (seed >> 33) % LIVE;                   \
            FREE(place);                            \
            ALLOC(place, mixed_size((long)(seed >> 40)));                \
        }                                           \
        double ns = bench_cpu_ns() - start;         \
        for (long i = 0; i < LIVE; i++)             \
            FREE(i);                                \
        return ns;                                  \
    }

/* Allocates ROUND blocks, then frees all of them in the order of allocation */
#define BATCHES(NAME, BYTES, ALLOC, FREE)           \
    static double NAME##_batch(long count)          \
    {                                               \
        double start = bench_cpu_ns();              \
        for (long i = 0; i < count; i++) {          \
            for (long k = 0; k < ROUND; k++)        \
                ALLOC(k, BYTES);                    \
            for (long k = 0; k < ROUND; k++)        \
                FREE(k);                            \
        }                                           \
        return bench_cpu_ns() - start;              \
    }

#define SHARED_ALLOC(place, bytes) (shared_blocks[place] = upc_alloc(bytes))
#define GLOBAL_ALLOC(place, bytes) (shared_blocks[place] = upc_global_alloc((size_t)THREADS, (bytes)))
#define SHARED_FREE(place) upc_free(shared_blocks[place])
#define PRIVATE_ALLOC(place, bytes) (private_blocks[place] = malloc(bytes))
#define PRIVATE_FREE(place) free(private_blocks[place])

PAIRS(local, 64, SHARED_ALLOC, SHARED_FREE)
PAIRS(local, 4096, SHARED_ALLOC, SHARED_FREE)
PAIRS(local, 100000, SHARED_ALLOC, SHARED_FREE)
PAIRS(global, 64, GLOBAL_ALLOC, SHARED_FREE)
PAIRS(private, 64, PRIVATE_ALLOC, PRIVATE_FREE)
PAIRS(private, 4096, PRIVATE_ALLOC, PRIVATE_FREE)
PAIRS(private, 100000, PRIVATE_ALLOC, PRIVATE_FREE)
BATCHES(local, 48, SHARED_ALLOC, SHARED_FREE)
BATCHES(private, 48, PRIVATE_ALLOC, PRIVATE_FREE)
TURNOVER(local, SHARED_ALLOC, SHARED_FREE)
TURNOVER(global, GLOBAL_ALLOC, SHARED_FREE)
TURNOVER(private, PRIVATE_ALLOC, PRIVATE_FREE)

/* Collective functions wait for other threads, so the wall clock counts */
static double collective(long count)
{
    double start = bench_now_ns();
    for (long i = 0; i < count; i++)
        upc_all_free(upc_all_alloc((size_t)THREADS, 64));
    return bench_now_ns() - start;
}

static double barriers(long count)
{
    double start = bench_now_ns();
    for (long i = 0; i < count; i++)
        upc_barrier;
    return bench_now_ns() - start;
}

static const struct bench_row rows[] = {
    {"upc_alloc + upc_free, 64 B", "malloc + free", local_64, private_64, 1, 1, 0},
    {"upc_alloc + upc_free, 64 blocks of 48 B", "malloc + free", local_batch, private_batch, ROUND, ROUND, 0},
    {"upc_alloc + upc_free, turnover of 1,000 blocks", "malloc + free", local_turnover, private_turnover, 1, 1, 0},
    {"upc_alloc + upc_free, 4 KiB", "malloc + free", local_4096, private_4096, 1, 1, 0},
    {"upc_alloc + upc_free, 100 KB", "malloc + free", local_100000, private_100000, 1, 1, 0},
    {"upc_global_alloc + upc_free, 64 B a thread", "malloc + free", global_64, private_64, 1, 1, 0},
    {"upc_global_alloc + upc_free, turnover", "malloc + free", global_turnover, private_turnover, 1, 1, 0},
    {"upc_all_alloc + upc_all_free, 64 B a thread", "two barriers", collective, barriers, 1, 1, 2},
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
