/*
 * is_omp: IS with OpenMP: each thread counts its keys, then each thread adds up a range of values.
 *
 * usage: OMP_NUM_THREADS=N is_omp CLASS
 */
#include <omp.h>

#include "is.h"

/* places[t * values + v]: how many keys precede thread t's first key of value v; totals: n + 1 numbers */
static void rank(int class, const int *keys, int *places, int *totals)
{
    long values = is_values(class);
#pragma omp parallel
    {
        int me = omp_get_thread_num(), n = omp_get_num_threads();
        long first = is_keys(class) * me / n, end = is_keys(class) * (me + 1) / n;
        long low = values * me / n, high = values * (me + 1) / n;
        int *mine = places + me * values;
        memset(mine, 0, (size_t)values * sizeof *mine);
        for (long i = first; i < end; i++)
            mine[keys[i]]++;
#pragma omp barrier
        int sum = 0;
        for (int t = 0; t < n; t++)
            for (long v = low; v < high; v++)
                sum += places[t * values + v];
        totals[me] = sum;
#pragma omp barrier
        int before = 0;
        for (int t = 0; t < me; t++)
            before += totals[t];
        for (long v = low; v < high; v++)
            for (int t = 0; t < n; t++)
                before = is_add_up(&places[t * values + v], 1, before);
    }
}

static int sort(int class, const int *keys, int *places, int *sorted)
{
    long values = is_values(class), count = is_keys(class);
    int is_sorted = 1;
#pragma omp parallel
    {
        int me = omp_get_thread_num(), n = omp_get_num_threads();
        for (long i = count * me / n; i < count * (me + 1) / n; i++)
            sorted[places[me * values + keys[i]]++] = keys[i];
    }
#pragma omp parallel for reduction(&& : is_sorted)
    for (long i = 1; i < count; i++)
        is_sorted = is_sorted && sorted[i - 1] <= sorted[i];
    return is_sorted;
}

int main(int argc, char **argv)
{
    int class = npb_class(argc, argv, 1), n = omp_get_max_threads(), passed = 0;
    if (class < 0)
        return 2;
    long count = is_keys(class);
    int *keys = malloc((size_t)count * sizeof *keys), *sorted = malloc((size_t)count * sizeof *sorted);
    int *places = malloc((size_t)n * (size_t)is_values(class) * sizeof *places);
    int *totals = malloc((size_t)n * sizeof *totals);
    if (keys == NULL || sorted == NULL || places == NULL || totals == NULL) {
        npb_no_memory(0);
        return 1;
    }
#pragma omp parallel
    {
        int me = omp_get_thread_num();
        long first = count * me / n, end = count * (me + 1) / n;
        is_make_keys(class, first, end - first, keys + first);
    }
    rank(class, keys, places, totals); /* warm-up: touches the memory */
    double start = app_seconds();
    for (int iteration = 1; iteration <= IS_ITERATIONS; iteration++) {
        is_change(class, iteration, 0, count, keys);
        rank(class, keys, places, totals);
        passed += is_count_passed(class, iteration, 0, is_values(class), places);
    }
    double seconds = app_seconds() - start;
    int is_sorted = sort(class, keys, places, sorted);
    free(keys);
    free(sorted);
    free(places);
    free(totals);
    return is_report("OpenMP", class, n, seconds, passed, is_sorted);
}
