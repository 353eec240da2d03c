/*
 * reduce_types.c: the loops of reductions, for each type and each operation.
 */
#include "upc/collective/reduce_types.h"

#include "upc/collective/reduce_op.h"
#include "upc/upc_c.h"

#include <string.h>

/* clang-format off */
#define TYPE_OF(T)                                                                                                     \
    _Generic((T)0, int: BN_VALUE_INT, unsigned int: BN_VALUE_UINT, long: BN_VALUE_LONG, unsigned long: BN_VALUE_ULONG, \
             float: BN_VALUE_FLOAT, double: BN_VALUE_DOUBLE, long double: BN_VALUE_LONG_DOUBLE, default: BN_VALUE_OTHER)
/* clang-format on */

/* ---- One step of each operation.  Bitwise operations exist only for integers; for floating types the
 * callers have refused them (reduce.c). ---- */

#define STEP_ADD(T, a, b) ((T)((a) + (b)))
/* Unsigned shorts would be multiplied as int, which can overflow. */
#define STEP_MULT(T, a, b) ((T)(_Generic((T)0, unsigned short: 1u, default: 1) * (a) * (b)))
#define STEP_AND_INTEGER(T, a, b) ((T)((a) & (b)))
#define STEP_OR_INTEGER(T, a, b) ((T)((a) | (b)))
#define STEP_XOR_INTEGER(T, a, b) ((T)((a) ^ (b)))
#define STEP_AND_FLOATING(T, a, b) ((void)(b), (a))
#define STEP_OR_FLOATING(T, a, b) ((void)(b), (a))
#define STEP_XOR_FLOATING(T, a, b) ((void)(b), (a))
#define STEP_LOGAND(T, a, b) ((T)((a) != 0 && (b) != 0))
#define STEP_LOGOR(T, a, b) ((T)((a) != 0 || (b) != 0))
#define STEP_MIN(T, a, b) ((a) < (b) ? (a) : (b))
#define STEP_MAX(T, a, b) ((a) > (b) ? (a) : (b))
#define STEP_FUNC(T, a, b) (func((a), (b)))

/* Runs LOOP(T, step) with the step for op, or FUNC_LOOP for a function of the program; op is tested outside the loop */
#define FOR_OP(LOOP, FUNC_LOOP, T, BITS)                                                                               \
    switch (op) {                                                                                                      \
    case OP_ADD: LOOP(T, STEP_ADD) break;                                                                              \
    case OP_MULT: LOOP(T, STEP_MULT) break;                                                                            \
    case OP_AND: LOOP(T, STEP_AND_##BITS) break;                                                                       \
    case OP_OR: LOOP(T, STEP_OR_##BITS) break;                                                                         \
    case OP_XOR: LOOP(T, STEP_XOR_##BITS) break;                                                                       \
    case OP_LOGAND: LOOP(T, STEP_LOGAND) break;                                                                        \
    case OP_LOGOR: LOOP(T, STEP_LOGOR) break;                                                                          \
    case OP_MIN: LOOP(T, STEP_MIN) break;                                                                              \
    case OP_MAX: LOOP(T, STEP_MAX) break;                                                                              \
    default: FUNC_LOOP(T, STEP_FUNC) break;                                                                            \
    }

/*
 * Number of values that are folded in parallel, so that the back end can vectorise and an addition need not wait for
 * the previous one: two cache lines of values.  Long double has no vectors, and only eight registers.
 */
#define LANES(T) (sizeof(T) <= sizeof(double) ? 128 / (int)sizeof(T) : 2)

#define FOLD_LOOP(T, STEP)                                                                                             \
    if (count >= 2 * LANES(T)) {                                                                                       \
        T lanes[LANES(T)];                                                                                             \
        memcpy(lanes, elems, sizeof lanes);                                                                            \
        for (i = LANES(T); i + LANES(T) <= count; i += LANES(T)) {                                                     \
            for (int lane = 0; lane < LANES(T); lane++)                                                                \
                lanes[lane] = STEP(T, lanes[lane], elems[i + (size_t)lane]);                                           \
        }                                                                                                              \
        for (int lane = 0; lane < LANES(T); lane++)                                                                    \
            value = STEP(T, value, lanes[lane]);                                                                       \
    }                                                                                                                  \
    for (; i < count; i++)                                                                                             \
        value = STEP(T, value, elems[i]);

/* In sequence: a function of the program may not commute */
#define FOLD_IN_ORDER_LOOP(T, STEP)                                                                                    \
    for (; i < count; i++)                                                                                             \
        value = STEP(T, value, elems[i]);

/* Several steps a turn, since a turn of so few instructions takes twice as long where it crosses a cache line. */
#define SCAN_LOOP(T, STEP)                                                                                             \
    _Pragma("GCC unroll 4") for (size_t i = 0; i < count; i++)                                                         \
    {                                                                                                                  \
        value = STEP(T, value, elems[i]);                                                                              \
        out[i] = value;                                                                                                \
    }

enum { HAS_BITS_INTEGER = true, HAS_BITS_FLOATING = false };

#define DEFINE_TYPE(SUFFIX, T, BITS)                                                                                   \
    static T fold_##SUFFIX(T value, const T *elems, size_t count, unsigned long op, T (*func)(T, T))                   \
    {                                                                                                                  \
        size_t i = 0;                                                                                                  \
        FOR_OP(FOLD_LOOP, FOLD_IN_ORDER_LOOP, T, BITS)                                                                 \
        return value;                                                                                                  \
    }                                                                                                                  \
                                                                                                                       \
    static T scan_##SUFFIX(T value, T *out, const T *elems, size_t count, unsigned long op, T (*func)(T, T))           \
    {                                                                                                                  \
        FOR_OP(SCAN_LOOP, SCAN_LOOP, T, BITS)                                                                          \
        return value;                                                                                                  \
    }                                                                                                                  \
                                                                                                                       \
    static void add_run_##SUFFIX(struct bn_fold *fold, struct bn_elem_run run)                                         \
    {                                                                                                                  \
        T *value = fold->value;                                                                                        \
        const T *elems = (const T *)run.address;                                                                       \
        size_t skip = fold->is_given ? 0 : 1;                                                                          \
        if (run.elem_count == 0)                                                                                       \
            return;                                                                                                    \
        if (!fold->is_given)                                                                                           \
            *value = elems[0];                                                                                         \
        fold->is_given = true;                                                                                         \
        *value = fold_##SUFFIX(*value, elems + skip, run.elem_count - skip, fold->op, (T(*)(T, T))fold->func);         \
    }                                                                                                                  \
                                                                                                                       \
    static void scan_run_##SUFFIX(struct bn_fold *fold, struct bn_elem_run run, void *out)                             \
    {                                                                                                                  \
        T *value = fold->value;                                                                                        \
        T *to = out;                                                                                                   \
        const T *elems = (const T *)run.address;                                                                       \
        size_t done = fold->is_given ? 0 : 1;                                                                          \
        if (!fold->is_given)                                                                                           \
            to[0] = *value = elems[0];                                                                                 \
        fold->is_given = true;                                                                                         \
        *value =                                                                                                       \
            scan_##SUFFIX(*value, to + done, elems + done, run.elem_count - done, fold->op, (T(*)(T, T))fold->func);   \
    }                                                                                                                  \
                                                                                                                       \
    static void combine_##SUFFIX(void *left, const void *right, const struct bn_fold *fold)                            \
    {                                                                                                                  \
        T *value = left;                                                                                               \
        *value = fold_##SUFFIX(*value, right, 1, fold->op, (T(*)(T, T))fold->func);                                    \
    }                                                                                                                  \
                                                                                                                       \
    const struct bn_reduce_type bn_reduce_type_##SUFFIX = {                                                            \
        .size_bytes = sizeof(T),                                                                                       \
        .value_type = TYPE_OF(T),                                                                                      \
        .has_bits = HAS_BITS_##BITS,                                                                                   \
        .combine = combine_##SUFFIX,                                                                                   \
        .steps = {add_run_##SUFFIX, scan_run_##SUFFIX},                                                                \
    };

#define DEFINE_INTEGER(SUFFIX, T) DEFINE_TYPE(SUFFIX, T, INTEGER)
#define DEFINE_FLOATING(SUFFIX, T) DEFINE_TYPE(SUFFIX, T, FLOATING)
BN_REDUCE_INTEGER_TYPES(DEFINE_INTEGER)
BN_REDUCE_FLOATING_TYPES(DEFINE_FLOATING)
