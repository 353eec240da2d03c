/*
 * bench.h: what the programs of this folder share: pairs of functions that are measured in turns, and their samples.
 *
 * A row is a pair of functions: the operation itself and its limit.  Both run alternately in one process, so that
 * disturbances affect both.  All threads call the same function at the same time; the sample is the time of the
 * slowest.  Thread 0 prints each row as a line of JSON, which the driver (bench/language/run) reads.
 *
 * Portable UPC 1.3, plus clock_gettime of POSIX.  The clock is not upc_ticks_now, which is itself measured.
 */
#ifndef BENCH_H
#define BENCH_H

#include <upc.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Does `count` rounds of work and returns the nanoseconds that they took; 0 in a thread without work. */
typedef double (*bench_function)(long count);

struct bench_row {
    const char *name;        /* what is measured */
    const char *limit_name;  /* what it is measured against */
    bench_function measured; /* null ends the table */
    bench_function limit;
    double per_count;       /* operations in one round of measured */
    double limit_per_count; /* the same for limit */
    double limit_times;     /* number of limits that one operation needs, as in "4 hand-offs"; 0 means 1 */
};

struct bench_options {
    long samples;
    double sample_ns; /* approximate duration of a sample */
    long cores;       /* cores that the threads share */
};

static struct bench_options bench_options = {21, 2e6, 1};

/* Makes the back end assume that memory is read and written here. */
static inline void bench_forget_memory(void)
{
    __asm__ volatile("" ::: "memory");
}

static inline double bench_clock_ns(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static inline double bench_now_ns(void)
{
    return bench_clock_ns(CLOCK_MONOTONIC);
}

/* Processor time of this thread: for loops without waiting, so that other programs on the machine do not count. */
static inline double bench_cpu_ns(void)
{
    return bench_clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

/* Ends the program unless a measured loop computed the expected result. */
static inline void bench_expect(const char *what, long got, long expected)
{
    if (got == expected)
        return;
    fprintf(stderr, "bench: thread %d: %s: the loop computed %ld in place of %ld\n", MYTHREAD, what, got, expected);
    exit(1);
}

static shared double bench_times_ns[THREADS];

/* Time of the slowest thread; the same value on all threads. */
static double bench_slowest_ns(bench_function function, long count)
{
    double slowest = 0;
    upc_barrier;
    bench_times_ns[MYTHREAD] = function(count);
    upc_barrier;
    for (int t = 0; t < THREADS; t++) {
        if (bench_times_ns[t] > slowest)
            slowest = bench_times_ns[t];
    }
    return slowest;
}

/* A count with which the function takes about as long as a sample should */
static long bench_calibrate(bench_function function)
{
    long count = 1;
    for (;;) {
        double ns = bench_slowest_ns(function, count);
        if (ns >= bench_options.sample_ns)
            return count;
        if (ns >= bench_options.sample_ns / 8)
            return (long)((double)count * bench_options.sample_ns / ns) + 1;
        count *= 2;
    }
}

static void bench_print(const char *key, const double *samples)
{
    printf(", \"%s\": [", key);
    for (long i = 0; i < bench_options.samples; i++)
        printf("%s%.6g", i ? ", " : "", samples[i]);
    printf("]");
}

static void bench_run_row(const struct bench_row *row, double *measured, double *limit)
{
    double times = row->limit_times == 0 ? 1 : row->limit_times;
    long count = bench_calibrate(row->measured);
    long limit_count = bench_calibrate(row->limit);

    for (long i = 0; i < bench_options.samples; i++) {
        if (i % 2 == 0)
            limit[i] = bench_slowest_ns(row->limit, limit_count);
        measured[i] = bench_slowest_ns(row->measured, count);
        if (i % 2 != 0)
            limit[i] = bench_slowest_ns(row->limit, limit_count);
        measured[i] /= (double)count * row->per_count;
        limit[i] *= times / ((double)limit_count * row->limit_per_count);
    }
    if (MYTHREAD != 0)
        return;
    printf("{\"name\": \"%s\", \"limit_name\": \"%s\", \"threads\": %d", row->name, row->limit_name, THREADS);
    bench_print("ns", measured);
    bench_print("limit_ns", limit);
    printf("}\n");
    fflush(stdout);
}

/* usage: PROGRAM [samples [microseconds per sample [cores]]] */
static void bench_start(int argc, char **argv)
{
    if (argc > 1)
        bench_options.samples = atol(argv[1]);
    if (argc > 2)
        bench_options.sample_ns = atof(argv[2]) * 1e3;
    if (argc > 3)
        bench_options.cores = atol(argv[3]);
    if (bench_options.samples < 1 || bench_options.sample_ns <= 0 || bench_options.cores < 1) {
        if (MYTHREAD == 0)
            fprintf(stderr, "usage: %s [samples [microseconds per sample [cores]]]\n", argv[0]);
        exit(1);
    }
}

static void bench_run(const struct bench_row *rows)
{
    double *measured = malloc((size_t)bench_options.samples * sizeof *measured);
    double *limit = malloc((size_t)bench_options.samples * sizeof *limit);
    if (measured == NULL || limit == NULL) {
        fprintf(stderr, "bench: no memory for %ld samples\n", bench_options.samples);
        exit(1);
    }
    for (const struct bench_row *row = rows; row->measured != NULL; row++)
        bench_run_row(row, measured, limit);
    free(measured);
    free(limit);
}

#endif
