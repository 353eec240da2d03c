/*
 * cg_omp: CG with OpenMP: each thread has a run of rows, and vectors are shared.
 *
 * usage: OMP_NUM_THREADS=N cg_omp CLASS
 */
#include <omp.h>

#include "cg_solve.h"

static double *parts, *whole;
static int rows;

static int first_row(int thread)
{
    return (int)((long)rows * thread / omp_get_num_threads());
}

static double sum_all(double mine)
{
    double sum = 0;
    parts[omp_get_thread_num()] = mine;
#pragma omp barrier
    for (int t = 0; t < omp_get_num_threads(); t++)
        sum += parts[t];
#pragma omp barrier
    return sum;
}

/* No barrier is needed after reading: the next sum_all separates it from the next writes. */
static const double *all_of(const double *mine)
{
    int me = omp_get_thread_num(), first = first_row(me), end = first_row(me + 1);
    memcpy(whole + first, mine, (size_t)(end - first) * sizeof *mine);
#pragma omp barrier
    return whole;
}

int main(int argc, char **argv)
{
    int class = npb_class(argc, argv, 1), n = omp_get_max_threads(), failed = 0;
    if (class < 0)
        return 2;
    rows = cg_classes[class].rows;
    parts = malloc((size_t)n * sizeof *parts);
    whole = malloc((size_t)rows * sizeof *whole);
    if (parts == NULL || whole == NULL) {
        npb_no_memory(0);
        return 1;
    }
    double seconds = 0, zeta = 0;
#pragma omp parallel
    {
        struct cg_state state;
        int me = omp_get_thread_num(), first = first_row(me), end = first_row(me + 1);
        int without = cg_start(class, first, end, end - first, &state);
#pragma omp atomic
        failed += without;
#pragma omp barrier
        if (failed == 0) {
            cg_iterate(class, &state, 1); /* warm-up: touches the memory */
            double start = app_seconds(), found = cg_iterate(class, &state, cg_classes[class].iterations);
#pragma omp master
            {
                seconds = app_seconds() - start;
                zeta = found;
            }
            cg_end(&state);
        }
    }
    free(parts);
    free(whole);
    if (failed != 0) {
        npb_no_memory(0);
        return 1;
    }
    return cg_report("OpenMP", class, n, seconds, zeta);
}
