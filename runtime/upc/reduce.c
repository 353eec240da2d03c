/*
 * reduce.c: upc_all_reduceT and upc_all_prefix_reduceT, for eleven types.
 *
 * Reduce:
 *   1. Each thread reduces a share of the elements: what it holds, if order does not matter; else, and if all elements
 *      lie on one thread, the me-th part of the index range.
 *   2. It shows the partial result to the others; barrier.
 *   3. The thread that holds dst combines the partial results in the order of the threads; for bupc_all_reduce_allT
 *      every thread does.
 * Prefix reduce:
 *   1., 2. as above, always with parts of the index range.
 *   3. Each thread combines the partial results of the threads before it, and goes on from there over its part.
 *
 * The place for partial results is used in turn by odd and even calls: whoever writes there in call k + 2 has passed
 * the barrier of call k + 1, and all threads were done with call k when they came to it.
 */
#include "upc/collective.h"
#include "upc/fatal.h"
#include "upc/reduce_layout.h"
#include "upc/upc_c.h"

#include <string.h>

/* Values of upc_op_t, as in <upc_types.h> and <upc_collective.h> */
enum reduce_op {
    OP_ADD = 1 << 0,
    OP_MULT = 1 << 1,
    OP_AND = 1 << 2,
    OP_OR = 1 << 3,
    OP_XOR = 1 << 4,
    OP_LOGAND = 1 << 5,
    OP_LOGOR = 1 << 6,
    OP_MIN = 1 << 7,
    OP_MAX = 1 << 8,
    OP_FUNC = 1 << 16,
    OP_NONCOMM_FUNC = 1 << 17,
};

struct range {
    size_t first;
    size_t elem_count;
};

/* The part of a thread when the index range is dealt out in order; parts differ by one element at most */
static struct range part_of(size_t elem_count, int thread)
{
    size_t turn = (size_t)thread;
    size_t threads = (size_t)bn_context.thread_count;
    size_t share = elem_count / threads;
    size_t rest = elem_count % threads;
    return (struct range){turn * share + (turn < rest ? turn : rest), share + (turn < rest)};
}

static bool keeps_order(unsigned long op, size_t blk_size)
{
    return op == OP_NONCOMM_FUNC || blk_size == 0;
}

__attribute__((cold)) static void check_op(const char *function, unsigned long op, bool has_bits, bool has_function)
{
    switch (op) {
    case OP_AND:
    case OP_OR:
    case OP_XOR:
        if (!has_bits)
            bn_upc_fatal(function, "UPC_AND, UPC_OR and UPC_XOR are not defined for floating types; choose another "
                                   "operation");
        return;
    case OP_FUNC:
    case OP_NONCOMM_FUNC:
        if (!has_function)
            bn_upc_fatal(function, "UPC_FUNC and UPC_NONCOMM_FUNC need a function; pass one instead of a null pointer");
        return;
    case OP_ADD:
    case OP_MULT:
    case OP_LOGAND:
    case OP_LOGOR:
    case OP_MIN:
    case OP_MAX:
        return;
    default:
        bn_upc_fatal(function,
                     "0x%lx is no operation; pass one of UPC_ADD, UPC_MULT, UPC_AND, UPC_OR, UPC_XOR, UPC_LOGAND, "
                     "UPC_LOGOR, UPC_MIN, UPC_MAX, UPC_FUNC, UPC_NONCOMM_FUNC",
                     op);
    }
}

static struct bn_partial *partial_of(int thread)
{
    return &bn_context.partials[thread];
}

/* ---- One step of each operation.  Integers have bits; floating types do not, and check_op has refused. ---- */

#define STEP_ADD(T, a, b) ((T)((a) + (b)))
#define STEP_MULT(T, a, b) ((T)((a) * (b)))
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

/* LOOP(T, step) for the step that belongs to op; the test for op stands outside of the loop */
#define FOR_OP(LOOP, T, BITS)                                                                                          \
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
    default: LOOP(T, STEP_FUNC) break;                                                                                 \
    }

#define FOLD_LOOP(T, STEP)                                                                                             \
    for (size_t i = 0; i < count; i++)                                                                                 \
        value = STEP(T, value, elems[i]);

#define SCAN_LOOP(T, STEP)                                                                                             \
    for (size_t i = 0; i < count; i++) {                                                                               \
        value = STEP(T, value, elems[i]);                                                                              \
        out[i] = value;                                                                                                \
    }

#define DEFINE_REDUCE(SUFFIX, T, BITS)                                                                                 \
    static T fold_##SUFFIX(T value, const T *elems, size_t count, unsigned long op, T (*func)(T, T))                   \
    {                                                                                                                  \
        FOR_OP(FOLD_LOOP, T, BITS)                                                                                     \
        return value;                                                                                                  \
    }                                                                                                                  \
                                                                                                                       \
    static T scan_##SUFFIX(T value, T *out, const T *elems, size_t count, unsigned long op, T (*func)(T, T))           \
    {                                                                                                                  \
        FOR_OP(SCAN_LOOP, T, BITS)                                                                                     \
        return value;                                                                                                  \
    }                                                                                                                  \
                                                                                                                       \
    static void add_run_##SUFFIX(T *value, bool *is_given, struct bn_run run, unsigned long op, T (*func)(T, T))       \
    {                                                                                                                  \
        const T *elems = (const T *)run.address;                                                                       \
        size_t skip = *is_given ? 0 : 1;                                                                               \
        if (run.elem_count == 0)                                                                                       \
            return;                                                                                                    \
        if (!*is_given)                                                                                                \
            *value = elems[0];                                                                                         \
        *is_given = true;                                                                                              \
        *value = fold_##SUFFIX(*value, elems + skip, run.elem_count - skip, op, func);                                 \
    }                                                                                                                  \
                                                                                                                       \
    /* Steps 1 and 2 */                                                                                                \
    static void show_partial_##SUFFIX(const struct bn_layout *layout, bool in_order, unsigned long op,                 \
                                      T (*func)(T, T))                                                                 \
    {                                                                                                                  \
        T value = 0;                                                                                                   \
        bool is_given = false;                                                                                         \
        if (in_order) {                                                                                                \
            struct range part = part_of(layout->elem_count, bn_context.thread);                                        \
            struct bn_walk walk = bn_walk_begin(layout, part.first, part.elem_count);                                  \
            while (bn_walk_next(&walk))                                                                                \
                add_run_##SUFFIX(&value, &is_given, walk.run, op, func);                                               \
        } else {                                                                                                       \
            add_run_##SUFFIX(&value, &is_given, bn_layout_held(layout, (size_t)bn_context.thread), op, func);          \
        }                                                                                                              \
        struct bn_partial *partial = partial_of(bn_context.thread);                                                    \
        uint32_t parity = ++bn_context.reductions % BN_PARTIAL_PARITIES;                                               \
        memcpy(partial->parity[parity].value, &value, sizeof value);                                                   \
        partial->parity[parity].is_given = is_given;                                                                   \
        bn_collective_barrier();                                                                                       \
    }                                                                                                                  \
                                                                                                                       \
    /* Combines the partial results of the first thread_count threads; false if they have none */                      \
    static bool combine_##SUFFIX(T *value, int thread_count, unsigned long op, T (*func)(T, T))                        \
    {                                                                                                                  \
        bool is_given = false;                                                                                         \
        uint32_t parity = bn_context.reductions % BN_PARTIAL_PARITIES;                                                 \
        for (int thread = 0; thread < thread_count; thread++) {                                                        \
            struct bn_partial *partial = partial_of(thread);                                                           \
            struct bn_run run = {partial->parity[parity].value, partial->parity[parity].is_given};                     \
            add_run_##SUFFIX(value, &is_given, run, op, func);                                                         \
        }                                                                                                              \
        return is_given;                                                                                               \
    }                                                                                                                  \
                                                                                                                       \
    void upc_all_reduce##SUFFIX(bn_pts_t dst, bn_pts_t src, unsigned long op, size_t nelems, size_t blk_size,          \
                                T (*func)(T, T), int flags)                                                            \
    {                                                                                                                  \
        T value = 0;                                                                                                   \
        struct bn_layout layout = bn_layout_of(src, nelems, blk_size, sizeof(T));                                      \
        check_op("upc_all_reduce" #SUFFIX, op, HAS_BITS_##BITS, func != NULL);                                         \
        bn_collective_enter("upc_all_reduce" #SUFFIX, flags);                                                          \
        show_partial_##SUFFIX(&layout, keeps_order(op, blk_size), op, func);                                           \
        if (dst.thread == (bn_u32)bn_context.thread && combine_##SUFFIX(&value, bn_context.thread_count, op, func))    \
            *(T *)bn_local(dst) = value;                                                                               \
        bn_collective_leave(flags);                                                                                    \
    }                                                                                                                  \
                                                                                                                       \
    void bupc_all_reduce_all##SUFFIX(bn_pts_t dst, bn_pts_t src, unsigned long op, size_t nelems, size_t blk_size,     \
                                     T (*func)(T, T), int flags)                                                       \
    {                                                                                                                  \
        T value = 0;                                                                                                   \
        struct bn_layout layout = bn_layout_of(src, nelems, blk_size, sizeof(T));                                      \
        check_op("bupc_all_reduce_all" #SUFFIX, op, HAS_BITS_##BITS, func != NULL);                                    \
        bn_collective_enter("bupc_all_reduce_all" #SUFFIX, flags);                                                     \
        show_partial_##SUFFIX(&layout, keeps_order(op, blk_size), op, func);                                           \
        if (combine_##SUFFIX(&value, bn_context.thread_count, op, func))                                               \
            *(T *)bn_part(dst, bn_context.thread) = value;                                                             \
        bn_collective_leave(flags);                                                                                    \
    }                                                                                                                  \
                                                                                                                       \
    void upc_all_prefix_reduce##SUFFIX(bn_pts_t dst, bn_pts_t src, unsigned long op, size_t nelems, size_t blk_size,   \
                                       T (*func)(T, T), int flags)                                                     \
    {                                                                                                                  \
        T value = 0;                                                                                                   \
        struct bn_layout layout = bn_layout_of(src, nelems, blk_size, sizeof(T));                                      \
        check_op("upc_all_prefix_reduce" #SUFFIX, op, HAS_BITS_##BITS, func != NULL);                                  \
        bn_collective_enter("upc_all_prefix_reduce" #SUFFIX, flags);                                                   \
        show_partial_##SUFFIX(&layout, true, op, func);                                                                \
        bool is_given = combine_##SUFFIX(&value, bn_context.thread, op, func);                                         \
        struct range part = part_of(nelems, bn_context.thread);                                                        \
        struct bn_walk walk = bn_walk_begin(&layout, part.first, part.elem_count);                                     \
        while (bn_walk_next(&walk)) {                                                                                  \
            const T *elems = (const T *)walk.run.address;                                                              \
            /* dst is laid out like src, so all elements are at one distance. */                                       \
            T *out = (T *)(walk.run.address + (dst.addr - src.addr));                                                  \
            size_t done = is_given ? 0 : 1;                                                                            \
            if (!is_given)                                                                                             \
                out[0] = value = elems[0];                                                                             \
            is_given = true;                                                                                           \
            value = scan_##SUFFIX(value, out + done, elems + done, walk.run.elem_count - done, op, func);              \
        }                                                                                                              \
        bn_collective_leave(flags);                                                                                    \
    }

enum { HAS_BITS_INTEGER = true, HAS_BITS_FLOATING = false };

#define DEFINE_INTEGER(SUFFIX, T) DEFINE_REDUCE(SUFFIX, T, INTEGER)
#define DEFINE_FLOATING(SUFFIX, T) DEFINE_REDUCE(SUFFIX, T, FLOATING)
BN_REDUCE_INTEGER_TYPES(DEFINE_INTEGER)
BN_REDUCE_FLOATING_TYPES(DEFINE_FLOATING)
