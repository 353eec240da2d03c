// Facts 3.1: bupc_all_reduce_allT: the result is on every thread, for all types and operations, in blocks of several
// sizes.
#include <upc_relaxed.h>

#include <bupc_reduce.h>

#include "check.h"

enum { COUNT = 37 };

/* Returns the right operand: associative, and reveals the order. */
#define DEFINE_TEST(X, T, VALUE, HAS_BITS)                                                                        \
    static shared T result_##X[THREADS];                                                                          \
    static T right_##X(T a, T b)                                                                                  \
    {                                                                                                             \
        (void)a;                                                                                                  \
        return b;                                                                                                 \
    }                                                                                                             \
                                                                                                                  \
    static T value_##X(int i)                                                                                     \
    {                                                                                                             \
        return (T)(VALUE);                                                                                        \
    }                                                                                                             \
                                                                                                                  \
    static T step_##X(upc_op_t op, T a, T b)                                                                      \
    {                                                                                                             \
        switch (op) {                                                                                             \
        case UPC_ADD: return (T)(a + b);                                                                          \
        case UPC_MIN: return a < b ? a : b;                                                                       \
        case UPC_MAX: return a > b ? a : b;                                                                       \
        case UPC_LOGAND: return (T)(a && b);                                                                      \
        case UPC_LOGOR: return (T)(a || b);                                                                       \
        case UPC_AND: return (T)((long)a & (long)b);                                                              \
        case UPC_OR: return (T)((long)a | (long)b);                                                               \
        case UPC_XOR: return (T)((long)a ^ (long)b);                                                              \
        default: return b;                                                                                        \
        }                                                                                                         \
    }                                                                                                             \
                                                                                                                  \
    static void test_##X(size_t block)                                                                            \
    {                                                                                                             \
        shared T *data = (shared T *)upc_all_alloc((COUNT + block - 1) / block, block * sizeof(T));               \
        for (int i = 0; i < COUNT; i++) {                                                                         \
            size_t nth = (size_t)i / block, thread = nth % (size_t)THREADS;                                       \
            if (thread == (size_t)MYTHREAD)                                                                       \
                ((T *)(data + thread))[nth / (size_t)THREADS * block + (size_t)i % block] = value_##X(i);         \
        }                                                                                                         \
        for (int bit = 0; bit <= 17; bit++) {                                                                     \
            upc_op_t op = 1UL << bit;                                                                             \
            if ((bit > 8 && bit < 17) || op == UPC_MULT || (!HAS_BITS && (op & (UPC_AND | UPC_OR | UPC_XOR))))    \
                continue;                                                                                         \
            T expected = value_##X(0);                                                                            \
            for (int i = 1; i < COUNT; i++)                                                                       \
                expected = step_##X(op, expected, value_##X(i));                                                  \
            bupc_all_reduce_all##X(result_##X, data, op, COUNT, block, right_##X, 0);                             \
            CHECK(result_##X[MYTHREAD] == expected);                                                              \
        }                                                                                                         \
        upc_all_free(data);                                                                                       \
    }

DEFINE_TEST(C, signed char, i % 5 - 2, 1)
DEFINE_TEST(UC, unsigned char, i % 5 + 1, 1)
DEFINE_TEST(S, short, i % 50 - 20, 1)
DEFINE_TEST(US, unsigned short, i + 1, 1)
DEFINE_TEST(I, int, i * 3 - 20, 1)
DEFINE_TEST(UI, unsigned, i + 7u, 1)
DEFINE_TEST(L, long, i * 1000003L - 5, 1)
DEFINE_TEST(UL, unsigned long, i + 1ul, 1)
DEFINE_TEST(F, float, i % 4 + 0.5f, 0)
DEFINE_TEST(D, double, i % 8 - 0.25, 0)
DEFINE_TEST(LD, long double, i % 3 + 1.0L, 0)

int main(void)
{
    const size_t blocks[] = {1, 2, 5, COUNT};
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) {
        test_C(blocks[i]);
        test_UC(blocks[i]);
        test_S(blocks[i]);
        test_US(blocks[i]);
        test_I(blocks[i]);
        test_UI(blocks[i]);
        test_L(blocks[i]);
        test_UL(blocks[i]);
        test_F(blocks[i]);
        test_D(blocks[i]);
        test_LD(blocks[i]);
    }
    return finish();
}
