/*
 * Plain loops in which one thread goes over all elements of arrays in large blocks reach those of C: with neighbours,
 * with elements that earlier iterations wrote, with limits anywhere in a block, inside and around other loops; and so
 * do loops that look alike but end early, change what they count with, or name elements in other ways.
 */
#include <upc_relaxed.h>

#include "check.h"

#define N (96 * THREADS)

struct item {
    char name[3];
    long value;
};

shared [*] long whole[N];
shared [16] long small[N], other[N];
shared [24] struct item items[N];
shared [64] int rows[48 * THREADS][2];
strict shared [16] int flags[N];
static int global_index;

static long fill(int first_value)
{
    long i;
    for (i = 0; i < N; i++) {
        whole[i] = first_value + 3 * i;
        small[i] = first_value - i;
        items[i].value = i;
    }
    for (i = 0; i < N; i++)
        other[i] = 0;
    for (size_t k = 0; k < (size_t)N / 2; ++k)
        rows[k][1] = rows[k][0] = (int)k;
    return i;
}

static void neighbours(void)
{
    for (int i = 2; i < N - 2; i++)
        other[i] = small[i - 2] + 10 * small[i] + 100 * small[i + 2];
    for (int i = 0; i < N; i++)
        EQ(other[i], i < 2 || i >= N - 2 ? 0 : 111L * (7 - i) + 2 - 200);
    for (int i = 1; i < N; i++) /* each one reads what the one before has written */
        other[i] = other[i - 1] + 1;
    EQ(other[N - 1], N - 1);
    for (int i = 0; i <= N - 2; i++)
        other[i] = other[i + 1];
    EQ(other[N - 2], N - 1);
    EQ(other[0], 1);
    shared [16] long *to = other + 5;
    for (int i = 0; i < N - 6; i++) {
        other[i] = 1000 + i;
        *to = 7;
        to[i] += other[0];
    }
    EQ(other[5], 7);
    EQ(other[N - 7], 1000 + N - 7);
    EQ(other[N - 2], 1000 + N - 1);
}

static long *address_of_index;

static int is_found(long wanted)
{
    for (global_index = 0; global_index < N; ++global_index)
        if (small[global_index] == wanted)
            return global_index;
    return -1;
}

static void ends(void)
{
    int i;
    for (i = 0; i < N; i++)
        if (whole[i] == 7 + 3 * 70)
            break;
    EQ(i, 70);
    EQ(is_found(7 - 81), 81);
    EQ(is_found(8), -1);
    EQ(global_index, N);
    for (i = 3; i < N; i++) {
        if (i % 2 != 0)
            continue;
        other[i] = -i;
        if (i == 90)
            goto out;
    }
out:
    EQ(i, 90);
    EQ(other[88], -88);
    long limit = N, sum = 0;
    for (i = 0; i < limit; i++)
        sum += whole[i], limit -= i == 20;
    EQ(i, N - 1);
    sum = 0;
    for (i = 0; i < N; i++) {
        sum += small[i];
        i += i == 9;
    }
    EQ(sum, 7L * N - (long)N * (N - 1) / 2 - (7 - 10));
    long k;
    address_of_index = &k;
    for (k = 0; k < N; k++) {
        other[k] = whole[k];
        *address_of_index += k == 50;
    }
    EQ(k, N);
}

static void layouts(void)
{
    long sum = 0;
    for (int i = 0; i < N; i++)
        items[i].value += whole[i] * 2 - small[i];
    for (unsigned i = 0; i < N; i++)
        sum += items[i].value;
    EQ(sum, 7L * N + 8 * ((long)N * (N - 1) / 2));
    sum = 0;
    for (short i = 1; i < N / 2; i++)
        sum += rows[i][i % 2] - rows[i - 1][0] + rows[0][1];
    EQ(sum, N / 2 - 1);
    for (int i = 0; i < N; i++)
        flags[i] = flags[0] + i;
    EQ(flags[N - 1], N - 1);
    for (int i = 0; i < 96; i++)
        items[i].name[i % 3] = 'x';
    EQ(items[95].name[2], 'x');
}

static long sum_of(int times)
{
    long sum = 0;
    for (int t = 0; t < times; t++)
        for (int i = 0; i < N; i++)
            sum += small[i] * (t + 1) + rows[t][1];
    return sum;
}

int main(void)
{
    const long all = 7L * N - (long)N * (N - 1) / 2;
    for (int t = 0; t < THREADS; t++) {
        if (t == MYTHREAD) {
            EQ(fill(7), N);
            neighbours();
            ends();
            layouts();
        }
        upc_barrier;
    }
    for (int i = 0; i < N; i++)
        EQ(whole[i], 7 + 3 * i);
    EQ(sum_of(3), 6 * all + 3L * N);
    upc_barrier;

    /* All elements for each own one */
    upc_forall (int i = 0; i < N; i++; &other[i])
    {
        long sum = 0;
        for (int k = 0; k < N; k++)
            sum += small[k] - small[i] + whole[i] - i;
        other[i] = sum + i;
    }
    upc_barrier;
    for (int i = 0; i < N; i++)
        EQ(other[i], all - (7L - i) * N + (7L + 2 * i) * N + i);
    upc_forall (int t = 0; t < THREADS; t++; t) EQ(sum_of(1), all);
    return finish();
}
