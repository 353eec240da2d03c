/*
 * bench.h: measures parts of the runtime and compares them with their limits.
 *
 * A contest is a list of ways to do the same thing.  They run in turn, round by round, so that disturbances affect all
 * of them; each round of each way is one sample, the time per repetition on thread 0.  The table shows median and
 * minimum, and the median relative to the first way.
 */
#ifndef BENCH_H
#define BENCH_H

#include <stdbool.h>

struct bench_way {
    const char *name;
    void (*run)(int repetitions); /* called by all threads at the same time, after a barrier */
};

struct bench_contest {
    const char *title;
    int thread_count;
    int repetitions; /* per sample */
    const struct bench_way *ways;
    int way_count;
    void (*prepare)(void); /* once, by all threads; may be null */
};

/* Forks the threads, pins thread t to core t modulo the number of cores, and prints the table. */
void bench_run(const struct bench_contest *contest);

int bench_thread(void);
int bench_thread_count(void);

/* Zeroed memory that all threads of the contest share; 64 KiB */
void *bench_shared(void);

#endif
