// Facts 2.9: all threads work on one object by random operations of its type, strict and relaxed.  There is an order in
// which one thread could have done them all: each value was left as often as it was entered, but for the first and the
// last.
#include <upc_relaxed.h>

#include "atomics.h"
#include "check.h"

enum { OPERATIONS = FAR_TIMES(400, 100), CELLS = 4 };

static unsigned seed;

static unsigned random_below(unsigned n)
{
    seed = seed * 1664525 + 1013904223;
    return (seed >> 16) % n;
}

static upc_op_t random_operation(upc_op_t ops)
{
    for (;;) {
        upc_op_t op = (upc_op_t)1 << random_below(15);
        if (op & ops)
            return op;
    }
}

#define DEFINE_TEST(NAME, T, U, CODE, OPS)                                                                            \
    static shared T cells_##NAME[CELLS * THREADS];                                                                    \
    static shared [OPERATIONS] T from_##NAME[OPERATIONS * THREADS], to_##NAME[OPERATIONS * THREADS];                  \
                                                                                                                      \
    static int compare_##NAME(const void *a, const void *b)                                                           \
    {                                                                                                                 \
        T x = *(const T *)a, y = *(const T *)b;                                                                       \
        return (x > y) - (x < y);                                                                                     \
    }                                                                                                                 \
                                                                                                                      \
    static void operate_##NAME(upc_atomicdomain_t *domain, shared T *cell)                                            \
    {                                                                                                                 \
        T *from = (T *)&from_##NAME[OPERATIONS * MYTHREAD], *to = (T *)&to_##NAME[OPERATIONS * MYTHREAD];             \
        for (int i = 0; i < OPERATIONS; i++) {                                                                        \
            upc_op_t op = random_operation(OPS);                                                                      \
            T a = (T)(random_below(3) + 1), b = (T)(random_below(5) - 2), old;                                        \
            (random_below(2) ? upc_atomic_strict : upc_atomic_relaxed)(domain, &old, op, cell,                        \
                                                                       uses_operand(op) ? &a : NULL,                  \
                                                                       op == UPC_CSWAP ? &b : NULL);                  \
            from[i] = old;                                                                                            \
            to[i] = model_##NAME(op, old, a, b);                                                                      \
        }                                                                                                             \
    }                                                                                                                 \
                                                                                                                      \
    static void check_##NAME(T first, T last)                                                                         \
    {                                                                                                                 \
        size_t count = (size_t)OPERATIONS * (size_t)THREADS;                                                          \
        T *left = malloc((count + 1) * sizeof(T)), *entered = malloc((count + 1) * sizeof(T));                        \
        for (int t = 0; t < THREADS; t++) {                                                                           \
            upc_memget(left + OPERATIONS * t, &from_##NAME[OPERATIONS * t], OPERATIONS * sizeof(T));                  \
            upc_memget(entered + OPERATIONS * t, &to_##NAME[OPERATIONS * t], OPERATIONS * sizeof(T));                 \
        }                                                                                                             \
        left[count] = last;                                                                                           \
        entered[count] = first;                                                                                       \
        qsort(left, count + 1, sizeof(T), compare_##NAME);                                                            \
        qsort(entered, count + 1, sizeof(T), compare_##NAME);                                                         \
        for (size_t i = 0; i <= count; i++)                                                                           \
            CHECK(left[i] == entered[i]);                                                                             \
        free(left);                                                                                                   \
        free(entered);                                                                                                \
    }                                                                                                                 \
                                                                                                                      \
    static void test_##NAME(void)                                                                                     \
    {                                                                                                                 \
        upc_atomicdomain_t *domain = upc_all_atomicdomain_alloc(CODE, OPS, UPC_ATOMIC_HINT_LATENCY);                  \
        for (int i = 0; i < CELLS; i++) {                                                                             \
            shared T *cell = &cells_##NAME[i * THREADS + i % THREADS];                                                \
            if (MYTHREAD == 0)                                                                                        \
                *cell = (T)i;                                                                                         \
            upc_barrier;                                                                                              \
            operate_##NAME(domain, cell);                                                                             \
            upc_barrier;                                                                                              \
            if (MYTHREAD == i % THREADS)                                                                              \
                check_##NAME((T)i, *cell);                                                                            \
            upc_barrier;                                                                                              \
        }                                                                                                             \
        upc_all_atomicdomain_free(domain);                                                                            \
    }

#define DEFINE_INTEGER(NAME, T, U, CODE)    \
    DEFINE_MODEL(NAME, T, U, WITH_BITS)     \
    DEFINE_TEST(NAME, T, U, CODE, INTEGER_OPS)
#define DEFINE_FLOATING(NAME, T, U, CODE)   \
    DEFINE_MODEL(NAME, T, U, )              \
    DEFINE_TEST(NAME, T, U, CODE, FLOATING_OPS)

ALL_INTEGER_TYPES(DEFINE_INTEGER)
ALL_FLOATING_TYPES(DEFINE_FLOATING)

#define TEST(NAME, T, U, CODE) test_##NAME();

int main(void)
{
    seed = 1000u * (unsigned)MYTHREAD + 17;
    ALL_INTEGER_TYPES(TEST)
    ALL_FLOATING_TYPES(TEST)
    return finish();
}
