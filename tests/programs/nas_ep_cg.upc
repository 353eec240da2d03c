// The EP and CG kernels as the NAS benchmarks for UPC have them: timers, global sums under a lock and by reductions
// in both spellings, a sparse matrix in rows dealt out in blocks, vectors in blocks [*].
// expect-stdout: ^EP: counts 15[0-9]+ pairs of 20000
// expect-stdout: ^CG: residual [0-9.]+e-[0-9]+ after 25 iterations
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <upc_relaxed.h>
#include <upc_collective.h>
#include <upc_types.h>

#define PAIRS 20000
#define ROWS_PER_THREAD 40
#define N (ROWS_PER_THREAD * THREADS)
#define NONZERO 5

#define TIMER_COUNT 2
static double elapsed[TIMER_COUNT], start[TIMER_COUNT];

static double wtime(void)
{
    struct timeval tv;
    gettimeofday(&tv, NULL);
    return tv.tv_sec + tv.tv_usec * 1e-6;
}

static void timer_start(int i) { start[i] = wtime(); }
static void timer_stop(int i) { elapsed[i] += wtime() - start[i]; }

/* ---- EP ---- */

shared double sx, sy;
shared long count_total;
upc_lock_t *reduce_lock;

static void ep(void)
{
    double x = 0, y = 0;
    long count = 0;
    int i;
    upc_forall (i = 0; i < PAIRS; i++; i) {
        unsigned seed = (unsigned)i * 2654435761u + 12345u;
        double a = 2.0 * rand_r(&seed) / RAND_MAX - 1, b = 2.0 * rand_r(&seed) / RAND_MAX - 1, t = a * a + b * b;
        if (t <= 1 && t > 0) {
            double f = sqrt(-2.0 * log(t) / t);
            x += a * f;
            y += b * f;
            count++;
        }
    }
    upc_lock(reduce_lock);
    sx += x;
    sy += y;
    count_total += count;
    upc_unlock(reduce_lock);
    upc_barrier;
    if (MYTHREAD == 0)
        printf("EP: counts %ld pairs of %d, sums %g %g\n", count_total, PAIRS, sx, sy);
}

/* ---- CG ---- */

shared [ROWS_PER_THREAD * NONZERO] double values[ROWS_PER_THREAD * NONZERO * THREADS];
shared [ROWS_PER_THREAD * NONZERO] int columns[ROWS_PER_THREAD * NONZERO * THREADS];
shared [*] double x[N], r[N], p[N], q[N];
shared double partial[THREADS], sum;
shared strict int ready;

static double global_dot(shared [ROWS_PER_THREAD] double *a, shared [ROWS_PER_THREAD] double *b)
{
    double s = 0;
    int i;
    upc_forall (i = 0; i < N; i++; &a[i])
        s += a[i] * b[i];
    partial[MYTHREAD] = s;
    upc_all_reduceD(&sum, partial, UPC_ADD, THREADS, 1, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
    return sum;
}

static void make_matrix(void)
{
    int i;
    upc_forall (i = 0; i < N; i++; &x[i]) {
        const int offsets[NONZERO] = {0, 1, N - 1, 7, N - 7};
        for (int k = 0; k < NONZERO; k++) {
            columns[i * NONZERO + k] = (i + offsets[k]) % N;
            values[i * NONZERO + k] = k == 0 ? 6.0 : k < 3 ? -1.0 : -0.5;
        }
        x[i] = 0;
        r[i] = p[i] = 1.0 + i % 5;
    }
    upc_barrier;
}

static double conj_grad(int iterations)
{
    int i;
    double rho = global_dot(r, r);
    for (int it = 0; it < iterations; it++) {
        upc_forall (i = 0; i < N; i++; &q[i]) {
            double s = 0;
            for (int k = 0; k < NONZERO; k++)
                s += values[i * NONZERO + k] * p[columns[i * NONZERO + k]];
            q[i] = s;
        }
        double alpha = rho / global_dot(p, q), old = rho;
        upc_forall (i = 0; i < N; i++; continue) {
            if (upc_threadof(&x[i]) != MYTHREAD)
                continue;
            x[i] += alpha * p[i];
            r[i] -= alpha * q[i];
        }
        rho = global_dot(r, r);
        upc_forall (i = 0; i < N; i++; &p[i])
            p[i] = r[i] + rho / old * p[i];
        upc_barrier;
    }
    return sqrt(rho);
}

int main(int argc, char **argv)
{
    reduce_lock = upc_all_lock_alloc();
    timer_start(0);
    ep();
    timer_stop(0);
    make_matrix();
    timer_start(1);
    double residual = conj_grad(25);
    timer_stop(1);
    if (MYTHREAD == 0) {
        ready = 1;
        printf("CG: residual %e after 25 iterations\n", residual);
        printf("times %.3f %.3f\n", elapsed[0], elapsed[1]);
    }
    upc_barrier;
    upc_all_lock_free(reduce_lock);
    exit(0);
}
