/* Operations on numbers, for transfers that combine */
#include "threads/types.h"

#include <string.h>

/* Sums and products of integers are modulo a power of two; WIDE avoids overflow that is undefined in C. */
#define LOOP(T, expression)                                                                                            \
    for (size_t i = 0; i < count; i++) {                                                                               \
        T a, b, c;                                                                                                     \
        memcpy(&a, to + i * sizeof a, sizeof a);                                                                       \
        memcpy(&b, from + i * sizeof b, sizeof b);                                                                     \
        c = (T)(expression);                                                                                           \
        memcpy(to + i * sizeof c, &c, sizeof c);                                                                       \
    }                                                                                                                  \
    return true

#define ARITHMETIC(T, WIDE)                                                                                            \
    case BN_OP_MAX: LOOP(T, a > b ? a : b);                                                                            \
    case BN_OP_MIN: LOOP(T, a < b ? a : b);                                                                            \
    case BN_OP_SUM: LOOP(T, (WIDE)a + (WIDE)b);                                                                        \
    case BN_OP_PROD: LOOP(T, (WIDE)a *(WIDE)b);

#define INTEGER(NAME, T)                                                                                               \
    static bool combine_##NAME(enum bn_op op, unsigned char *to, const unsigned char *from, size_t count)              \
    {                                                                                                                  \
        switch (op) {                                                                                                  \
            ARITHMETIC(T, uint64_t)                                                                                    \
        case BN_OP_LAND: LOOP(T, a &&b);                                                                               \
        case BN_OP_BAND: LOOP(T, a &b);                                                                                \
        case BN_OP_LOR: LOOP(T, a || b);                                                                               \
        case BN_OP_BOR: LOOP(T, a | b);                                                                                \
        case BN_OP_LXOR: LOOP(T, !a != !b);                                                                            \
        case BN_OP_BXOR: LOOP(T, a ^ b);                                                                               \
        default: return false;                                                                                         \
        }                                                                                                              \
    }

#define FLOATING(NAME, T)                                                                                              \
    static bool combine_##NAME(enum bn_op op, unsigned char *to, const unsigned char *from, size_t count)              \
    {                                                                                                                  \
        switch (op) {                                                                                                  \
            ARITHMETIC(T, T)                                                                                           \
        default: return false;                                                                                         \
        }                                                                                                              \
    }

INTEGER(i8, int8_t)
INTEGER(i16, int16_t)
INTEGER(i32, int32_t)
INTEGER(i64, int64_t)
INTEGER(u8, uint8_t)
INTEGER(u16, uint16_t)
INTEGER(u32, uint32_t)
INTEGER(u64, uint64_t)
FLOATING(f32, float)
FLOATING(f64, double)

bool bn_combine(enum bn_op op, enum bn_number number, void *to, const void *from, size_t count)
{
    switch (number) {
    case BN_NUMBER_I8: return combine_i8(op, to, from, count);
    case BN_NUMBER_I16: return combine_i16(op, to, from, count);
    case BN_NUMBER_I32: return combine_i32(op, to, from, count);
    case BN_NUMBER_I64: return combine_i64(op, to, from, count);
    case BN_NUMBER_U8: return combine_u8(op, to, from, count);
    case BN_NUMBER_U16: return combine_u16(op, to, from, count);
    case BN_NUMBER_U32: return combine_u32(op, to, from, count);
    case BN_NUMBER_U64: return combine_u64(op, to, from, count);
    case BN_NUMBER_F32: return combine_f32(op, to, from, count);
    case BN_NUMBER_F64: return combine_f64(op, to, from, count);
    default: return false;
    }
}
