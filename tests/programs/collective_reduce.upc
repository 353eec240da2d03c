// Clause: upc_all_reduceT and upc_all_prefix_reduceT: every type and operation, block sizes and phases (facts 2.5,
// gotcha 45)
// needs: __UPC_COLLECTIVE__
#include "coll_data.h"

enum { LENGTH = 40 };

/* Values small enough for products in every type */
#define VALUE(i) ((i) % 5 == 0 ? 2 : (i) % 3 == 0 ? 0 : 1)

#define OPERATE(op, a, b)                     \
    ((op) == UPC_ADD      ? (a) + (b)         \
     : (op) == UPC_MULT   ? (a) * (b)         \
     : (op) == UPC_LOGAND ? ((a) && (b))      \
     : (op) == UPC_LOGOR  ? ((a) || (b))      \
     : (op) == UPC_MIN    ? ((a) < (b) ? (a) : (b)) \
                          : ((a) > (b) ? (a) : (b)))

#define BITWISE(op, a, b) ((op) == UPC_AND ? ((a) & (b)) : (op) == UPC_OR ? ((a) | (b)) : ((a) ^ (b)))

#define TEST(T, TYPE, B)                                                                                     \
    static shared [B] TYPE src_##T##_##B[LENGTH * THREADS], prefix_##T##_##B[LENGTH * THREADS];              \
    static shared TYPE result_##T##_##B[THREADS];                                                            \
    static TYPE user_##T##_##B(TYPE a, TYPE b)                                                               \
    {                                                                                                        \
        return (TYPE)(a + b);                                                                                \
    }                                                                                                        \
    static void check_##T##_##B(size_t first, size_t n, upc_op_t op, TYPE (*combine)(TYPE, TYPE, upc_op_t),            \
                                upc_flag_t flags)                                                                      \
    {                                                                                                        \
        int i, where = (int)(n % (size_t)THREADS);                                                           \
        upc_barrier;                                                                                         \
        upc_forall (i = 0; i < LENGTH * THREADS; i++; &src_##T##_##B[i]) {                                   \
            src_##T##_##B[i] = (TYPE)VALUE(i);                                                               \
            prefix_##T##_##B[i] = 77;                                                                        \
        }                                                                                                    \
        result_##T##_##B[MYTHREAD] = 99;                                                                     \
        upc_barrier;                                                                                         \
        upc_all_reduce##T(&result_##T##_##B[where], &src_##T##_##B[first], op, n, B, user_##T##_##B, flags); \
        upc_all_prefix_reduce##T(&prefix_##T##_##B[first], &src_##T##_##B[first], op, n, B, user_##T##_##B, flags); \
        upc_barrier;                                                                                         \
        TYPE expected = (TYPE)VALUE(first);                                                                  \
        for (size_t k = 0; k < LENGTH * (size_t)THREADS; k++) {                                              \
            if (k > first && k < first + n)                                                                  \
                expected = combine(expected, (TYPE)VALUE(k), op);                                            \
            CHECK(prefix_##T##_##B[k] == (k >= first && k < first + n ? expected : 77));                     \
        }                                                                                                    \
        for (int t = 0; t < THREADS; t++)                                                                    \
            CHECK(result_##T##_##B[t] == (t == where ? expected : 99));                                      \
    }

#define TEST_TYPE(T, TYPE)                                       \
    static TYPE combine_##T(TYPE a, TYPE b, upc_op_t op)         \
    {                                                            \
        if (op == UPC_FUNC || op == UPC_NONCOMM_FUNC)            \
            op = UPC_ADD;                                        \
        return (TYPE)OPERATE(op, a, b);                          \
    }                                                            \
    TEST(T, TYPE, 1)                                             \
    TEST(T, TYPE, 3)                                             \
    static void test_##T(void)                                   \
    {                                                            \
        static const upc_op_t ops[] = {UPC_ADD, UPC_MULT, UPC_LOGAND, UPC_LOGOR, UPC_MIN, UPC_MAX, UPC_FUNC,           \
                                       UPC_NONCOMM_FUNC};                                                              \
        for (size_t k = 0; k < sizeof ops / sizeof *ops; k++) {  \
            check_##T##_1(0, LENGTH * (size_t)THREADS, ops[k], combine_##T, all_flags[k]); \
            check_##T##_1(THREADS - 1, 5, ops[k], combine_##T, all_flags[k + 1]); \
            check_##T##_3(0, LENGTH * (size_t)THREADS - 1, ops[k], combine_##T, 0); \
            check_##T##_3(7, 11, ops[k], combine_##T, all_flags[k]); \
            check_##T##_3(4, 1, ops[k], combine_##T, 0);         \
        }                                                        \
    }

TEST_TYPE(C, signed char)
TEST_TYPE(UC, unsigned char)
TEST_TYPE(S, short)
TEST_TYPE(US, unsigned short)
TEST_TYPE(I, int)
TEST_TYPE(UI, unsigned)
TEST_TYPE(L, long)
TEST_TYPE(UL, unsigned long)
TEST_TYPE(F, float)
TEST_TYPE(D, double)
TEST_TYPE(LD, long double)

static unsigned bitwise(unsigned a, unsigned b, upc_op_t op)
{
    return BITWISE(op, a, b);
}

int main(void)
{
    test_C();
    test_UC();
    test_S();
    test_US();
    test_I();
    test_UI();
    test_L();
    test_UL();
    test_D();
    test_LD();
    /* sums of floats and products of twos stay exact below 2^24; longer products do not */
    if (THREADS <= 2)
        test_F();
    check_UI_3(2, 30, UPC_AND, bitwise, 0);
    check_UI_3(2, 30, UPC_OR, bitwise, 0);
    check_UI_3(2, 30, UPC_XOR, bitwise, 0);
    return finish();
}
