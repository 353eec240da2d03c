/*
 * cg_naive: CG as a UPC programmer writes it: cyclic shared vectors, upc_forall, rows with affinity to their owners.
 *
 * usage: cg_naive CLASS
 */
#include <upc.h>

#include "cg.h"

static shared double *x, *z, *p, *q, *r;
static shared double parts[THREADS];
static int rows;
static struct cg_rows mine; /* row i of the matrix is row i / THREADS of these on thread i % THREADS */

static double dot(shared double *a, shared double *b)
{
    double sum = 0;
    upc_forall(int i = 0; i < rows; i++; &a[i]) sum += a[i] * b[i];
    parts[MYTHREAD] = sum;
    upc_barrier;
    sum = 0;
    for (int t = 0; t < THREADS; t++)
        sum += parts[t];
    upc_barrier;
    return sum;
}

static void multiply(shared double *result, shared double *vector)
{
    upc_forall(int i = 0; i < rows; i++; &result[i])
    {
        double sum = 0;
        for (int k = mine.starts[i / THREADS]; k < mine.starts[i / THREADS + 1]; k++)
            sum += mine.values[k] * vector[mine.columns[k]];
        result[i] = sum;
    }
}

static void solve(void)
{
    upc_forall(int i = 0; i < rows; i++; &x[i])
    {
        z[i] = 0;
        p[i] = x[i];
        r[i] = x[i];
    }
    double rho = dot(r, r);
    for (int step = 0; step < CG_STEPS; step++) {
        multiply(q, p);
        double alpha = rho / dot(p, q), before = rho;
        upc_forall(int i = 0; i < rows; i++; &z[i])
        {
            z[i] += alpha * p[i];
            r[i] -= alpha * q[i];
        }
        rho = dot(r, r);
        upc_forall(int i = 0; i < rows; i++; &p[i]) p[i] = r[i] + rho / before * p[i];
        upc_barrier;
    }
}

static double iterate(int class, int iterations)
{
    double zeta = 0;
    upc_forall(int i = 0; i < rows; i++; &x[i]) x[i] = 1;
    for (int iteration = 0; iteration < iterations; iteration++) {
        solve();
        double along = dot(x, z), length = sqrt(dot(z, z));
        zeta = cg_classes[class].shift + 1 / along;
        upc_forall(int i = 0; i < rows; i++; &x[i]) x[i] = z[i] / length;
    }
    return zeta;
}

static shared double *take(void)
{
    shared double *taken = upc_all_alloc((size_t)rows, sizeof(double));
    if (taken == NULL) {
        npb_no_memory(MYTHREAD);
        upc_global_exit(1);
    }
    return taken;
}

int main(int argc, char **argv)
{
    int class = npb_class(argc, argv, MYTHREAD == 0);
    if (class < 0)
        return 2;
    rows = cg_classes[class].rows;
    x = take();
    z = take();
    p = take();
    q = take();
    r = take();
    if (cg_make_rows(class, MYTHREAD, THREADS, (rows - MYTHREAD + THREADS - 1) / THREADS, &mine) != 0) {
        npb_no_memory(MYTHREAD);
        upc_global_exit(1);
    }
    iterate(class, 1); /* warm-up: touches the memory */
    upc_barrier;
    double start = app_seconds();
    double zeta = iterate(class, cg_classes[class].iterations);
    double seconds = app_seconds() - start;
    cg_free_rows(&mine);
    return MYTHREAD == 0 ? cg_report("UPC naive", class, THREADS, seconds, zeta) : 0;
}
