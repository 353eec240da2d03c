// Facts 3.1: bupc_atomicX for all types and operations, strict, relaxed and private, against plain C; sums of all
// threads.
#include <upc_relaxed.h>

#include <bupc_atomic.h>

#include "check.h"

enum { ROUNDS = FAR_TIMES(2000, 100) };

#define TEST_OPERATIONS(X, T, RS, POINTER)                                              \
    for (size_t i = 0; i < 5 * 5 * 5; i += FAR_TIMES(1, 7)) {                           \
        T old = values[i % 5], a = values[i / 5 % 5], b = values[i / 25];               \
        *cell = old;                                                                    \
        EQ(bupc_atomic##X##_read_##RS(POINTER), old);                                   \
        EQ(bupc_atomic##X##_swap_##RS(POINTER, a), old);                                \
        EQ(*cell, a);                                                                   \
        bupc_atomic##X##_set_##RS(POINTER, old);                                        \
        EQ(*cell, old);                                                                 \
        EQ(bupc_atomic##X##_cswap_##RS(POINTER, a, b), old);                            \
        EQ(*cell, old == a ? b : old);                                                  \
        *cell = old;                                                                    \
        EQ(bupc_atomic##X##_mswap_##RS(POINTER, a, b), old);                            \
        EQ(*cell, (T)((old & ~a) | (b & a)));                                           \
        *cell = old;                                                                    \
        EQ(bupc_atomic##X##_fetchadd_##RS(POINTER, a), old);                            \
        EQ(*cell, (T)((unsigned long)old + (unsigned long)a));                          \
        *cell = old;                                                                    \
        EQ(bupc_atomic##X##_fetchand_##RS(POINTER, a), old);                            \
        EQ(*cell, (T)(old & a));                                                        \
        *cell = old;                                                                    \
        EQ(bupc_atomic##X##_fetchor_##RS(POINTER, a), old);                             \
        EQ(*cell, (T)(old | a));                                                        \
        *cell = old;                                                                    \
        EQ(bupc_atomic##X##_fetchxor_##RS(POINTER, a), old);                            \
        EQ(*cell, (T)(old ^ a));                                                        \
        *cell = old;                                                                    \
        EQ(bupc_atomic##X##_fetchnot_##RS(POINTER), old);                               \
        EQ(*cell, (T)~old);                                                             \
    }

#define DEFINE_TEST(X, T)                                                               \
    static shared T cells_##X[THREADS], sum_##X;                                        \
    static void test_##X(void)                                                          \
    {                                                                                   \
        const T values[5] = {0, 1, (T)-1, (T)((T)1 << (sizeof(T) * 8 - 2)), (T)0x12345678}; \
        {                                                                               \
            shared T *cell = &cells_##X[(MYTHREAD + 1) % THREADS];                      \
            TEST_OPERATIONS(X, T, strict, cell)                                         \
            TEST_OPERATIONS(X, T, relaxed, cell)                                        \
        }                                                                               \
        {                                                                               \
            T mine, *cell = &mine;                                                      \
            TEST_OPERATIONS(X, T, private, cell)                                        \
        }                                                                               \
        for (int i = 0; i < ROUNDS; i++) {                                              \
            bupc_atomic##X##_fetchadd_relaxed(&sum_##X, 3);                             \
            bupc_atomic##X##_fetchadd_strict(&sum_##X, (T)-1);                          \
        }                                                                               \
        upc_barrier;                                                                    \
        EQ(bupc_atomic##X##_read_strict(&sum_##X), 2 * ROUNDS * THREADS);               \
    }

DEFINE_TEST(I, int)
DEFINE_TEST(UI, unsigned)
DEFINE_TEST(L, long)
DEFINE_TEST(UL, unsigned long)
DEFINE_TEST(I64, int64_t)
DEFINE_TEST(U64, uint64_t)
DEFINE_TEST(I32, int32_t)
DEFINE_TEST(U32, uint32_t)

int main(void)
{
    test_I();
    test_UI();
    test_L();
    test_UL();
    test_I64();
    test_U64();
    test_I32();
    test_U32();
    return finish();
}
