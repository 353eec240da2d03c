/*
 * reduce.c: upc_all_reduceT and upc_all_prefix_reduceT, for eleven types (reduce_types.h).
 *
 *   1. Each thread reduces a share of the elements: those that it holds, if order does not matter; otherwise, if all
 *      elements lie on one thread, and for prefix reduce, its part of the index range (upc/collective/reduce_runs.h).
 *   2. The threads combine these values (runtime/coll).  The thread that holds dst gets the combination of all of them;
 *      with bupc_all_reduce_allT every thread does; with prefix reduce each thread gets that of the threads before it.
 *   3. For prefix reduce, each thread continues from there over its part.
 *
 * Prefix reduce of an array of many large blocks uses another algorithm (upc/collective/prefix_blocks.h).
 */
#include "boot/locate.h"
#include "profile/span.h"
#include "upc/check/check.h"
#include "upc/collective/collective.h"
#include "upc/collective/reduce_layout.h"
#include "upc/collective/reduce_op.h"
#include "upc/collective/reduce_runs.h"
#include "upc/collective/reduce_types.h"
#include "upc/fatal.h"
#include "upc/upc_c.h"

#include <string.h>

/* A call, as the program made it */
struct reduction {
    const char *function; /* its name */
    const struct bn_reduce_type *type;
    bn_pts_t dst, src;
    unsigned long op;
    size_t elem_count, block_elems;
    void (*func)(void);
    int flags;
};

/* A value of any type */
struct value {
    unsigned char bytes[BN_FOLD_MAX_BYTES] __attribute__((aligned(BN_FOLD_MAX_BYTES)));
};

struct range {
    size_t first;
    size_t elem_count;
};

/* The part of this thread when the index range is divided in order; parts differ by at most one element */
static struct range own_part(size_t elem_count)
{
    size_t turn = (size_t)bn_context.thread;
    size_t threads = (size_t)bn_context.thread_count;
    size_t share = elem_count / threads;
    size_t rest = elem_count % threads;
    return (struct range){turn * share + (turn < rest ? turn : rest), share + (turn < rest)};
}

/* Whether each thread's part of the index range is exactly what it holds, so that nobody accesses another thread's
 * elements: one block per thread, the most common layout */
static bool parts_are_own(const struct bn_cyclic *layout)
{
    return layout->thread == 0 && layout->phase == 0 && layout->block_elems != 0 &&
           layout->elem_count == layout->block_elems * layout->thread_count;
}

/* Whether step 1 goes by index. */
static bool goes_by_index(const struct reduction *reduction)
{
    return reduction->op == OP_NONCOMM_FUNC || reduction->block_elems == 0;
}

static void check_op(const struct reduction *reduction)
{
    switch (reduction->op) {
    case OP_AND:
    case OP_OR:
    case OP_XOR:
        if (!reduction->type->has_bits)
            bn_upc_fatal(reduction->function, "UPC_AND, UPC_OR and UPC_XOR are not defined for floating types; choose "
                                              "another operation");
        return;
    case OP_FUNC:
    case OP_NONCOMM_FUNC:
        if (!reduction->func)
            bn_upc_fatal(reduction->function,
                         "UPC_FUNC and UPC_NONCOMM_FUNC need a function; pass one instead of a null pointer");
        return;
    case OP_ADD:
    case OP_MULT:
    case OP_LOGAND:
    case OP_LOGOR:
    case OP_MIN:
    case OP_MAX: return;
    default:
        bn_upc_fatal(reduction->function,
                     "0x%lx is not an operation; pass one of UPC_ADD, UPC_MULT, UPC_AND, UPC_OR, UPC_XOR, UPC_LOGAND, "
                     "UPC_LOGOR, UPC_MIN, UPC_MAX, UPC_FUNC, UPC_NONCOMM_FUNC",
                     reduction->op);
    }
}

/* For -fcheck: checks the elements of an operand that this thread holds. */
static void check_held(const char *function, const char *what, const struct bn_cyclic *layout, bn_pts_t first)
{
    if (layout->elem_count == 0)
        return;
    struct bn_elem_run run = {(unsigned char *)bn_local(first), layout->elem_count};
    if (layout->block_elems != 0)
        run = bn_cyclic_held(layout, (size_t)bn_context.thread);
    if (run.elem_count != 0)
        bn_check_block(function, what, first.addr == 0 ? first : bn_at(run.address),
                       run.elem_count * layout->elem_bytes);
}

/* Checks all arguments but dst, and notes them for -fcheck. */
static void check_arguments(const struct reduction *reduction, const struct bn_cyclic *layout)
{
    check_op(reduction);
    bn_check_arguments("dst src op nelems blk_size func flags", reduction->dst.addr, reduction->src.addr, reduction->op,
                       layout->elem_count, layout->block_elems, bn_locate_in_module((uintptr_t)reduction->func),
                       (uint64_t)reduction->flags);
    check_held(reduction->function, "src", layout, reduction->src);
}

/* The result of a prefix reduction is laid out as src is. */
static void check_prefixes(const char *function, const struct bn_cyclic *src, bn_pts_t dst)
{
    struct bn_cyclic layout = bn_cyclic_of(dst, src->elem_count, src->block_elems, src->elem_bytes);
    bool is_like_src = layout.thread == src->thread && layout.phase == src->phase;
    if (bn_check_here.file && layout.elem_count != 0 && dst.addr != 0 && !is_like_src)
        bn_upc_fatal(function,
                     "dst begins on thread %zu with phase %zu, but src on thread %zu with phase %zu; let them begin on "
                     "the same thread with the same phase",
                     layout.thread, layout.phase, src->thread, src->phase);
    check_held(function, "dst", &layout, dst);
}

static struct bn_cyclic layout_of(const struct reduction *reduction)
{
    return bn_cyclic_of(reduction->src, reduction->elem_count, reduction->block_elems, reduction->type->size_bytes);
}

/* No value yet; there will be one in *value. */
static struct bn_fold fold_of(const struct reduction *reduction, struct value *value)
{
    return (struct bn_fold){
        .value = value,
        .keeps_order = reduction->op == OP_NONCOMM_FUNC,
        .size_bytes = reduction->type->size_bytes,
        .combine = reduction->type->combine,
        .op = reduction->op,
        .func = reduction->func,
        .type = reduction->type->value_type,
        .is_empty = reduction->elem_count == 0,
    };
}

/*
 * If threads read each other's elements (reads_others), MYSYNC involves all threads.
 */
static struct bn_call begin(const struct reduction *reduction, struct bn_fold *fold, int root, bool reads_others)
{
    struct bn_call call = {
        .nbytes = fold->size_bytes,
        .root = root,
        .in = bn_sync_at_entry(reduction->flags),
        .out = bn_sync_at_exit(reduction->flags),
        .fold = fold,
    };
    if (reads_others && call.in == BN_SYNC_MY)
        call.in = BN_SYNC_ALL;
    if (reads_others && call.out == BN_SYNC_MY)
        call.out = BN_SYNC_ALL;
    bn_collective_check(reduction->function, reduction->flags);
    bn_operation_enter(&bn_context.team, call.in);
    return call;
}

/* Step 1 by index */
static void fold_own_part(const struct reduction *reduction, const struct bn_cyclic *layout, struct bn_fold *fold)
{
    struct range part = own_part(layout->elem_count);
    struct bn_run_cursor runs;
    bn_run_cursor_read(&runs, layout, part.first, part.elem_count, goes_by_index(reduction));
    while (bn_run_cursor_next(&runs))
        reduction->type->steps.add(fold, runs.run);
}

/* Steps 1 and 2 of a reduction to one thread or to all: which, says the operation. */
static void reduce(const struct reduction *reduction, enum bn_operation operation, int root,
                   const struct bn_cyclic *layout)
{
    struct value value = {{0}};
    struct bn_fold fold = fold_of(reduction, &value);
    bool by_index = goes_by_index(reduction);
    struct bn_call call = begin(reduction, &fold, root, by_index && !parts_are_own(layout));
    if (by_index)
        fold_own_part(reduction, layout, &fold);
    else
        reduction->type->steps.add(&fold, bn_cyclic_held(layout, (size_t)bn_context.thread));
    bn_collective_run(reduction->function, operation, &call);
    bool is_to_all = operation == BN_REDUCE_ALL;
    if (fold.is_given && (is_to_all || bn_context.thread == root)) {
        bn_pts_t dst = reduction->dst;
        memcpy(is_to_all ? bn_part(dst, bn_context.thread) : bn_local(dst), value.bytes, fold.size_bytes);
    }
    bn_operation_leave(&bn_context.team, call.out);
}

static __attribute__((noinline)) void reduce_to_one(const struct reduction *reduction, const void *caller)
{
    int root = (int)reduction->dst.thread;
    BN_SPAN_FROM(caller, BN_PROFILE_REDUCE, reduction->type->size_bytes, BN_NOBODY, root);
    struct bn_cyclic layout = layout_of(reduction);
    check_arguments(reduction, &layout);
    if (layout.elem_count != 0)
        bn_check_block(reduction->function, "dst", reduction->dst, layout.elem_bytes);
    reduce(reduction, BN_REDUCE, root, &layout);
}

static __attribute__((noinline)) void reduce_to_all(const struct reduction *reduction, const void *caller)
{
    BN_SPAN_FROM(caller, BN_PROFILE_REDUCE_ALL, reduction->type->size_bytes, BN_NOBODY, BN_NOBODY);
    struct bn_cyclic layout = layout_of(reduction);
    check_arguments(reduction, &layout);
    if (layout.elem_count != 0)
        bn_check_part(reduction->function, "dst", reduction->dst, layout.elem_bytes);
    reduce(reduction, BN_REDUCE_ALL, 0, &layout);
}

static __attribute__((noinline)) void reduce_prefixes(const struct reduction *reduction, const void *caller)
{
    const struct bn_reduce_type *type = reduction->type;
    BN_SPAN_FROM(caller, BN_PROFILE_PREFIX, type->size_bytes, BN_NOBODY, BN_NOBODY);
    struct bn_cyclic layout = layout_of(reduction);
    check_arguments(reduction, &layout);
    check_prefixes(reduction->function, &layout, reduction->dst);
    struct value value = {{0}};
    struct bn_fold fold = fold_of(reduction, &value);
    struct bn_call call = begin(reduction, &fold, 0, !parts_are_own(&layout));
    /* dst is laid out like src, so all elements are at one distance. */
    ptrdiff_t distance = (ptrdiff_t)(reduction->dst.addr - reduction->src.addr);
    if (bn_prefix_goes_by_blocks(&layout)) {
        bn_prefix_by_blocks(&type->steps, &fold, &layout, distance);
    } else {
        fold_own_part(reduction, &layout, &fold);
        bn_collective_run(reduction->function, BN_PREFIX, &call);
        struct range part = own_part(layout.elem_count);
        struct bn_run_cursor runs;
        bn_run_cursor_write(&runs, &layout, part.first, part.elem_count, distance);
        while (bn_run_cursor_next(&runs))
            type->steps.scan(&fold, runs.run, runs.out);
    }
    bn_operation_leave(&bn_context.team, call.out);
}

/* The functions of the library for one type: the code above with its loops */
#define DEFINE_FUNCTION(NAME, SUFFIX, T, REDUCE)                                                                       \
    void NAME##SUFFIX(bn_pts_t dst, bn_pts_t src, unsigned long op, size_t nelems, size_t blk_size, T (*func)(T, T),   \
                      int flags)                                                                                       \
    {                                                                                                                  \
        const struct reduction reduction = {                                                                           \
            #NAME #SUFFIX, &bn_reduce_type_##SUFFIX, dst, src, op, nelems, blk_size, (void (*)(void))func, flags,      \
        };                                                                                                             \
        REDUCE(&reduction, __builtin_return_address(0));                                                               \
    }

#define DEFINE_FUNCTIONS(SUFFIX, T)                                                                                    \
    DEFINE_FUNCTION(upc_all_reduce, SUFFIX, T, reduce_to_one)                                                          \
    DEFINE_FUNCTION(bupc_all_reduce_all, SUFFIX, T, reduce_to_all)                                                     \
    DEFINE_FUNCTION(upc_all_prefix_reduce, SUFFIX, T, reduce_prefixes)

BN_REDUCE_INTEGER_TYPES(DEFINE_FUNCTIONS)
BN_REDUCE_FLOATING_TYPES(DEFINE_FUNCTIONS)
