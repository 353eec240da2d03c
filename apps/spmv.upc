/*
 * spmv: multiplies a sparse matrix with a vector, again and again.
 *
 * usage: spmv [m [iterations]]
 *
 * The matrix has a row for each inner point of an m x m grid: 1/4 for each of its neighbours.  Rows, and the elements
 * of the vectors, are dealt out to the threads in turn.  The owner of an element of the result computes it; the
 * elements of the vector that its row refers to may be on any thread, and are read in place.
 *
 * Check: sin(pi x) sin(pi y) is an eigenvector with eigenvalue cos(pi h).  Started with it, every element must hold
 * exactly that function times cos(pi h)^iterations, up to rounding.
 */
#include <math.h>

#include "app.h"

static const char usage[] = "spmv [m [iterations]]";

#define PI 3.14159265358979323846

enum { MOST = 4 }; /* most nonzero elements in a row */

struct row {
    int count;
    int column[MOST];
    double value[MOST];
};

static long m; /* points per row of the grid */

static double mode(long i)
{
    double h = 1.0 / (double)(m + 1);
    return sin(PI * h * (double)(i / m + 1)) * sin(PI * h * (double)(i % m + 1));
}

static void make(shared struct row *matrix, shared double *x, long n)
{
    upc_forall (long i = 0; i < n; i++; &matrix[i]) {
        const long neighbours[MOST] = {i - m, i - 1, i + 1, i + m};
        const int is_there[MOST] = {i >= m, i % m > 0, i % m < m - 1, i + m < n};
        int count = 0;
        for (int k = 0; k < MOST; k++)
            if (is_there[k]) {
                matrix[i].column[count] = (int)neighbours[k];
                matrix[i].value[count] = 0.25;
                count++;
            }
        matrix[i].count = count;
        x[i] = mode(i);
    }
}

/* y = matrix * x */
static void multiply(shared double *y, shared const struct row *matrix, shared const double *x, long n)
{
    upc_forall (long i = 0; i < n; i++; &y[i]) {
        double sum = 0;
        for (int k = 0; k < matrix[i].count; k++)
            sum += matrix[i].value[k] * x[matrix[i].column[k]];
        y[i] = sum;
    }
}

int main(int argc, char **argv)
{
    if (argc > 3)
        app_usage(usage);
    m = app_argument(argc, argv, 1, 700, 1, 30000, usage);
    long iterations = app_argument(argc, argv, 2, 50, 1, 100000000, usage);
    long n = m * m;

    shared struct row *matrix = upc_all_alloc((size_t)n, sizeof(struct row));
    shared double *x = upc_all_alloc((size_t)n, sizeof(double));
    shared double *y = upc_all_alloc((size_t)n, sizeof(double));
    if (matrix == NULL || x == NULL || y == NULL) {
        if (MYTHREAD == 0)
            fprintf(stderr, "spmv: no memory for a matrix of %ld rows\n", n);
        return 1;
    }
    make(matrix, x, n);

    upc_barrier;
    double start = app_seconds();
    for (long step = 0; step < iterations; step++) {
        multiply(y, matrix, x, n);
        upc_barrier;
        shared double *result = y;
        y = x;
        x = result;
    }
    double seconds = app_seconds() - start;

    double factor = pow(cos(PI / (double)(m + 1)), (double)iterations);
    double error = 0;
    upc_forall (long i = 0; i < n; i++; &x[i]) {
        double off = fabs(x[i] - factor * mode(i));
        if (!(off <= error))
            error = off;
    }
    error = app_max(error);

    int wrong = !(error <= 1e-12);
    if (MYTHREAD == 0)
        printf("spmv: %ld rows, %ld steps, %.1f million rows per second, largest error %.1e: %s\n", n, iterations,
               1e-6 * (double)n * (double)iterations / seconds, error, wrong ? "WRONG" : "right");
    upc_all_free(matrix);
    upc_all_free(x);
    upc_all_free(y);
    return wrong;
}
