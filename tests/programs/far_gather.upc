// Loops that read shared elements by index: what they find is what stands there when they read it, and elements of
// other machines come in batches.
// fcheck: no
#include <banyan/far.h>
#include <upc_castable.h>
#include <upc_relaxed.h>
#include "check.h"

enum { N = 1500, APART = 397, BATCH = 256 };

shared double x[N * THREADS];
shared [7] int numbers[7 * N * THREADS];
shared [N] short pairs[N * THREADS];
static int columns[N];
static double values[N];
static double found[N];

static double sum_of(const double *a, const int *column, int begin, int end)
{
    double sum = 0;
    for (int k = begin; k < end; k++)
        sum += a[k] * x[column[k]];
    return sum;
}

static double expected_sum(int begin, int end)
{
    double sum = 0;
    for (int k = begin; k < end; k++)
        sum += values[k] * columns[k];
    return sum;
}

static void sums(int far)
{
    unsigned long long before = bn_far_counts().waits;
    CHECK(sum_of(values, columns, 0, N) == expected_sum(0, N));
    unsigned long long waits = bn_far_counts().waits - before;
    unsigned most = far ? N / BATCH + 2 : 0;
    if (waits > most)
        printf("waited %llu times, expected %u at most\n", waits, most), check_failures++;
    for (int begin = 0; begin < N - 300; begin += 100)
        CHECK(sum_of(values, columns, begin, begin + begin % 300) == expected_sum(begin, begin + begin % 300));
    CHECK(sum_of(values, columns, 5, 5) == 0 && sum_of(values, columns, 5, -5) == 0);
}

// Two reads by index in an iteration, one by another index, unsigned and wide variables, <=
static void several(void)
{
    long total = 0, expected = 0;
    for (unsigned char k = 0; k <= 250; ++k) {
        total += numbers[columns[k]] + 2 * numbers[7 * columns[k] + 1] + (int)values[k];
        expected += columns[k] % 1000 + 2 * ((7 * columns[k] + 1) % 1000) + (int)values[k];
    }
    EQ(total, expected);
    total = expected = 0;
    for (unsigned long k = 3; k < N; k++) {
        int once = numbers[columns[columns[k] % N]];
        total += once * (long)k;
        expected += columns[columns[k] % N] % 1000 * (long)k;
    }
    EQ(total, expected);
}

static void into_memory(double *y, const int *column)
{
    for (int k = 0; k < N; k++)
        y[k] = x[column[k]];
}

// Elements that the loop itself changes are not read in advance.
static void changes(int *any)
{
    upc_barrier;
    if (MYTHREAD == 0)
        for (int k = 0; k < N; k++)   // repeated elements
            x[k % 10] = x[columns[k % 10] % 10] + 1;
    double expected[10];
    for (int k = 0; k < 10; k++)
        expected[k] = k;
    for (int k = 0; k < N; k++)
        expected[k % 10] = expected[columns[k % 10] % 10] + 1;
    upc_barrier;
    for (int k = 0; k < 10; k++)
        CHECK(x[k] == expected[k]);
    upc_barrier;

    int order[] = {1, 2, 3, 4, 0};
    any = any == NULL ? order : any;
    int here[] = {1, 2, 3, 4, 0};
    for (int k = 0; k < 4; k++)   // the indices change
        any[k + 1] = numbers[order[k]];
    for (int k = 0; k < 4; k++)
        here[k + 1] = here[k];
    for (int k = 0; k < 5; k++)
        EQ(order[k], here[k]);

    int limit = 20, rounds = 0;
    for (int k = 0; k < limit; k++) {   // the limit changes
        rounds += numbers[columns[k]] >= 0;
        limit -= k % 2;
    }
    EQ(rounds, 14);
    for (rounds = 0; rounds < N; rounds++)   // it ends before
        if (numbers[columns[rounds]] > 990)
            break;
    int same = 0;
    while (same < N && columns[same] % 1000 <= 990)
        same++;
    EQ(rounds, same);
    int none[] = {3, -1, 5};
    long sum = 0;
    for (int k = 0; k < 3; k++)   // what is not an element is not read
        sum += none[k] < 0 ? 0 : numbers[none[k]];
    EQ(sum, 8);
}

// Values written by others before the last barrier are seen.
static void rounds(void)
{
    for (int round = 1; round <= 3; round++) {
        upc_barrier;
        for (int k = 0; k < N; k++)
            pairs[MYTHREAD * N + k] = (short)(round * 7 + k % 100);
        upc_barrier;
        long sum = 0, expected = 0;
        for (int k = 0; k < N; k++) {
            sum += pairs[columns[k]];
            expected += round * 7 + columns[k] % N % 100;
        }
        EQ(sum, expected);
    }
}

int main(void)
{
    int far = 0;
    for (int thread = 0; thread < THREADS; thread++)
        far |= upc_cast((shared void *)&x[thread]) == NULL;
    for (int i = MYTHREAD; i < N * THREADS; i += THREADS)
        x[i] = i;
    upc_forall (int i = 0; i < 7 * N * THREADS; i++; &numbers[i])
        numbers[i] = i % 1000;
    for (int k = 0; k < N; k++) {
        columns[k] = (int)((long)k * APART % (N * THREADS));
        values[k] = k % 17;
    }
    upc_barrier;
    sums(far);
    several();
    into_memory(found, columns);
    for (int k = 0; k < N; k++)
        CHECK(found[k] == columns[k]);
    changes(NULL);
    rounds();
    return finish();
}
