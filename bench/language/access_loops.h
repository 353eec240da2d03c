/*
 * access_loops.h: the loops around one access.  Each macro defines a bench_function; the expressions passed to it can
 * use j, the position in the walk, and ELEMENTS, its length.  Only thread 0 measures.
 *
 * A pass ends with bench_forget_memory, so passes cannot be merged; what a loop reads is added up and compared with the
 * expected sum, and what it wrote is read back.
 */
#ifndef ACCESS_LOOPS_H
#define ACCESS_LOOPS_H

#include "bench.h"

#define SUM_OF_POSITIONS ((long)ELEMENTS * (ELEMENTS - 1) / 2)

/* Adds up all elements, count times. */
#define READ(function, element)                                                                                        \
    static double function(long count)                                                                                 \
    {                                                                                                                  \
        long sum = 0;                                                                                                  \
        if (MYTHREAD != 0)                                                                                             \
            return 0;                                                                                                  \
        for (long j = 0; j < ELEMENTS; j++)                                                                            \
            element = j;                                                                                               \
        double start = bench_cpu_ns();                                                                                 \
        for (long pass = 0; pass < count; pass++) {                                                                    \
            for (long j = 0; j < ELEMENTS; j++)                                                                        \
                sum += element;                                                                                        \
            bench_forget_memory();                                                                                     \
        }                                                                                                              \
        double ns = bench_cpu_ns() - start;                                                                            \
        bench_expect(#function, sum, count *SUM_OF_POSITIONS);                                                         \
        return ns;                                                                                                     \
    }

/* Sets all elements, count times. */
#define WRITE(function, element)                                                                                       \
    static double function(long count)                                                                                 \
    {                                                                                                                  \
        long sum = 0;                                                                                                  \
        if (MYTHREAD != 0)                                                                                             \
            return 0;                                                                                                  \
        double start = bench_cpu_ns();                                                                                 \
        for (long pass = 0; pass < count; pass++) {                                                                    \
            for (long j = 0; j < ELEMENTS; j++)                                                                        \
                element = j + pass;                                                                                    \
            bench_forget_memory();                                                                                     \
        }                                                                                                              \
        double ns = bench_cpu_ns() - start;                                                                            \
        for (long j = 0; j < ELEMENTS; j++)                                                                            \
            sum += element;                                                                                            \
        bench_expect(#function, sum, SUM_OF_POSITIONS + (count - 1) * ELEMENTS);                                       \
        return ns;                                                                                                     \
    }

/* Follows a ring of ELEMENTS indices: the address of each read depends on the read before it. */
#define CHAIN(function, array, first)                                                                                  \
    static double function(long count)                                                                                 \
    {                                                                                                                  \
        long at = first;                                                                                               \
        if (MYTHREAD != 0)                                                                                             \
            return 0;                                                                                                  \
        double start = bench_cpu_ns();                                                                                 \
        for (long step = 0; step < count * ELEMENTS; step++)                                                           \
            at = array[at];                                                                                            \
        double ns = bench_cpu_ns() - start;                                                                            \
        bench_expect(#function, at, first);                                                                            \
        return ns;                                                                                                     \
    }

/* The last thread sets all elements, then thread 0 adds them up; only that is timed.  Collective. */
#define FRESH_READ(function, written, element)                                                                         \
    static double function(long count)                                                                                 \
    {                                                                                                                  \
        double ns = 0;                                                                                                 \
        for (long pass = 0; pass < count; pass++) {                                                                    \
            long sum = 0;                                                                                              \
            for (long j = 0; j < ELEMENTS && MYTHREAD == THREADS - 1; j++)                                             \
                written = j + pass;                                                                                    \
            upc_barrier;                                                                                               \
            if (MYTHREAD == 0) {                                                                                       \
                double start = bench_now_ns();                                                                         \
                for (long j = 0; j < ELEMENTS; j++)                                                                    \
                    sum += element;                                                                                    \
                ns += bench_now_ns() - start;                                                                          \
                bench_expect(#function, sum, SUM_OF_POSITIONS + pass * ELEMENTS);                                      \
            }                                                                                                          \
            upc_barrier;                                                                                               \
        }                                                                                                              \
        return ns;                                                                                                     \
    }

/* The last thread sets all elements, then thread 0 does; only that is timed.  Collective. */
#define FRESH_WRITE(function, written, element)                                                                        \
    static double function(long count)                                                                                 \
    {                                                                                                                  \
        double ns = 0;                                                                                                 \
        for (long pass = 0; pass < count; pass++) {                                                                    \
            long sum = 0;                                                                                              \
            for (long j = 0; j < ELEMENTS && MYTHREAD == THREADS - 1; j++)                                             \
                written = j;                                                                                           \
            upc_barrier;                                                                                               \
            if (MYTHREAD == 0) {                                                                                       \
                double start = bench_now_ns();                                                                         \
                for (long j = 0; j < ELEMENTS; j++)                                                                    \
                    element = j + pass;                                                                                \
                upc_fence;                                                                                             \
                ns += bench_now_ns() - start;                                                                          \
                for (long j = 0; j < ELEMENTS; j++)                                                                    \
                    sum += element;                                                                                    \
                bench_expect(#function, sum, SUM_OF_POSITIONS + pass * ELEMENTS);                                      \
            }                                                                                                          \
            upc_barrier;                                                                                               \
        }                                                                                                              \
        return ns;                                                                                                     \
    }

/*
 * One access that no back end omits or merges with others: strict, volatile or atomic. bench_forget_memory is not
 * called, since it counts as a write, for which a following strict read would have to wait.
 */
#define ACCESS(function, access)                                                                                       \
    static double function(long count)                                                                                 \
    {                                                                                                                  \
        if (MYTHREAD != 0)                                                                                             \
            return 0;                                                                                                  \
        double start = bench_cpu_ns();                                                                                 \
        for (long i = 0; i < count; i++)                                                                               \
            access;                                                                                                    \
        return bench_cpu_ns() - start;                                                                                 \
    }

/* One statement, which can use i, the number of its execution */
#define STATEMENT(function, statement)                                                                                 \
    static double function(long count)                                                                                 \
    {                                                                                                                  \
        if (MYTHREAD != 0)                                                                                             \
            return 0;                                                                                                  \
        double start = bench_cpu_ns();                                                                                 \
        for (long i = 0; i < count; i++) {                                                                             \
            statement;                                                                                                 \
            bench_forget_memory();                                                                                     \
        }                                                                                                              \
        return bench_cpu_ns() - start;                                                                                 \
    }

#endif
