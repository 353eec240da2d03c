/*
 * Short functions that loops call mean what they mean elsewhere: arguments are evaluated once and converted to the
 * types of parameters, results to those of functions, and names are those that the function sees.
 */
#include <upc_relaxed.h>

#include "check.h"

#define N (40 * THREADS)
#define M 8

shared [M] long a[N], b[N];
shared [M] unsigned char bytes[N];
shared long other[N];
static long scale = 3;
static long calls;
static struct {
    unsigned narrow : 4;
} bits[2] = {{1}, {2}};

static inline long get(long i) { return a[i]; }
static long get_next(int i) { return get(i + 1); }
static void put(int i, long x) { b[i] = x; }
static void add(int i, int x) { b[i] += x; }
static void put_byte(int i, int x) { bytes[i] = x; }
static int byte(int i) { return bytes[i]; }
static long scaled(long x) { return x * scale; }
static int place(int i, int j) { return i * M + j; }
static int low(unsigned char x) { return x + 1; }
static signed char narrow(int x) { return x * 2; }
static unsigned bit(int i) { return bits[i].narrow; }
static long larger(long x, long y) { return x > y ? x : y; }
static long twice(long x) { return x + x; }
static int second(int x, int y) { return 0 * x + y; }
static long here(void) { return other[MYTHREAD]; }

static long count(long i)
{
    ++calls;
    return i;
}

static void check(long (*wanted)(long))
{
    upc_barrier;
    for (long i = 0; i < N - 1; ++i)
        EQ(b[i], wanted(i));
    upc_barrier;
}

static long next_value(long i) { return 5 * (i + 1); }
static long scaled_value(long i) { return 5 * i * 3; }
static long converted_value(long i) { return (unsigned char)(i + 250) + 1 + (signed char)(2 * i); }
static long bit_value(long i) { return (bits[i % 2].narrow - 5u) / 2; }
static long sum_value(long i) { return 10 * (i > 7 ? i : 7) + i; }

int main(void)
{
    int i, j;
    upc_forall (i = 0; i < N; i++; &a[i])
        a[i] = 5 * i;
    other[MYTHREAD] = MYTHREAD;
    upc_barrier;

    upc_forall (i = 0; i < N - 1; i++; &b[i])
        put(i, get_next(i));
    check(next_value);

    upc_forall (i = 0; i < N - 1; i++; &b[i]) {
        long scale = 100;  /* not that of scaled() */
        b[i] = scaled(a[i]) + 0 * scale;
    }
    check(scaled_value);

    upc_forall (i = 0; i < N - 1; i++; &b[i])
        b[i] = low(i + 250) + narrow(i);
    check(converted_value);

    upc_forall (i = 0; i < N - 1; i++; &b[i])
        b[i] = (bit(i % 2) - 5) / 2;
    check(bit_value);

    upc_forall (i = 0; i < N - 1; i++; &b[i]) {
        b[i] = 0;
        add(i, twice(count(larger(get(i), 35))));
        add(i, second(count(1), i));
    }
    check(sum_value);
    long own = 0;
    upc_forall (i = 0; i < N - 1; i++; &b[i])
        own += 2;
    EQ(calls, own);

    upc_forall (i = 0; i < N; i++; &bytes[i])
        put_byte(i, i * 3);
    upc_barrier;
    for (i = 0; i < N; i++)
        EQ(byte(i), (unsigned char)(i * 3));

    upc_forall (i = 0; i < N / M; i++; &b[place(i, 0)])
        for (j = 0; j < M; j++)
            b[place(i, j)] = get(place(i, j)) + here();
    upc_barrier;
    for (i = 0; i < N; i++)
        EQ(b[i], 5 * i + (long)upc_threadof(&b[i]));
    return finish();
}
