/*
 * heat: the steady state of a square plate with cold edges, by Jacobi iteration.
 *
 * usage: heat [n [iterations]]
 *
 * The n x n inner points are dealt out in slabs of whole rows.  Each thread keeps its slab in its own part of shared
 * memory, with one halo row above and one below.  In every step it fetches its halo rows from its neighbours with
 * upc_memget and then works through a plain C pointer: all communication is in two calls.
 *
 * Check: sin(pi x) sin(pi y) is an eigenvector of the iteration with eigenvalue cos(pi h).  Started with it, every
 * point must hold exactly that function times cos(pi h)^iterations, up to rounding.
 */
#include <math.h>
#include <string.h>

#include "app.h"

static const char usage[] = "heat [n [iterations]]";

#define PI 3.14159265358979323846

/* The slab of each thread, twice (old and new): its rows plus two halo rows, each n + 2 long */
shared [] double *shared slab[THREADS][2];

static long n;           /* inner points in a row */
static long width;       /* n + 2 */
static long slab_rows;   /* rows of a full slab */
static long first, rows; /* this thread has rows first .. first + rows - 1, counted from 1 */

static double mode(long row, long column)
{
    double h = 1.0 / (double)(n + 1);
    return sin(PI * h * (double)row) * sin(PI * h * (double)column);
}

static long rows_of(long thread)
{
    long left = n - thread * slab_rows;
    return left < 0 ? 0 : left < slab_rows ? left : slab_rows;
}

/* Gets the row above and the row below from the neighbours that own them; beyond the plate all is cold. */
static void exchange_halo(int now)
{
    size_t bytes = (size_t)width * sizeof(double);
    double *mine = (double *)slab[MYTHREAD][now];

    if (MYTHREAD > 0)
        upc_memget(mine, slab[MYTHREAD - 1][now] + rows_of(MYTHREAD - 1) * width, bytes);
    if (MYTHREAD + 1 < THREADS && rows_of(MYTHREAD + 1) > 0)
        upc_memget(mine + (rows + 1) * width, slab[MYTHREAD + 1][now] + width, bytes);
}

static void relax(int now)
{
    const double *restrict old = (const double *)slab[MYTHREAD][now];
    double *restrict new = (double *)slab[MYTHREAD][!now];

    for (long i = 1; i <= rows; i++)
        for (long j = 1; j <= n; j++) {
            long at = i * width + j;
            new[at] = 0.25 * (old[at - width] + old[at + width] + old[at - 1] + old[at + 1]);
        }
}

int main(int argc, char **argv)
{
    if (argc > 3)
        app_usage(usage);
    n = app_argument(argc, argv, 1, 1000, 1, 100000, usage);
    long iterations = app_argument(argc, argv, 2, 200, 1, 100000000, usage);
    width = n + 2;
    slab_rows = (n + THREADS - 1) / THREADS;
    first = MYTHREAD * slab_rows + 1;
    rows = rows_of(MYTHREAD);

    for (int copy = 0; copy < 2; copy++) {
        size_t bytes = (size_t)(rows + 2) * (size_t)width * sizeof(double);
        slab[MYTHREAD][copy] = upc_alloc(bytes);
        if (slab[MYTHREAD][copy] == NULL) {
            fprintf(stderr, "thread %d: no memory for %zu bytes; choose a smaller n\n", MYTHREAD, bytes);
            upc_global_exit(1);
        }
        memset((double *)slab[MYTHREAD][copy], 0, bytes);
    }
    double *start_values = (double *)slab[MYTHREAD][0];
    for (long i = 1; i <= rows; i++)
        for (long j = 1; j <= n; j++)
            start_values[i * width + j] = mode(first + i - 1, j);

    upc_barrier;
    double start = app_seconds();
    for (long step = 0; step < iterations; step++) {
        int now = (int)(step % 2);
        if (rows > 0) {
            exchange_halo(now);
            relax(now);
        }
        upc_barrier;
    }
    double seconds = app_seconds() - start;

    double factor = pow(cos(PI / (double)(n + 1)), (double)iterations);
    const double *result = (const double *)slab[MYTHREAD][iterations % 2];
    double error = 0;
    for (long i = 1; i <= rows; i++)
        for (long j = 1; j <= n; j++) {
            double off = fabs(result[i * width + j] - factor * mode(first + i - 1, j));
            if (!(off <= error))
                error = off;
        }
    error = app_max(error);

    int wrong = !(error <= 1e-12);
    if (MYTHREAD == 0)
        printf("heat: %ld x %ld points, %ld steps, %.1f million points per second, largest error %.1e: %s\n", n, n,
               iterations, 1e-6 * (double)n * (double)n * (double)iterations / seconds, error,
               wrong ? "WRONG" : "right");
    for (int copy = 0; copy < 2; copy++)
        upc_free(slab[MYTHREAD][copy]);
    return wrong;
}
