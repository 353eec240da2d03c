/* heap.c: allocation compared with malloc, and collective allocation compared with a barrier. */
#include "bench.h"

#include "upc/upc_c.h"

#include <stdlib.h>

enum { LIVE = 1000 };

static bn_pts_t shared_blocks[LIVE];
static void *volatile private_blocks[LIVE];

static size_t size_of(int i)
{
    return (size_t)(16 + i % 20 * 16);
}

static void malloc_pair(int repetitions)
{
    for (int i = 0; i < repetitions; i++) {
        private_blocks[0] = malloc(64);
        free(private_blocks[0]);
    }
}

static void upc_pair(int repetitions)
{
    for (int i = 0; i < repetitions; i++)
        upc_free(upc_alloc(64));
}

static void malloc_many(int repetitions)
{
    for (int i = 0; i < repetitions; i++)
        private_blocks[i] = malloc(size_of(i));
    for (int i = 0; i < repetitions; i++)
        free(private_blocks[i * 7 % LIVE]);
}

static void upc_many(int repetitions)
{
    for (int i = 0; i < repetitions; i++)
        shared_blocks[i] = upc_alloc(size_of(i));
    for (int i = 0; i < repetitions; i++)
        upc_free(shared_blocks[i * 7 % LIVE]);
}

static void malloc_large(int repetitions)
{
    for (int i = 0; i < repetitions; i++) {
        private_blocks[0] = malloc(100000);
        free(private_blocks[0]);
    }
}

static void upc_large(int repetitions)
{
    for (int i = 0; i < repetitions; i++)
        upc_free(upc_alloc(100000));
}

static void barrier(int repetitions)
{
    for (int i = 0; i < repetitions; i++)
        bn_barrier();
}

static void global_pair(int repetitions)
{
    for (int i = 0; i < repetitions; i++)
        upc_free(upc_global_alloc(100, 64));
}

static void all_pair(int repetitions)
{
    for (int i = 0; i < repetitions; i++)
        upc_all_free(upc_all_alloc(100, 64));
}

int main(void)
{
    static const struct bench_way pair[] = {{"malloc", malloc_pair}, {"upc_alloc", upc_pair}};
    static const struct bench_way many[] = {{"malloc", malloc_many}, {"upc_alloc", upc_many}};
    static const struct bench_way large[] = {{"malloc", malloc_large}, {"upc_alloc", upc_large}};
    static const struct bench_way all[] = {
        {"barrier", barrier}, {"upc_global_alloc", global_pair}, {"upc_all_alloc", all_pair}};
    bench_run(&(struct bench_contest){"allocate 64 bytes and free", 1, 10000, pair, 2, NULL});
    bench_run(&(struct bench_contest){"allocate 1000 of 16..320, free", 1, LIVE, many, 2, NULL});
    bench_run(&(struct bench_contest){"allocate 100 KB and free", 1, 2000, large, 2, NULL});
    for (int threads = 1; threads <= 8; threads *= 2)
        bench_run(&(struct bench_contest){"allocate for all and free", threads, 500, all, 3, NULL});
    return 0;
}
