/*
 * Loops over blocked arrays whose bodies use only the thread's own elements: they go through all blocks of a thread at
 * once, and must do the same as the loops in C, wherever they begin and end.
 */
#include <upc_relaxed.h>

#include "check.h"

#define COUNT(block) ((3 * (block) + (block) / 2 + 1) * THREADS)   /* the last block is not always full */
#define OFFSET 40

static long calls;

static long next_call(void)
{
    return calls++;
}

static int owner_of(long unit, long block)
{
    return (int)(unit / block % THREADS);
}

/* Named after the block size: arrays, loops over [start, end), and the expected contents afterwards */
#define LOOPS(block)                                                                                                   \
    static shared [block] long a##block[COUNT(block)], b##block[COUNT(block)];         \
    static strict shared [block] long order##block[COUNT(block)];                                      \
    static shared [3 * (block)] int rows##block[COUNT(block)][3];                                      \
                                                                                                                       \
    static void set##block(void)                                                                                       \
    {                                                                                                                  \
        upc_barrier;                                                                                                   \
        upc_forall (long i = 0; i < COUNT(block); i++; &a##block[i]) {                                                 \
            a##block[i] = -1;                                                                                          \
            b##block[i] = i;                                                                                           \
            order##block[i] = -1;                                                                                      \
            for (int j = 0; j < 3; j++)                                                                                \
                rows##block[i][j] = -1;                                                                                \
        }                                                                                                              \
        calls = 0;                                                                                                     \
        upc_barrier;                                                                                                   \
    }                                                                                                                  \
                                                                                                                       \
    /* The iterations of this thread come in their order; is_all: all of them do. */                                   \
    static void run##block(long start, long end, int is_all)                                                           \
    {                                                                                                                  \
        long i, number = 0, first = start < 0 ? 0 : start;                                                             \
        upc_forall (i = start; i < end; i++; &a##block[i])                                                             \
            a##block[i] = 2 * b##block[i] + 1;                                                                         \
        EQ(i, start < end ? end : start);                                                                              \
        upc_forall (long k = start + OFFSET; k < end + OFFSET; ++k; &rows##block[k - OFFSET][0])                       \
            for (int j = 0; j < 3; j++) {                                                                              \
                if (j == 1)                                                                                            \
                    continue;                                                                                          \
                rows##block[k - OFFSET][j] = j;                                                                        \
            }                                                                                                          \
        upc_forall (long k = start - OFFSET; k < end - OFFSET; k++; &order##block[k + OFFSET]) {                       \
            if (order##block[k + OFFSET] != -1)                                                                        \
                continue;                                                                                              \
            order##block[k + OFFSET] = next_call();                                                                    \
            upc_fence;                                                                                                 \
        }                                                                                                              \
        for (long n = first; n < end; n++)                                                                             \
            if (is_all || owner_of(n, block) == MYTHREAD) {                                                            \
                EQ(a##block[n], 2 * n + 1);                                                                            \
                EQ(order##block[n], number++);                                                                         \
                for (int j = 0; j < 3; j++)                                                                            \
                    EQ(rows##block[n][j], j == 1 ? -1 : j);                                                            \
            }                                                                                                          \
        EQ(calls, number);                                                                                             \
    }                                                                                                                  \
                                                                                                                       \
    static void check_rest##block(long start, long end)                                                                \
    {                                                                                                                  \
        upc_barrier;                                                                                                   \
        for (long n = 0; n < COUNT(block); n++)                                                                        \
            if (n < start || n >= end) {                                                                               \
                EQ(a##block[n], -1);                                                                                   \
                EQ(order##block[n], -1);                                                                               \
                EQ(rows##block[n][0], -1);                                                                             \
            }                                                                                                          \
    }                                                                                                                  \
                                                                                                                       \
    static void check##block(void)                                                                                     \
    {                                                                                                                  \
        const long n = COUNT(block), parts[][2] = {                                                                    \
            {0, n}, {0, 0}, {1, n - 1}, {n, 0}, {n - 1, n}, {0, (block) - 1}, {(block) - 1, (block) + 1},              \
            {(block), 2 * (block)}, {1, (block) * THREADS + 1}, {(block) * THREADS - 1, n}, {5, -3}, {-3, -9}};        \
        for (size_t part = 0; part < sizeof parts / sizeof *parts; part++) {                                           \
            set##block();                                                                                              \
            run##block(parts[part][0], parts[part][1], 0);                                                             \
            check_rest##block(parts[part][0], parts[part][1]);                                                         \
            set##block();                                                                                              \
            upc_forall (int t = 0; t < 1; t++; THREADS - 1)                                                            \
                run##block(parts[part][0], parts[part][1], 1);                                                         \
            check_rest##block(parts[part][0], parts[part][1]);                                                         \
        }                                                                                                              \
    }                                                                                                                  \
                                                                                                                       \
    /* Whole blocks, as can be seen from the text */                                                                   \
    static void run_whole##block(void)                                                                                 \
    {                                                                                                                  \
        int i;                                                                                                         \
        upc_forall (i = (block); i < 3 * (block) * THREADS; i++; &a##block[i])                                         \
            a##block[i] = 7;                                                                                           \
        EQ(i, 3 * (block) * THREADS);                                                                                  \
        upc_forall (i = 0; i <= 2 * (block) * THREADS - 1; i++; &b##block[i + (block)])                                \
            b##block[i + (block)] = -i;                                                                                \
        upc_forall (i = 0; i < (block); i++; i / (block))                                                              \
            calls++;                                                                                                   \
    }                                                                                                                  \
                                                                                                                       \
    static void check_whole##block(int is_all)                                                                         \
    {                                                                                                                  \
        const long n = COUNT(block);                                                                                   \
        set##block();                                                                                                  \
        if (is_all)                                                                                                    \
            upc_forall (int t = 0; t < 1; t++; THREADS - 1)                                                            \
                run_whole##block();                                                                                    \
        else                                                                                                           \
            run_whole##block();                                                                                        \
        EQ(calls, MYTHREAD == (is_all ? THREADS - 1 : 0) ? (block) : 0);                                               \
        upc_barrier;                                                                                                   \
        for (long k = 0; k < n; k++) {                                                                                 \
            EQ(a##block[k], k >= (block) && k < 3 * (block) * THREADS ? 7 : -1);                                       \
            EQ(b##block[k], k >= (block) && k < (2 * THREADS + 1) * (block) ? (block) - k : k);                        \
        }                                                                                                              \
    }

LOOPS(1)
LOOPS(2)
LOOPS(5)
LOOPS(16)

/* Iterations that are not elements are divided in blocks, too, including those below zero. */
static void check_numbers(void)
{
    for (long start = -20; start <= 20; start += 5)
        for (long count = -1; count < 40; count += 4) {
            long done = 0, wanted = 0;
            upc_forall (long i = start; i < start + count; i++; &a5[i + 20])
                done++;
            for (long i = start; i < start + count; i++)
                wanted += owner_of(i + 20, 5) == MYTHREAD;
            EQ(done, wanted);
            long divisor = count + 2;
            done = wanted = 0;
            upc_forall (long i = start + 20; i < start + 20 + count; i++; i / divisor)
                done++;
            for (long i = start + 20; i < start + 20 + count; i++)
                wanted += owner_of(i, divisor) == MYTHREAD;
            EQ(done, wanted);
        }
}

/* Inside another loop, through pointers, and over allocated memory */
static void check_nested(void)
{
    shared [5] long *p = upc_all_alloc(4 * (size_t)THREADS, 5 * sizeof(long));
    const long n = 20L * THREADS;
    for (long k = 0; k < n; k++)
        if (upc_threadof(&p[k]) == (size_t)MYTHREAD)
            p[k] = 0;
    for (long from = 0; from < 12; from++)
        for (long to = n; to > n - 12 && to > from; to -= 3)
            upc_forall (long k = from; k < to; k++; &p[k])
                p[k] += from;
    upc_barrier;
    for (long k = 0; k < n; k++) {
        long sum = 0;
        for (long from = 0; from < 12; from++)
            for (long to = n; to > n - 12 && to > from; to -= 3)
                sum += k >= from && k < to ? from : 0;
        EQ(p[k], sum);
    }
    /* Begins inside a block of another thread: the elements of p + 7 are elsewhere. */
    shared [5] long *q = p + 7;
    upc_barrier;
    upc_forall (long k = 0; k < n - 7; k++; &q[k])
        q[k] = MYTHREAD;
    upc_barrier;
    for (long k = 7; k < n; k++)
        EQ(p[k], owner_of(k, 5));
    upc_all_free(p);
}

/* Elements of others, with indices that are own elements */
#define LISTED (7 * 100 * THREADS)
static shared [7] int places[LISTED];
static shared [7] long listed[LISTED];
static shared long looked_up[LISTED];

static void check_indices(void)
{
    upc_forall (int i = 0; i < LISTED; i++; i) {
        places[i] = (int)((i * 37L + 5) % LISTED);
        looked_up[i] = 3 * i;
        listed[i] = 0;
    }
    upc_barrier;
    upc_forall (int i = 2; i < LISTED - 3; i++; &listed[i])
        listed[i] += looked_up[places[i]];
    upc_barrier;
    upc_forall (int i = 0; i < LISTED; i++; &listed[i])
        EQ(listed[i], i >= 2 && i < LISTED - 3 ? 3 * ((i * 37L + 5) % LISTED) : 0);
}

int main(void)
{
    check1();
    check2();
    check5();
    check16();
    for (int is_all = 0; is_all < 2; is_all++) {
        check_whole1(is_all);
        check_whole2(is_all);
        check_whole5(is_all);
        check_whole16(is_all);
    }
    check_numbers();
    check_nested();
    check_indices();
    return finish();
}
