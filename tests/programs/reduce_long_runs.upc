// Clause: upc_all_reduceT of long runs, every type and operation, from any offset, as the sequential loop (facts 2.5)
// needs: __UPC_COLLECTIVE__
#include "coll_data.h"

// Blocks so long that each thread folds many adjacent elements; counts around multiples of the number folded at a time.
enum { BLOCK = 700 };

static const size_t counts[] = {1, 2, 255, 256, 257, 383, 384, 511, 512, 513, 700, 1400, 2100};
enum { COUNTS = sizeof counts / sizeof *counts };

// Small values, so that floating sums and products of them are exact in any order; some are zero
static int value_at(size_t i, int round, upc_op_t op)
{
    if (op == UPC_MULT)
        return i % 97 == (size_t)round % 97 ? 2 : 1;
    return (int)((i * 37 + (size_t)round * 11) % 5) - (op == UPC_ADD ? 2 : op == UPC_LOGAND ? 7 : 0);
}

#define STEP(T, op, a, b)                                                                            \
    ((op) == UPC_ADD ? (T)((a) + (b)) : (op) == UPC_MULT ? (T)((a) * (b))                            \
     : (op) == UPC_LOGAND ? (T)((a) && (b)) : (op) == UPC_LOGOR ? (T)((a) || (b))                    \
     : (op) == UPC_MIN ? ((a) < (b) ? (a) : (b)) : ((a) > (b) ? (a) : (b)))

#define BIT_STEP(T, op, a, b)                                                                        \
    ((op) == UPC_AND ? (T)((a) & (b)) : (op) == UPC_OR ? (T)((a) | (b)) : (T)((a) ^ (b)))

static const upc_op_t arithmetic[] = {UPC_ADD, UPC_MULT, UPC_LOGAND, UPC_LOGOR, UPC_MIN, UPC_MAX};
static const upc_op_t bitwise[] = {UPC_AND, UPC_OR, UPC_XOR};

#define TRY(SUFFIX, T, OPS, STEP_OF)                                                                 \
    for (size_t o = 0; o < sizeof OPS / sizeof *OPS; o++)                                            \
        for (int c = 0; c < COUNTS; c++) {                                                           \
            upc_op_t op = OPS[o];                                                                    \
            size_t first = (size_t)(c * 5 % 7), count = counts[c];                                   \
            T expected = 0;                                                                          \
            for (size_t i = 0; i < count; i++) {                                                     \
                T value = (T)value_at(i, c, op);                                                     \
                if (upc_threadof(&array_##SUFFIX[first + i]) == (size_t)MYTHREAD)                    \
                    array_##SUFFIX[first + i] = value;                                               \
                expected = i == 0 ? value : STEP_OF(T, op, expected, value);                         \
            }                                                                                        \
            upc_barrier;                                                                             \
            upc_all_reduce##SUFFIX(&result_##SUFFIX, &array_##SUFFIX[first], op, count, BLOCK, NULL, \
                                   UPC_IN_MYSYNC | UPC_OUT_ALLSYNC);                                 \
            if (result_##SUFFIX != expected)                                                         \
                EQ(o * 100 + (size_t)c, 100000);                                                     \
            upc_barrier;                                                                             \
        }

#define TYPES(X)                                                                                     \
    X(C, signed char) X(UC, unsigned char) X(S, short) X(US, unsigned short) X(I, int) X(UI, unsigned) X(L, long) \
    X(UL, unsigned long)
#define FLOATING_TYPES(X) X(F, float) X(D, double) X(LD, long double)

#define DECLARE(SUFFIX, T)                               \
    static shared [BLOCK] T array_##SUFFIX[4 * BLOCK * THREADS]; \
    static shared T result_##SUFFIX;
TYPES(DECLARE)
FLOATING_TYPES(DECLARE)

#define TRY_ARITHMETIC(SUFFIX, T) TRY(SUFFIX, T, arithmetic, STEP)
#define TRY_BITWISE(SUFFIX, T) TRY(SUFFIX, T, bitwise, BIT_STEP)

int main(void)
{
    TYPES(TRY_ARITHMETIC)
    TYPES(TRY_BITWISE)
    FLOATING_TYPES(TRY_ARITHMETIC)
    return finish();
}
