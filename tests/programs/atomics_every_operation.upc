// Facts 2.9: each operation on each type, strict and relaxed, with and without fetch, against plain C.
#include <upc_castable.h>
#include <upc_relaxed.h>

#include "atomics.h"
#include "check.h"

/* A cell between two guards that must not change, on each thread */
/* Over a network, 32-bit operations may use a lock. */
#ifdef BN_FAR_THREADS
#define IS_FAST(SIZE, IS) ((IS) || (SIZE) < 8)
#else
#define IS_FAST(SIZE, IS) (IS)
#endif

#define DEFINE_TEST(NAME, T, U, CODE, OPS)                                                                            \
    static shared [3] T cells_##NAME[3 * THREADS];                                                                    \
                                                                                                                      \
    static void try_##NAME(upc_atomicdomain_t *domain, upc_op_t op, T old, T a, T b, int is_strict, int fetches)      \
    {                                                                                                                 \
        int owner = (MYTHREAD + 1) % THREADS; /* nobody else uses that thread's cells */                              \
        shared [3] T *cell = &cells_##NAME[3 * owner + 1];                                                            \
        T fetched = 77, guard = 99;                                                                                   \
        const void *operand1 = uses_operand(op) ? &a : 0, *operand2 = op == UPC_CSWAP ? &b : 0;                       \
        cell[-1] = guard, cell[0] = old, cell[1] = guard;                                                             \
        (is_strict ? upc_atomic_strict : upc_atomic_relaxed)(domain, fetches ? &fetched : 0, op, cell, operand1,      \
                                                             operand2);                                               \
        CHECK(cell[0] == model_##NAME(op, old, a, b));                                                                \
        CHECK(fetched == (fetches ? old : 77));                                                                       \
        CHECK(cell[-1] == guard && cell[1] == guard);                                                                 \
    }                                                                                                                 \
                                                                                                                      \
    static void test_##NAME(const T *values, int count)                                                               \
    {                                                                                                                 \
        upc_atomicdomain_t *domain = upc_all_atomicdomain_alloc(CODE, OPS, UPC_ATOMIC_HINT_DEFAULT);                  \
        CHECK(domain != NULL);                                                                                        \
        /* Where each of them is several messages, each operation gets every 23rd triple of values. */                \
        int step = upc_cast((shared void *)&cells_##NAME[3 * ((MYTHREAD + 1) % THREADS)]) ? 1 : 23;                   \
        int tried = 0;                                                                                                \
        for (upc_op_t op = 1; op <= OPS; op <<= 1) {                                                                  \
            if (!(op & OPS))                                                                                          \
                continue;                                                                                             \
            tried++;                                                                                                  \
            for (int i = tried % step; i < count * count * count; i += step) {                                        \
                T old = values[i % count], a = values[i / count % count], b = values[i / count / count];              \
                for (int is_strict = 0; is_strict < 2; is_strict++) {                                                 \
                    try_##NAME(domain, op, old, a, b, is_strict, 1);                                                  \
                    if (op != UPC_GET)                                                                                \
                        try_##NAME(domain, op, old, a, b, is_strict, 0);                                              \
                }                                                                                                     \
            }                                                                                                         \
        }                                                                                                             \
        EQ(tried, (OPS) == (INTEGER_OPS) ? 13 : 10);                                                                  \
        CHECK(IS_FAST(sizeof(T), upc_atomic_isfast(CODE, OPS, &cells_##NAME[0])));                                    \
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

/* Zero, one, both ends of the range, and a pattern of bits */
#define TEST_INTEGER(NAME, T, U, CODE)                                                            \
    {                                                                                             \
        U top = (U)1 << (sizeof(T) * 8 - 1);                                                      \
        T values[] = {0, 1, (T)-1, (T)top, (T)(top - 1), (T)0x5a5a1234};                          \
        test_##NAME(values, sizeof values / sizeof values[0]);                                    \
    }
#define TEST_FLOATING(NAME, T, U, CODE)                                                           \
    {                                                                                             \
        T values[] = {0, (T)-0.0, 1, (T)-2.5, (T)1e30, (T)1 / 3};                                 \
        test_##NAME(values, sizeof values / sizeof values[0]);                                    \
    }

int main(void)
{
    ALL_INTEGER_TYPES(TEST_INTEGER)
    ALL_FLOATING_TYPES(TEST_FLOATING)

    /* Comparison is by ==, so a negative zero is swapped although a positive one was expected. */
    static shared double zeros[THREADS];
    upc_atomicdomain_t *domain = upc_all_atomicdomain_alloc(UPC_DOUBLE, UPC_CSWAP, UPC_ATMOIC_HINT_THROUGHPUT);
    double plus = 0.0, five = 5.0;
    zeros[MYTHREAD] = -0.0;
    upc_atomic_relaxed(domain, NULL, UPC_CSWAP, &zeros[MYTHREAD], &plus, &five);
    CHECK(zeros[MYTHREAD] == 5.0);
    upc_all_atomicdomain_free(domain);
    upc_all_atomicdomain_free(NULL);
    return finish();
}
