/*
 * copy.c: streaming stores, which bypass the caches, compared with the C library's memcpy, for large blocks.
 *
 * "alone": nobody reads what was copied. "handed on": two threads copy from each other in turn, so that each reads what
 * the other has just written, as after a collective.
 */
#include "bench.h"

#include "banyan/access.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#if defined(__x86_64__)
#include <emmintrin.h>

enum { THREADS_MAX = 2 };
static const size_t LARGEST_BYTES = (size_t)64 << 20;

static unsigned char *arrays; /* two per thread */
static size_t size_bytes;

typedef void (*copy_function)(void *dst, const void *src, size_t nbytes);

static void copy_by_library(void *dst, const void *src, size_t nbytes)
{
    memcpy(dst, src, nbytes);
}

static void copy_streaming(void *dst, const void *src, size_t nbytes)
{
    __m128i *to = dst;
    const __m128i *from = src;
    for (size_t i = 0; i < nbytes / sizeof *to; i += 4) {
        __m128i line[4] = {_mm_loadu_si128(from + i), _mm_loadu_si128(from + i + 1), _mm_loadu_si128(from + i + 2),
                           _mm_loadu_si128(from + i + 3)};
        for (int part = 0; part < 4; part++)
            _mm_stream_si128(to + i + (size_t)part, line[part]);
    }
    _mm_sfence();
}

static unsigned char *array(int thread, int which)
{
    return arrays + (size_t)(2 * thread + which) * LARGEST_BYTES;
}

static void alone(int repetitions, copy_function copy)
{
    for (int i = 0; i < repetitions; i++)
        copy(array(bench_thread(), 1), array(bench_thread(), 0), size_bytes);
}

static void hand_on(int repetitions, copy_function copy)
{
    int other = (bench_thread() + 1) % bench_thread_count();
    for (int i = 0; i < repetitions; i++) {
        copy(array(bench_thread(), (i + 1) % 2), array(other, i % 2), size_bytes);
        bn_barrier();
    }
}

static void alone_by_library(int repetitions)
{
    alone(repetitions, copy_by_library);
}

static void alone_streaming(int repetitions)
{
    alone(repetitions, copy_streaming);
}

static void hand_on_by_library(int repetitions)
{
    hand_on(repetitions, copy_by_library);
}

static void hand_on_streaming(int repetitions)
{
    hand_on(repetitions, copy_streaming);
}

int main(void)
{
    static const struct bench_way alone_ways[] = {{"memcpy", alone_by_library}, {"streaming", alone_streaming}};
    static const struct bench_way on_ways[] = {{"memcpy", hand_on_by_library}, {"streaming", hand_on_streaming}};
    size_t all_bytes = 2 * THREADS_MAX * LARGEST_BYTES;
    arrays = mmap(NULL, all_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (arrays == MAP_FAILED)
        return 1;
    memset(arrays, 1, all_bytes);
    for (size_bytes = 64 << 10; size_bytes <= LARGEST_BYTES; size_bytes *= 4) {
        char title[64];
        int repetitions = size_bytes < (1 << 20) ? 16 : 2;
        snprintf(title, sizeof title, "%zu KiB, alone", size_bytes >> 10);
        bench_run(&(struct bench_contest){title, 1, repetitions, alone_ways, 2, NULL});
        bench_run(&(struct bench_contest){title, 2, repetitions, alone_ways, 2, NULL});
        snprintf(title, sizeof title, "%zu KiB, handed on", size_bytes >> 10);
        bench_run(&(struct bench_contest){title, 2, repetitions, on_ways, 2, NULL});
    }
    return 0;
}
#else
int main(void)
{
    puts("copy: there are no streaming stores to compare with on this processor");
    return 0;
}
#endif
