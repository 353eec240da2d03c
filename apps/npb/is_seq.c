/*
 * is_seq: IS in C.
 *
 * usage: is_seq CLASS
 */
#include "is.h"

static void rank(int class, const int *keys, int *below)
{
    memset(below, 0, (size_t)is_values(class) * sizeof *below);
    for (long i = 0; i < is_keys(class); i++)
        below[keys[i]]++;
    is_add_up(below, is_values(class), 0);
}

int main(int argc, char **argv)
{
    int class = npb_class(argc, argv, 1);
    if (class < 0)
        return 2;
    long count = is_keys(class);
    int *keys = malloc((size_t)count * sizeof *keys), *sorted = malloc((size_t)count * sizeof *sorted);
    int *below = malloc((size_t)is_values(class) * sizeof *below), passed = 0;
    if (keys == NULL || sorted == NULL || below == NULL) {
        npb_no_memory(0);
        return 1;
    }
    is_make_keys(class, 0, count, keys);
    rank(class, keys, below); /* warm-up: touches the memory */
    double start = app_seconds();
    for (int iteration = 1; iteration <= IS_ITERATIONS; iteration++) {
        is_change(class, iteration, 0, count, keys);
        rank(class, keys, below);
        passed += is_count_passed(class, iteration, 0, is_values(class), below);
    }
    double seconds = app_seconds() - start;
    int is_sorted = is_sort(keys, (int)count, 0, 0, below, sorted);
    free(keys);
    free(sorted);
    free(below);
    return is_report("sequential", class, 1, seconds, passed, is_sorted);
}
