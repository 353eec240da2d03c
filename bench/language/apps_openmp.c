/*
 * apps_openmp: the loops of apps.upc in C, parallelised by OpenMP; without -fopenmp it is plain C.
 *
 * usage: apps_openmp threads samples sample_us
 *
 * Prints a line of JSON for each loop: its name and the samples.  A sample is the processor time of the slowest thread.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "apps_c.h"

static struct c_arrays *c;
static long threads;

static void heat(void)
{
    heat_c(c->heat_out, (const heat_row *)c->heat, 0, HEAT_ROWS * threads, HEAT_ROWS * threads);
}

static void product(void)
{
    product_c(c->product, (const left_row *)c->left, (const product_row *)c->right, 0, PRODUCT_ROWS * threads);
}

static void product_columns(void)
{
    product_columns_c(c->product, (const left_row *)c->left, (const product_row *)c->right, 0, PRODUCT_ROWS * threads);
}

static void sobel(void)
{
    sobel_c(c->edges, (const image_row *)c->image, 0, IMAGE_ROWS * threads, IMAGE_ROWS * threads);
}

static void sparse(void)
{
    sparse_c(c->sparse.out, c->sparse.matrix, c->sparse.in, 0, SPARSE_ROWS * threads);
}

static void sparse_large(void)
{
    sparse_c(c->sparse_large.out, c->sparse_large.matrix, c->sparse_large.in, 0, SPARSE_LARGE_ROWS * threads);
}

static double cpu_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

/* Nanoseconds of `count` rounds on the slowest thread; the threads do not wait for each other in between. */
static double slowest_ns(void (*loop)(void), long count)
{
    double slowest = 0;
#pragma omp parallel num_threads((int)threads) reduction(max : slowest)
    {
        double start = cpu_ns();
        for (long pass = 0; pass < count; pass++) {
            loop();
            __asm__ volatile("" ::: "memory");
        }
        slowest = cpu_ns() - start;
    }
    return slowest;
}

static void measure(const char *name, void (*loop)(void), double operations, long samples, double sample_ns)
{
    slowest_ns(loop, 1);
    long count = 1 + (long)(sample_ns / slowest_ns(loop, 1));
    printf("{\"name\": \"%s\", \"ns\": [", name);
    for (long i = 0; i < samples; i++)
        printf("%s%.6g", i > 0 ? ", " : "", slowest_ns(loop, count) / ((double)count * operations));
    printf("]}\n");
}

int main(int argc, char **argv)
{
    if (argc != 4)
        return 2;
    threads = strtol(argv[1], NULL, 10);
    long samples = strtol(argv[2], NULL, 10);
    double sample_ns = 1000 * strtod(argv[3], NULL);
    c = c_arrays_new(threads);
    if (c == NULL) {
        fprintf(stderr, "apps_openmp: no memory for the arrays\n");
        return 1;
    }
    measure("heat, by rows", heat, (double)HEAT_ROWS * HEAT_COLUMNS, samples, sample_ns);
    measure("matrix product, by rows", product, (double)PRODUCT_ROWS * PRODUCT_INNER * PRODUCT_COLUMNS, samples,
            sample_ns);
    measure("matrix product, down columns", product_columns, (double)PRODUCT_ROWS * PRODUCT_INNER * PRODUCT_COLUMNS,
            samples, sample_ns);
    measure("sobel, by rows", sobel, (double)IMAGE_ROWS * IMAGE_COLUMNS, samples, sample_ns);
    measure("sparse matrix times vector", sparse, (double)SPARSE_ROWS, samples, sample_ns);
    measure("sparse matrix times vector, in memory", sparse_large, (double)SPARSE_LARGE_ROWS, samples, sample_ns);
    return 0;
}
