/*
 * stream: sustained memory bandwidth, by McCalpin's four kernels.
 *
 * usage: stream [elements [times]]
 *
 * The naive UPC form: three shared arrays, element i on thread i % THREADS, and a upc_forall over all elements that
 * leaves each to its owner.  How close this comes to plain C shows how good a compiler's upc_forall is.
 *
 * Rules of STREAM: each array is at least four times as large as all caches together; the best of `times` runs counts,
 * without the first; bytes are counted as STREAM counts them.
 *
 * Check: every element has the value that the same operations give for a scalar.
 */
#include <float.h>
#include <math.h>

#include "app.h"

static const char usage[] = "stream [elements [times]]";

enum { COPY, SCALE, ADD, TRIAD, KERNELS };

static const char *const kernel_name[KERNELS] = {"Copy", "Scale", "Add", "Triad"};
static const int arrays_touched[KERNELS] = {2, 2, 3, 3};
static const double scalar = 3.0;

static shared double *a, *b, *c;

static void run_kernel(int kernel, long n)
{
    long i;

    switch (kernel) {
    case COPY:
        upc_forall (i = 0; i < n; i++; &c[i])
            c[i] = a[i];
        break;
    case SCALE:
        upc_forall (i = 0; i < n; i++; &b[i])
            b[i] = scalar * c[i];
        break;
    case ADD:
        upc_forall (i = 0; i < n; i++; &c[i])
            c[i] = a[i] + b[i];
        break;
    case TRIAD:
        upc_forall (i = 0; i < n; i++; &a[i])
            a[i] = b[i] + scalar * c[i];
        break;
    }
}

/* The largest relative deviation of this thread's elements from the values they must have */
static double deviation(long n, long times)
{
    double ea = 2.0, eb = 2.0, ec = 0.0;
    double worst = 0;
    long i;

    for (long run = 0; run < times; run++) {
        ec = ea;
        eb = scalar * ec;
        ec = ea + eb;
        ea = eb + scalar * ec;
    }
    upc_forall (i = 0; i < n; i++; &a[i]) {
        double off = fmax(fabs(a[i] - ea) / ea, fmax(fabs(b[i] - eb) / eb, fabs(c[i] - ec) / ec));
        if (!(off <= worst))
            worst = off;
    }
    return worst;
}

static shared double *vector_new(long n)
{
    shared double *vector = upc_all_alloc((size_t)n, sizeof(double));
    if (vector == NULL) {
        if (MYTHREAD == 0)
            fprintf(stderr, "stream: no memory for three arrays of %ld elements\n", n);
        exit(1);
    }
    return vector;
}

int main(int argc, char **argv)
{
    double best[KERNELS], worst[KERNELS], sum[KERNELS];
    long i;

    if (argc > 3)
        app_usage(usage);
    long n = app_argument(argc, argv, 1, 10000000, 1, 100000000000, usage);
    long times = app_argument(argc, argv, 2, 10, 2, 40, usage);

    a = vector_new(n);
    b = vector_new(n);
    c = vector_new(n);
    upc_forall (i = 0; i < n; i++; &a[i]) {
        a[i] = 2.0;
        b[i] = 2.0;
        c[i] = 0.0;
    }
    for (int kernel = 0; kernel < KERNELS; kernel++) {
        best[kernel] = DBL_MAX;
        worst[kernel] = 0;
        sum[kernel] = 0;
    }

    for (long run = 0; run < times; run++)
        for (int kernel = 0; kernel < KERNELS; kernel++) {
            upc_barrier;
            double start = app_seconds();
            run_kernel(kernel, n);
            upc_barrier;
            double seconds = app_seconds() - start;
            if (run == 0)
                continue;
            best[kernel] = fmin(best[kernel], seconds);
            worst[kernel] = fmax(worst[kernel], seconds);
            sum[kernel] += seconds;
        }

    double off = app_max(deviation(n, times));
    int wrong = !(off <= 1e-13);
    if (MYTHREAD == 0) {
        printf("stream: %ld elements, %.1f MiB for each array, %d threads, best of %ld\n", n, (double)n * 8 / (1 << 20),
               THREADS, times - 1);
        printf("%-8s %14s %12s %12s %12s\n", "Function", "Best MB/s", "Avg time", "Min time", "Max time");
        for (int kernel = 0; kernel < KERNELS; kernel++)
            printf("%-8s %14.1f %12.6f %12.6f %12.6f\n", kernel_name[kernel],
                   1e-6 * arrays_touched[kernel] * sizeof(double) * (double)n / best[kernel],
                   sum[kernel] / (double)(times - 1), best[kernel], worst[kernel]);
        printf("stream: largest deviation %.1e: %s\n", off, wrong ? "WRONG" : "right");
    }
    upc_all_free(a);
    upc_all_free(b);
    upc_all_free(c);
    return wrong;
}
