/*
 * is.h: IS, "integer sort": the ranks of keys, ten times, by counting.
 *
 * A form represents the ranks by "below": how many keys are less than a value.  In each iteration two keys change, and
 * the ranks of five keys are checked; in the end the keys are put in their places, which is not timed.
 */
#ifndef IS_H
#define IS_H

#include "npb.h"

enum { IS_ITERATIONS = 10, IS_TESTS = 5, IS_BUCKET_BITS = 10, IS_BUCKETS = 1 << IS_BUCKET_BITS };

static const struct is_class {
    int key_bits, value_bits; /* 2 to the key_bits keys, less than 2 to the value_bits */
    long tested[IS_TESTS];    /* the keys whose ranks are tested, */
    long ranks[IS_TESTS];     /* their ranks in iteration 0, */
    int steps[IS_TESTS];      /* and the change of rank per iteration */
} is_classes[NPB_CLASSES] = {
    {16, 11, {48427, 17148, 23627, 62548, 4431}, {0, 18, 346, 64917, 65463}, {1, 1, 1, -1, -1}},
    {20, 16, {357773, 934767, 875723, 898999, 404505}, {1247, 11696, 1039987, 1043896, 1048018}, {1, 1, -1, -1, -1}},
    {23, 19, {2112377, 662041, 5336171, 3642833, 4250760}, {103, 17522, 123927, 8288933, 8388265}, {1, 1, 1, -1, -1}},
    {25, 21, {41869, 812306, 5102857, 18232239, 26860214}, {33422937, 10244, 59149, 33135281, 99}, {-1, 1, 1, -1, 1}},
    {27,
     23,
     {44172927, 72999161, 74326391, 129606274, 21736814},
     {61147, 882988, 266290, 133997595, 133525895},
     {1, 1, 1, -1, -1}},
};

static inline long is_keys(int class)
{
    return 1L << is_classes[class].key_bits;
}

static inline int is_values(int class)
{
    return 1 << is_classes[class].value_bits;
}

/* The state of the generator before key `index` */
static inline uint64_t is_state(long index)
{
    return npb_skip(314159265, 4 * (uint64_t)index);
}

/* The next key: a sum of four random numbers, so that keys in the middle are more frequent */
static inline int is_key(int class, uint64_t *state)
{
    double sum = npb_random(state);
    for (int i = 1; i < 4; i++)
        sum += npb_random(state);
    return (int)(sum * (is_values(class) / 4));
}

static inline void is_make_keys(int class, long first, long count, int *keys)
{
    uint64_t state = is_state(first);
    for (long i = 0; i < count; i++)
        keys[i] = is_key(class, &state);
}

/* Iteration 1 to IS_ITERATIONS changes the keys with these indices to these values. */
static inline long is_changed_index(int which, int iteration)
{
    return iteration + which * IS_ITERATIONS;
}

static inline int is_changed_value(int class, int which, int iteration)
{
    return which == 0 ? iteration : is_values(class) - iteration;
}

/* Changes those of them that are among keys `first` to first + count - 1 */
static inline void is_change(int class, int iteration, long first, long count, int *keys)
{
    for (int which = 0; which < 2; which++) {
        long index = is_changed_index(which, iteration) - first;
        if (index >= 0 && index < count)
            keys[index] = is_changed_value(class, which, iteration);
    }
}

static inline int is_tested_value(int class, int test)
{
    uint64_t state = is_state(is_classes[class].tested[test]);
    return is_key(class, &state);
}

/* Whether `below` is right for the value of a test in an iteration */
static inline int is_passed(int class, int test, int iteration, long below)
{
    return below == is_classes[class].ranks[test] + (long)is_classes[class].steps[test] * iteration;
}

/* How many of the tests with values from low to high - 1 pass; below[0] belongs to `low` */
static inline int is_count_passed(int class, int iteration, int low, int high, const int *below)
{
    int passed = 0;
    for (int test = 0; test < IS_TESTS; test++) {
        int value = is_tested_value(class, test);
        passed += value >= low && value < high && is_passed(class, test, iteration, below[value - low]);
    }
    return passed;
}

/* Turns counts into places: how many keys precede each value.  Returns where the last one ends. */
static inline int is_add_up(int *counts, long count, int before)
{
    for (long i = 0; i < count; i++) {
        int here = counts[i];
        counts[i] = before;
        before += here;
    }
    return before;
}

/* Puts keys in their places, which advances `below`; returns whether sorted[0 .. count - 1] is in order. */
static inline int is_sort(const int *keys, int count, int low, int before, int *below, int *sorted)
{
    for (int i = 0; i < count; i++)
        sorted[below[keys[i] - low]++ - before] = keys[i];
    for (int i = 1; i < count; i++)
        if (sorted[i - 1] > sorted[i])
            return 0;
    return 1;
}

/* Buckets are ranges of values, which forms with an exchange distribute so that each process has about as many keys. */
static inline int is_bucket_shift(int class)
{
    return is_classes[class].value_bits - IS_BUCKET_BITS;
}

/* The first bucket of each of n processes, and IS_BUCKETS at the end; totals: the number of keys in each bucket */
static inline void is_split(int class, const int *totals, int n, int *first)
{
    int process = 0;
    long before = 0;
    for (int bucket = 0; bucket < IS_BUCKETS; bucket++) {
        while (process < n && before >= is_keys(class) / n * process)
            first[process++] = bucket;
        before += totals[bucket];
    }
    while (process <= n)
        first[process++] = IS_BUCKETS;
}

/* Orders keys by bucket; places: IS_BUCKETS + 1 numbers, the start of each bucket in `ordered` */
static inline void is_order(int class, const int *keys, long count, int *places, int *ordered)
{
    int shift = is_bucket_shift(class);
    for (long i = 0; i < count; i++)
        ordered[places[keys[i] >> shift]++] = keys[i];
    memmove(places + 1, places, IS_BUCKETS * sizeof *places);
    places[0] = 0;
}

static inline int is_report(const char *form, int class, int n, double seconds, int passed, int is_sorted)
{
    char size[32];
    snprintf(size, sizeof size, "2^%d keys", is_classes[class].key_bits);
    int is_right = passed == IS_TESTS * IS_ITERATIONS && is_sorted;
    return npb_report("IS", form, class, size, n, (double)IS_ITERATIONS * (double)is_keys(class), seconds, is_right);
}

#endif
