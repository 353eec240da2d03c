/*
 * bench.h: measures parts of the runtime beside their limits.
 *
 * A contest is a list of ways to do one thing.  They run in turn, round by round, so that whatever disturbs the machine
 * disturbs all of them; each round of each way is one sample, the time per repetition on thread 0.  The table shows
 * median and minimum, and the median in relation to the first way.
 */
#ifndef BENCH_H
#define BENCH_H

#include <stdbool.h>

struct bench_way {
    const char *name;
    void (*run)(int repetitions); /* called by all threads at a time, after a barrier */
};

struct bench_contest {
    const char *title;
    int thread_count;
    int repetitions; /* in one sample */
    const struct bench_way *ways;
    int way_count;
    void (*prepare)(void); /* once, by all threads; may be null */
};

/* Forks the threads, pins thread t to core t modulo the cores, and prints the table. */
void bench_run(const struct bench_contest *contest);

int bench_thread(void);
int bench_thread_count(void);

/* Memory that all threads of the contest share, zeroed; 64 KiB */
void *bench_shared(void);

#endif
