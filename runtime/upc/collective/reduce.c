/*
 * reduce.c: upc_all_reduceT and upc_all_prefix_reduceT, for eleven types.
 *
 *   1. Each thread reduces a share of the elements: those that it holds, if order does not matter; otherwise, if all
 *      elements lie on one thread, and for prefix reduce, its part of the index range (upc/collective/reduce_runs.h).
 *   2. The threads combine these values (runtime/coll).  The thread that holds dst gets the combination of all of them;
 *      with bupc_all_reduce_allT every thread does; with prefix reduce each thread gets that of the threads before it.
 *   3. For prefix reduce, each thread continues from there over its part.
 *
 * Prefix reduce of an array of many large blocks uses another algorithm (upc/prefix_blocks.h).
 */
#include "boot/locate.h"
#include "profile/span.h"
#include "upc/check/check.h"
#include "upc/collective/collective.h"
#include "upc/collective/prefix_blocks.h"
#include "upc/collective/reduce_layout.h"
#include "upc/collective/reduce_op.h"
#include "upc/collective/reduce_runs.h"
#include "upc/fatal.h"
#include "upc/upc_c.h"

#include <string.h>

struct range {
    size_t first;
    size_t elem_count;
};

/* The part of a thread when the index range is divided in order; parts differ by at most one element */
static struct range part_of(size_t elem_count, int thread)
{
    size_t turn = (size_t)thread;
    size_t threads = (size_t)bn_context.thread_count;
    size_t share = elem_count / threads;
    size_t rest = elem_count % threads;
    return (struct range){turn * share + (turn < rest ? turn : rest), share + (turn < rest)};
}

/* Whether each thread's part of the index range is exactly what it holds, so that nobody accesses another thread's
 * elements: one block per thread, the most common layout */
static bool parts_are_own(const struct bn_layout *layout)
{
    return layout->thread == 0 && layout->phase == 0 && layout->block_elems != 0 &&
           layout->elem_count == layout->block_elems * layout->thread_count;
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
    case OP_MAX: return;
    default:
        bn_upc_fatal(function,
                     "0x%lx is no operation; pass one of UPC_ADD, UPC_MULT, UPC_AND, UPC_OR, UPC_XOR, UPC_LOGAND, "
                     "UPC_LOGOR, UPC_MIN, UPC_MAX, UPC_FUNC, UPC_NONCOMM_FUNC",
                     op);
    }
}

/*
 * If threads read each other's elements (reads_others), MYSYNC involves all threads.
 */
static struct bn_call begin(const char *function, struct bn_fold *fold, int root, bool reads_others, int flags)
{
    struct bn_call call = {
        .nbytes = fold->size_bytes,
        .root = root,
        .in = bn_sync_at_entry(flags),
        .out = bn_sync_at_exit(flags),
        .fold = fold,
    };
    if (reads_others && call.in == BN_SYNC_MY)
        call.in = BN_SYNC_ALL;
    if (reads_others && call.out == BN_SYNC_MY)
        call.out = BN_SYNC_ALL;
    bn_context_check_collective(function);
    bn_operation_enter(&bn_context.team, call.in);
    return call;
}

/* For -fcheck: checks the elements of an operand that this thread holds. */
static void check_held(const char *function, const char *what, const struct bn_layout *layout, bn_pts_t first)
{
    if (layout->elem_count == 0)
        return;
    struct bn_run run = {(unsigned char *)bn_local(first), layout->elem_count};
    if (layout->block_elems != 0)
        run = bn_layout_held(layout, (size_t)bn_context.thread);
    if (run.elem_count != 0)
        bn_check_block(function, what, first.addr == 0 ? first : bn_at(run.address),
                       run.elem_count * layout->elem_bytes);
}

/* Notes the arguments, and checks src. */
static void check_data(const char *function, const struct bn_layout *layout, bn_pts_t dst, bn_pts_t src,
                       unsigned long op, uintptr_t func, int flags)
{
    bn_check_arguments("dst src op nelems blk_size func flags", dst.addr, src.addr, op, layout->elem_count,
                       layout->block_elems, bn_locate_in_module(func), (uint64_t)flags);
    check_held(function, "src", layout, src);
}

/* The result of a prefix reduction is laid out as src is. */
static void check_prefixes(const char *function, const struct bn_layout *src, bn_pts_t dst)
{
    struct bn_layout layout = bn_layout_of(dst, src->elem_count, src->block_elems, src->elem_bytes);
    bool is_like_src = layout.thread == src->thread && layout.phase == src->phase;
    if (bn_check_here.file && layout.elem_count != 0 && dst.addr != 0 && !is_like_src)
        bn_upc_fatal(function,
                     "dst begins on thread %zu with phase %zu, but src on thread %zu with phase %zu; let them begin on "
                     "the same thread with the same phase",
                     layout.thread, layout.phase, src->thread, src->phase);
    check_held(function, "dst", &layout, dst);
}

/* clang-format off */
#define TYPE_OF(T)                                                                                                     \
    _Generic((T)0, int: BN_VALUE_INT, unsigned int: BN_VALUE_UINT, long: BN_VALUE_LONG, unsigned long: BN_VALUE_ULONG, \
             float: BN_VALUE_FLOAT, double: BN_VALUE_DOUBLE, long double: BN_VALUE_LONG_DOUBLE, default: BN_VALUE_OTHER)
/* clang-format on */

/* ---- One step of each operation.  Bitwise operations exist only for integers; for floating types check_op has refused
 * them. ---- */

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

#define DEFINE_REDUCE(SUFFIX, T, BITS)                                                                                 \
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
    static void add_run_##SUFFIX(struct bn_fold *fold, struct bn_run run)                                              \
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
    /* Step 3, for one run */                                                                                          \
    static void scan_run_##SUFFIX(struct bn_fold *fold, struct bn_run run, void *out)                                  \
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
    /* Step 1 */                                                                                                       \
    static void fold_part_##SUFFIX(struct bn_fold *fold, const struct bn_layout *layout, bool in_order)                \
    {                                                                                                                  \
        if (in_order) {                                                                                                \
            struct range part = part_of(layout->elem_count, bn_context.thread);                                        \
            struct bn_runs runs;                                                                                       \
            bn_runs_read(&runs, layout, part.first, part.elem_count, keeps_order(fold->op, layout->block_elems));      \
            while (bn_runs_next(&runs))                                                                                \
                add_run_##SUFFIX(fold, runs.run);                                                                      \
        } else {                                                                                                       \
            add_run_##SUFFIX(fold, bn_layout_held(layout, (size_t)bn_context.thread));                                 \
        }                                                                                                              \
    }                                                                                                                  \
                                                                                                                       \
    static void combine_##SUFFIX(void *left, const void *right, const struct bn_fold *fold)                            \
    {                                                                                                                  \
        T *value = left;                                                                                               \
        *value = fold_##SUFFIX(*value, right, 1, fold->op, (T(*)(T, T))fold->func);                                    \
    }                                                                                                                  \
                                                                                                                       \
    void upc_all_reduce##SUFFIX(bn_pts_t dst, bn_pts_t src, unsigned long op, size_t nelems, size_t blk_size,          \
                                T (*func)(T, T), int flags)                                                            \
    {                                                                                                                  \
        BN_SPAN(BN_PROFILE_REDUCE, sizeof(T), BN_NOBODY, (int)dst.thread);                                             \
        T value __attribute__((aligned(BN_FOLD_MAX_BYTES))) = 0;                                                       \
        bool in_order = keeps_order(op, blk_size);                                                                     \
        struct bn_layout layout = bn_layout_of(src, nelems, blk_size, sizeof(T));                                      \
        struct bn_fold fold = {&value,           false, op == OP_NONCOMM_FUNC, sizeof(T),                              \
                               combine_##SUFFIX, op,    (void (*)(void))func,  TYPE_OF(T),                             \
                               nelems == 0};                                                                           \
        check_op("upc_all_reduce" #SUFFIX, op, HAS_BITS_##BITS, func != NULL);                                         \
        check_data("upc_all_reduce" #SUFFIX, &layout, dst, src, op, (uintptr_t)func, flags);                           \
        if (nelems != 0)                                                                                               \
            bn_check_block("upc_all_reduce" #SUFFIX, "dst", dst, sizeof(T));                                           \
        bool reads_others = in_order && !parts_are_own(&layout);                                                       \
        struct bn_call call = begin("upc_all_reduce" #SUFFIX, &fold, (int)dst.thread, reads_others, flags);            \
        fold_part_##SUFFIX(&fold, &layout, in_order);                                                                  \
        bn_collective_run("upc_all_reduce" #SUFFIX, BN_REDUCE, &call);                                                 \
        if (call.root == bn_context.thread && fold.is_given)                                                           \
            *(T *)bn_local(dst) = value;                                                                               \
        bn_operation_leave(&bn_context.team, call.out);                                                                \
    }                                                                                                                  \
                                                                                                                       \
    void bupc_all_reduce_all##SUFFIX(bn_pts_t dst, bn_pts_t src, unsigned long op, size_t nelems, size_t blk_size,     \
                                     T (*func)(T, T), int flags)                                                       \
    {                                                                                                                  \
        BN_SPAN(BN_PROFILE_REDUCE_ALL, sizeof(T), BN_NOBODY, BN_NOBODY);                                               \
        T value __attribute__((aligned(BN_FOLD_MAX_BYTES))) = 0;                                                       \
        bool in_order = keeps_order(op, blk_size);                                                                     \
        struct bn_layout layout = bn_layout_of(src, nelems, blk_size, sizeof(T));                                      \
        struct bn_fold fold = {&value,           false, op == OP_NONCOMM_FUNC, sizeof(T),                              \
                               combine_##SUFFIX, op,    (void (*)(void))func,  TYPE_OF(T),                             \
                               nelems == 0};                                                                           \
        check_op("bupc_all_reduce_all" #SUFFIX, op, HAS_BITS_##BITS, func != NULL);                                    \
        check_data("bupc_all_reduce_all" #SUFFIX, &layout, dst, src, op, (uintptr_t)func, flags);                      \
        if (nelems != 0)                                                                                               \
            bn_check_part("bupc_all_reduce_all" #SUFFIX, "dst", dst, sizeof(T));                                       \
        bool reads_others = in_order && !parts_are_own(&layout);                                                       \
        struct bn_call call = begin("bupc_all_reduce_all" #SUFFIX, &fold, 0, reads_others, flags);                     \
        fold_part_##SUFFIX(&fold, &layout, in_order);                                                                  \
        bn_collective_run("bupc_all_reduce_all" #SUFFIX, BN_REDUCE_ALL, &call);                                        \
        if (fold.is_given)                                                                                             \
            *(T *)bn_part(dst, bn_context.thread) = value;                                                             \
        bn_operation_leave(&bn_context.team, call.out);                                                                \
    }                                                                                                                  \
                                                                                                                       \
    void upc_all_prefix_reduce##SUFFIX(bn_pts_t dst, bn_pts_t src, unsigned long op, size_t nelems, size_t blk_size,   \
                                       T (*func)(T, T), int flags)                                                     \
    {                                                                                                                  \
        BN_SPAN(BN_PROFILE_PREFIX, sizeof(T), BN_NOBODY, BN_NOBODY);                                                   \
        T value __attribute__((aligned(BN_FOLD_MAX_BYTES))) = 0;                                                       \
        struct bn_layout layout = bn_layout_of(src, nelems, blk_size, sizeof(T));                                      \
        struct bn_fold fold = {&value,           false, op == OP_NONCOMM_FUNC, sizeof(T),                              \
                               combine_##SUFFIX, op,    (void (*)(void))func,  TYPE_OF(T),                             \
                               nelems == 0};                                                                           \
        check_op("upc_all_prefix_reduce" #SUFFIX, op, HAS_BITS_##BITS, func != NULL);                                  \
        check_data("upc_all_prefix_reduce" #SUFFIX, &layout, dst, src, op, (uintptr_t)func, flags);                    \
        check_prefixes("upc_all_prefix_reduce" #SUFFIX, &layout, dst);                                                 \
        struct bn_call call = begin("upc_all_prefix_reduce" #SUFFIX, &fold, 0, !parts_are_own(&layout), flags);        \
        /* dst is laid out like src, so all elements are at one distance. */                                           \
        ptrdiff_t distance = (ptrdiff_t)(dst.addr - src.addr);                                                         \
        if (bn_prefix_goes_by_blocks(&layout)) {                                                                       \
            const struct bn_prefix_steps steps = {add_run_##SUFFIX, scan_run_##SUFFIX};                                \
            bn_prefix_by_blocks(&steps, &fold, &layout, distance);                                                     \
        } else {                                                                                                       \
            fold_part_##SUFFIX(&fold, &layout, true);                                                                  \
            bn_collective_run("upc_all_prefix_reduce" #SUFFIX, BN_PREFIX, &call);                                      \
            struct range part = part_of(nelems, bn_context.thread);                                                    \
            struct bn_runs runs;                                                                                       \
            bn_runs_write(&runs, &layout, part.first, part.elem_count, distance);                                      \
            while (bn_runs_next(&runs))                                                                                \
                scan_run_##SUFFIX(&fold, runs.run, runs.out);                                                          \
        }                                                                                                              \
        bn_operation_leave(&bn_context.team, call.out);                                                                \
    }

enum { HAS_BITS_INTEGER = true, HAS_BITS_FLOATING = false };

#define DEFINE_INTEGER(SUFFIX, T) DEFINE_REDUCE(SUFFIX, T, INTEGER)
#define DEFINE_FLOATING(SUFFIX, T) DEFINE_REDUCE(SUFFIX, T, FLOATING)
BN_REDUCE_INTEGER_TYPES(DEFINE_INTEGER)
BN_REDUCE_FLOATING_TYPES(DEFINE_FLOATING)
