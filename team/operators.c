/* operators.c: loops that the compiler can vectorise, so each consists of one expression. */
#include "team/operators.h"

#include <stdint.h>
#include <string.h>

/* In the expression, a is an element of left and b one of right. */
#define LOOP(name, type, expression)                                                                                   \
    static void name(const void *left, void *right, size_t count, const struct bn_vector *vector)                      \
    {                                                                                                                  \
        const type *from = left;                                                                                       \
        type *to = right;                                                                                              \
        (void)vector;                                                                                                  \
        for (size_t i = 0; i < count; i++) {                                                                           \
            const type a = from[i], b = to[i];                                                                         \
            to[i] = (type)(expression);                                                                                \
        }                                                                                                              \
    }

#define LEAST (a < b ? a : b)
#define MOST (a > b ? a : b)
#define LEAST_OR_NAN (((a < b) | (a != a)) ? a : b)
#define MOST_OR_NAN (((a > b) | (a != a)) ? a : b)

/* Sums and products of signed numbers wrap around, so unsigned ones are used. */
#define OF_UNSIGNED(bits)                                                                                              \
    LOOP(sum_##bits, uint##bits##_t, (uint64_t)a + b)                                                                  \
    LOOP(prod_##bits, uint##bits##_t, (uint64_t)a *b)                                                                  \
    LOOP(and_##bits, uint##bits##_t, a &b)                                                                             \
    LOOP(or_##bits, uint##bits##_t, a | b)                                                                             \
    LOOP(xor_##bits, uint##bits##_t, a ^ b)                                                                            \
    LOOP(min_u##bits, uint##bits##_t, LEAST)                                                                           \
    LOOP(max_u##bits, uint##bits##_t, MOST)                                                                            \
    LOOP(min_i##bits, int##bits##_t, LEAST)                                                                            \
    LOOP(max_i##bits, int##bits##_t, MOST)
OF_UNSIGNED(8)
OF_UNSIGNED(16)
OF_UNSIGNED(32)
OF_UNSIGNED(64)

#define OF_FLOAT(name, type)                                                                                           \
    LOOP(sum_##name, type, a + b)                                                                                      \
    LOOP(prod_##name, type, a *b)                                                                                      \
    LOOP(min_##name, type, LEAST_OR_NAN)                                                                               \
    LOOP(max_##name, type, MOST_OR_NAN)
OF_FLOAT(f32, float)
OF_FLOAT(f64, double)

/* Bytes that are 0 or 1 */
LOOP(min_bool, uint8_t, a &b)
LOOP(max_bool, uint8_t, a | b)

/* ---- 16-bit floats, computed as float ---- */

static inline float float_of_bits(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline uint32_t bits_of_float(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline float float_of_bfloat(uint16_t half)
{
    return float_of_bits((uint32_t)half << 16);
}

/* Rounds to nearest, ties to even; a NaN stays a NaN. */
static inline uint16_t bfloat_of(float value)
{
    uint32_t bits = bits_of_float(value);
    uint32_t rounded = bits + 0x7fff + (bits >> 16 & 1);
    return (uint16_t)((value != value ? bits | 0x400000 : rounded) >> 16);
}

/* Exponents of half are biased by 15, those of float by 127; subnormal numbers take an exact subtraction. */
static inline float float_of_half(uint16_t half)
{
    uint32_t sign = (uint32_t)(half & 0x8000) << 16, rest = (uint32_t)(half & 0x7fff) << 13;
    float normal = float_of_bits(rest + (112U << 23));
    float special = float_of_bits(rest + (224U << 23));
    float subnormal = float_of_bits(rest + (113U << 23)) - float_of_bits(113U << 23);
    float size = rest >= 0x0f800000 ? special : rest < 0x00800000 ? subnormal : normal;
    return float_of_bits(bits_of_float(size) | sign);
}

static inline uint16_t half_of(float value)
{
    uint32_t bits = bits_of_float(value), sign = bits >> 16 & 0x8000, size = bits & 0x7fffffff;
    uint32_t normal = (size + 0xfff + (size >> 13 & 1) - (112U << 23)) >> 13;
    uint32_t subnormal = bits_of_float(float_of_bits(size) + 0.5F) - bits_of_float(0.5F);
    uint32_t half = size < (113U << 23) ? subnormal : normal;
    half = size >= (143U << 23) - 0x1000 ? 0x7c00 : half;
    half = size > 0x7f800000 ? 0x7e00 : half;
    return (uint16_t)(half | sign);
}

#define OF_HALF(name, widen, narrow)                                                                                   \
    static inline uint16_t least_##name(uint16_t a, uint16_t b)                                                        \
    {                                                                                                                  \
        float left = widen(a), right = widen(b);                                                                       \
        return ((left < right) | (left != left)) ? a : b;                                                              \
    }                                                                                                                  \
    static inline uint16_t most_##name(uint16_t a, uint16_t b)                                                         \
    {                                                                                                                  \
        float left = widen(a), right = widen(b);                                                                       \
        return ((left > right) | (left != left)) ? a : b;                                                              \
    }                                                                                                                  \
    LOOP(sum_##name, uint16_t, narrow(widen(a) + widen(b)))                                                            \
    LOOP(prod_##name, uint16_t, narrow(widen(a) * widen(b)))                                                           \
    LOOP(min_##name, uint16_t, least_##name(a, b))                                                                     \
    LOOP(max_##name, uint16_t, most_##name(a, b))
OF_HALF(bf16, float_of_bfloat, bfloat_of)
OF_HALF(f16, float_of_half, half_of)

/* ---- Complex numbers ---- */

/* The textbook formula; C's own multiplication also handles infinities. */
#define OF_COMPLEX(name, type)                                                                                         \
    static void sum_##name(const void *left, void *right, size_t count, const struct bn_vector *vector)                \
    {                                                                                                                  \
        const type *from = left;                                                                                       \
        type *to = right;                                                                                              \
        (void)vector;                                                                                                  \
        for (size_t i = 0; i < 2 * count; i++)                                                                         \
            to[i] = from[i] + to[i];                                                                                   \
    }                                                                                                                  \
    static void prod_##name(const void *left, void *right, size_t count, const struct bn_vector *vector)               \
    {                                                                                                                  \
        const type *from = left;                                                                                       \
        type *to = right;                                                                                              \
        (void)vector;                                                                                                  \
        for (size_t i = 0; i < 2 * count; i += 2) {                                                                    \
            const type real = from[i] * to[i] - from[i + 1] * to[i + 1];                                               \
            to[i + 1] = from[i] * to[i + 1] + from[i + 1] * to[i];                                                     \
            to[i] = real;                                                                                              \
        }                                                                                                              \
    }
OF_COMPLEX(c64, float)
OF_COMPLEX(c128, double)

/* ---- The table ---- */

#define INTEGER(bits, sign)                                                                                            \
    {sum_##bits, prod_##bits, min_##sign##bits, max_##sign##bits, and_##bits, or_##bits, xor_##bits}
#define FLOAT(name) {sum_##name, prod_##name, min_##name, max_##name}

static const bn_combine operators[BANYAN_TYPE_COUNT][BANYAN_OP_COUNT] = {
    [BANYAN_INT8] = INTEGER(8, i),
    [BANYAN_INT16] = INTEGER(16, i),
    [BANYAN_INT32] = INTEGER(32, i),
    [BANYAN_INT64] = INTEGER(64, i),
    [BANYAN_UINT8] = INTEGER(8, u),
    [BANYAN_UINT16] = INTEGER(16, u),
    [BANYAN_UINT32] = INTEGER(32, u),
    [BANYAN_UINT64] = INTEGER(64, u),
    [BANYAN_FLOAT16] = FLOAT(f16),
    [BANYAN_BFLOAT16] = FLOAT(bf16),
    [BANYAN_FLOAT32] = FLOAT(f32),
    [BANYAN_FLOAT64] = FLOAT(f64),
    [BANYAN_COMPLEX64] = {sum_c64, prod_c64},
    [BANYAN_COMPLEX128] = {sum_c128, prod_c128},
    [BANYAN_BOOL] = {max_bool, min_bool, min_bool, max_bool, min_bool, max_bool, xor_8},
};

bn_combine bn_operator(banyan_op op, banyan_type type)
{
    return (unsigned)op < BANYAN_OP_COUNT && (unsigned)type < BANYAN_TYPE_COUNT ? operators[type][op] : NULL;
}

size_t banyan_type_bytes(banyan_type type)
{
    static const unsigned char sizes[BANYAN_TYPE_COUNT] = {1, 2, 4, 8, 1, 2, 4, 8, 2, 2, 4, 8, 8, 16, 1};
    return (unsigned)type < BANYAN_TYPE_COUNT ? sizes[type] : 0;
}
