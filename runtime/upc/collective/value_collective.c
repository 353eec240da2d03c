/*
 * value_collective.c: collectives on private values: each thread shows its value (exchange.h), then takes the values
 * that it needs from the others.
 */
#include "upc/collective/value_collective.h"

#include "profile/span.h"
#include "upc/collective/exchange.h"
#include "upc/collective/reduce_op.h"
#include "upc/context.h"
#include "upc/fatal.h"

#include <string.h>

static void check_thread(const char *function, const char *what, int thread)
{
    if (thread < 0 || thread >= bn_context.thread_count)
        bn_upc_fatal(function, "%s is %d; it must be a thread, 0 to %d", what, thread, bn_context.thread_count - 1);
}

void *bn_value_broadcast(void *result, const void *value, size_t size_bytes, int root)
{
    BN_SPAN(BN_PROFILE_VALUES, size_bytes, BN_NOBODY, BN_NOBODY);
    check_thread("bupc_allv_broadcast", "the root", root);
    bn_exchange_show("bupc_allv_broadcast", value, bn_context.thread == root ? size_bytes : 0);
    memcpy(result, bn_exchange_shown(root, size_bytes), size_bytes);
    return result;
}

/* Takes the values of all threads; array may be null for a thread that does not need them. */
static void take_all(void *array, size_t size_bytes)
{
    for (int thread = 0; array && thread < bn_context.thread_count; thread++)
        memcpy((unsigned char *)array + (size_t)thread * size_bytes, bn_exchange_shown(thread, size_bytes), size_bytes);
}

void *bn_value_gather(void *array, const void *value, size_t size_bytes, int root)
{
    BN_SPAN(BN_PROFILE_VALUES, size_bytes, BN_NOBODY, BN_NOBODY);
    check_thread("bupc_allv_gather", "the root", root);
    bn_exchange_show("bupc_allv_gather", value, size_bytes);
    if (bn_context.thread == root)
        take_all(array, size_bytes);
    return array;
}

void *bn_value_gather_all(void *array, const void *value, size_t size_bytes)
{
    BN_SPAN(BN_PROFILE_VALUES, size_bytes, BN_NOBODY, BN_NOBODY);
    bn_exchange_show("bupc_allv_gather_all", value, size_bytes);
    take_all(array, size_bytes);
    return array;
}

void *bn_value_scatter(void *result, const void *array, size_t size_bytes, int root)
{
    BN_SPAN(BN_PROFILE_VALUES, size_bytes, BN_NOBODY, BN_NOBODY);
    check_thread("bupc_allv_scatter", "the root", root);
    size_t array_bytes = size_bytes * (size_t)bn_context.thread_count;
    if (bn_context.thread == root && !array)
        bn_upc_fatal("bupc_allv_scatter",
                     "the array is a null pointer on thread %d, the root, whose values all threads get", root);
    bn_exchange_show("bupc_allv_scatter", array, bn_context.thread == root ? array_bytes : 0);
    const unsigned char *shown = bn_exchange_shown(root, array_bytes);
    memcpy(result, shown + (size_t)bn_context.thread * size_bytes, size_bytes);
    return result;
}

void *bn_value_permute(void *result, const void *value, size_t size_bytes, int to_thread)
{
    BN_SPAN(BN_PROFILE_VALUES, size_bytes, BN_NOBODY, BN_NOBODY);
    check_thread("bupc_allv_permute", "the thread that gets the value", to_thread);
    /* First exchanges the receivers, then the values; usually both fit into their places. */
    int from = -1;
    bn_exchange_show("bupc_allv_permute", &to_thread, sizeof to_thread);
    for (int thread = 0; thread < bn_context.thread_count; thread++) {
        int to;
        memcpy(&to, bn_exchange_shown(thread, sizeof to), sizeof to);
        if (to == bn_context.thread)
            from = thread;
    }
    if (from < 0)
        bn_upc_fatal("bupc_allv_permute", "no thread sends to this one; the threads must send to different ones");
    bn_exchange_show("bupc_allv_permute", value, size_bytes);
    memcpy(result, bn_exchange_shown(from, size_bytes), size_bytes);
    return result;
}

/* ---- Reductions.  Integers are computed with 64 bits and truncated: the lower bits do not depend on the upper ones.
 * ---- */

/* Kinds of types, as passed by <bupc_collectivev.h> */
enum kind { KIND_UNSIGNED, KIND_SIGNED, KIND_FLOATING };

#define ARITHMETIC_STEPS(T)                                                                                            \
    case OP_LOGAND: return (T)(a != 0 && b != 0);                                                                      \
    case OP_LOGOR: return (T)(a != 0 || b != 0);                                                                       \
    case OP_MIN: return b < a ? b : a;                                                                                 \
    case OP_MAX: return b > a ? b : a;

#define DEFINE_INTEGER_STEP(NAME, T)                                                                                   \
    static T step_##NAME(unsigned long op, T a, T b)                                                                   \
    {                                                                                                                  \
        switch (op) {                                                                                                  \
        case OP_ADD: return (T)((uint64_t)a + (uint64_t)b);                                                            \
        case OP_MULT: return (T)((uint64_t)a * (uint64_t)b);                                                           \
        case OP_AND: return a & b;                                                                                     \
        case OP_OR: return a | b;                                                                                      \
        case OP_XOR: return a ^ b; ARITHMETIC_STEPS(T)                                                                 \
        default: return 0;                                                                                             \
        }                                                                                                              \
    }

#define DEFINE_FLOATING_STEP(T)                                                                                        \
    static T step_##T(unsigned long op, T a, T b)                                                                      \
    {                                                                                                                  \
        switch (op) {                                                                                                  \
        case OP_ADD: return a + b;                                                                                     \
        case OP_MULT: return a * b; ARITHMETIC_STEPS(T)                                                                \
        default: return 0;                                                                                             \
        }                                                                                                              \
    }

DEFINE_INTEGER_STEP(signed, int64_t)
DEFINE_INTEGER_STEP(unsigned, uint64_t)
DEFINE_FLOATING_STEP(float)
DEFINE_FLOATING_STEP(double)

static uint64_t load_unsigned(const void *value, size_t size_bytes)
{
    uint64_t wide = 0;
    memcpy(&wide, value, size_bytes);
    return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? wide : wide >> (8 * (sizeof wide - size_bytes));
}

static int64_t load_signed(const void *value, size_t size_bytes)
{
    unsigned unused_bits = (unsigned)(8 * (sizeof(uint64_t) - size_bytes));
    return (int64_t)(load_unsigned(value, size_bytes) << unused_bits) >> unused_bits;
}

static void store(void *result, uint64_t value, size_t size_bytes)
{
    if (__BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__)
        value <<= 8 * (sizeof value - size_bytes);
    memcpy(result, &value, size_bytes);
}

static float load_float(const void *value)
{
    float number;
    memcpy(&number, value, sizeof number);
    return number;
}

static double load_double(const void *value)
{
    double number;
    memcpy(&number, value, sizeof number);
    return number;
}

/* *result = *result op *value */
static void combine(void *result, const void *value, size_t size_bytes, int kind, unsigned long op)
{
    if (kind == KIND_UNSIGNED) {
        store(result, step_unsigned(op, load_unsigned(result, size_bytes), load_unsigned(value, size_bytes)),
              size_bytes);
    } else if (kind == KIND_SIGNED) {
        int64_t number = step_signed(op, load_signed(result, size_bytes), load_signed(value, size_bytes));
        store(result, (uint64_t)number, size_bytes);
    } else if (size_bytes == sizeof(float)) {
        float number = step_float(op, load_float(result), load_float(value));
        memcpy(result, &number, sizeof number);
    } else {
        double number = step_double(op, load_double(result), load_double(value));
        memcpy(result, &number, sizeof number);
    }
}

static void check_reduction(const char *function, size_t size_bytes, int kind, unsigned long op)
{
    unsigned long ops = OP_ADD | OP_MULT | OP_LOGAND | OP_LOGOR | OP_MIN | OP_MAX |
                        (kind == KIND_FLOATING ? 0 : OP_AND | OP_OR | OP_XOR);
    if (size_bytes > sizeof(uint64_t))
        bn_upc_fatal(function, "the type has %zu bytes; integers up to 8 bytes, float and double can be reduced",
                     size_bytes);
    if (!(op & ops) || (op & (op - 1)) != 0)
        bn_upc_fatal(function, "the operation 0x%lx is not defined for the type", op);
}

static void combine_first(void *result, int thread_count, size_t size_bytes, int kind, unsigned long op)
{
    memcpy(result, bn_exchange_shown(0, size_bytes), size_bytes);
    for (int thread = 1; thread < thread_count; thread++)
        combine(result, bn_exchange_shown(thread, size_bytes), size_bytes, kind, op);
}

void *bn_value_reduce(void *result, const void *value, size_t size_bytes, int kind, int root, unsigned long op)
{
    BN_SPAN(BN_PROFILE_VALUES, size_bytes, BN_NOBODY, BN_NOBODY);
    if (root != -1)
        check_thread("bupc_allv_reduce", "the root", root);
    check_reduction("bupc_allv_reduce", size_bytes, kind, op);
    bn_exchange_show("bupc_allv_reduce", value, size_bytes);
    if (root == -1 || root == bn_context.thread)
        combine_first(result, bn_context.thread_count, size_bytes, kind, op);
    else
        memset(result, 0, size_bytes);
    return result;
}

void *bn_value_prefix_reduce(void *result, const void *value, size_t size_bytes, int kind, unsigned long op)
{
    BN_SPAN(BN_PROFILE_VALUES, size_bytes, BN_NOBODY, BN_NOBODY);
    check_reduction("bupc_allv_prefix_reduce", size_bytes, kind, op);
    bn_exchange_show("bupc_allv_prefix_reduce", value, size_bytes);
    combine_first(result, bn_context.thread + 1, size_bytes, kind, op);
    return result;
}
