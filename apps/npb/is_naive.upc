/*
 * is_naive: IS as a UPC programmer writes it: shared arrays of keys and counts, upc_forall.
 *
 * usage: is_naive CLASS
 *
 * Each thread counts the keys that it has; then each adds up a range of values.
 */
#include <upc.h>

#include "is.h"

static shared int *keys, *sorted;
static shared int *places; /* [value][thread]: how many keys precede the thread's first one of that value */
static shared int totals[THREADS], passed[THREADS], wrong[THREADS];

static void rank(int class)
{
    long values = is_values(class), low = values * MYTHREAD / THREADS, high = values * (MYTHREAD + 1) / THREADS;
    for (long value = 0; value < values; value++)
        places[value * THREADS + MYTHREAD] = 0;
    upc_forall(long i = 0; i < is_keys(class); i++; &keys[i]) places[(long)keys[i] * THREADS + MYTHREAD]++;
    upc_barrier;
    int sum = 0, before = 0;
    for (long i = low * THREADS; i < high * THREADS; i++)
        sum += places[i];
    totals[MYTHREAD] = sum;
    upc_barrier;
    for (int t = 0; t < MYTHREAD; t++)
        before += totals[t];
    for (long i = low * THREADS; i < high * THREADS; i++) {
        int here = places[i];
        places[i] = before;
        before += here;
    }
    upc_barrier;
}

static void change(int class, int iteration)
{
    for (int which = 0; which < 2; which++) {
        long index = is_changed_index(which, iteration);
        if (upc_threadof(&keys[index]) == (size_t)MYTHREAD)
            keys[index] = is_changed_value(class, which, iteration);
    }
}

static int sort(int class)
{
    int count = 0;
    upc_forall(long i = 0; i < is_keys(class); i++; &keys[i]) sorted[places[(long)keys[i] * THREADS + MYTHREAD]++] =
        keys[i];
    upc_barrier;
    upc_forall(long i = 1; i < is_keys(class); i++; &sorted[i]) wrong[MYTHREAD] += sorted[i - 1] > sorted[i];
    upc_barrier;
    for (int t = 0; t < THREADS; t++)
        count += wrong[t];
    return count == 0;
}

int main(int argc, char **argv)
{
    int class = npb_class(argc, argv, MYTHREAD == 0), all_passed = 0;
    if (class < 0)
        return 2;
    size_t count = (size_t)is_keys(class);
    keys = upc_all_alloc(count, sizeof(int));
    sorted = upc_all_alloc(count, sizeof(int));
    places = upc_all_alloc((size_t)is_values(class) * THREADS, sizeof(int));
    if (keys == NULL || sorted == NULL || places == NULL) {
        npb_no_memory(MYTHREAD);
        upc_global_exit(1);
    }
    upc_forall(long i = 0; i < is_keys(class); i++; &keys[i])
    {
        uint64_t state = is_state(i);
        keys[i] = is_key(class, &state);
    }
    rank(class); /* warm-up: touches the memory */
    double start = app_seconds();
    for (int iteration = 1; iteration <= IS_ITERATIONS; iteration++) {
        change(class, iteration);
        rank(class);
        for (int test = MYTHREAD; test < IS_TESTS; test += THREADS) {
            long value = is_tested_value(class, test);
            passed[MYTHREAD] += is_passed(class, test, iteration, places[value * THREADS]);
        }
        upc_barrier;
    }
    double seconds = app_seconds() - start;
    for (int t = 0; t < THREADS; t++)
        all_passed += passed[t];
    int is_sorted = sort(class);
    upc_all_free(keys);
    upc_all_free(sorted);
    upc_all_free(places);
    return MYTHREAD == 0 ? is_report("UPC naive", class, THREADS, seconds, all_passed, is_sorted) : 0;
}
