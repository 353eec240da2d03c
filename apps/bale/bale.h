/*
 * bale.h: what the programs of this folder share: random numbers, private memory, and the report.
 */
#ifndef BALE_H
#define BALE_H

#include <banyan_aggregate.h>
#include <stdint.h>

#include "../app.h"

/* Zeroed private memory of this thread for `count` objects; ends the program if there is none. */
static inline void *bale_take(size_t count, size_t size_bytes)
{
    void *memory = calloc(count, size_bytes);
    if (memory == NULL) {
        fprintf(stderr, "thread %d: no memory for %zu times %zu bytes; choose a smaller size\n", MYTHREAD, count,
                size_bytes);
        upc_global_exit(1);
    }
    return memory;
}

/* The same in shared memory, for `count` objects in total */
static inline shared void *bale_share(size_t count, size_t size_bytes)
{
    shared void *memory = upc_all_alloc(count, size_bytes);
    if (memory == NULL) {
        fprintf(stderr, "thread %d: no shared memory for %zu times %zu bytes; choose a smaller size\n", MYTHREAD, count,
                size_bytes);
        upc_global_exit(1);
    }
    return memory;
}

/* Scatters the bits of a number; a bijection (the finaliser of splitmix64). */
static inline uint64_t bale_mix(uint64_t number)
{
    number += UINT64_C(0x9e3779b97f4a7c15);
    number = (number ^ number >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    number = (number ^ number >> 27) * UINT64_C(0x94d049bb133111eb);
    return number ^ number >> 31;
}

/* Number i of the sequence with this seed, below `limit` */
static inline uint64_t bale_random(uint64_t seed, uint64_t i, uint64_t limit)
{
    return bale_mix(bale_mix(seed) + i) % limit;
}

/* Runs one form of a program on all threads, and has thread 0 print its rate; `count` is the number of operations of
 * all threads together. Returns whether the result was wrong on any thread. */
static inline int bale_run(const char *program, const char *form, int (*run)(double *seconds), double count,
                           const char *unit)
{
    double seconds = 0;
    double wrong = app_sum(run(&seconds));
    seconds = app_max(seconds);
    if (MYTHREAD == 0)
        printf("%s %s: n %d, %.3f s, %.3f million %s per second: %s\n", program, form, THREADS, seconds,
               1e-6 * count / seconds, unit, wrong > 0 ? "WRONG" : "right");
    return wrong > 0;
}

#endif
