/*
 * sort.c: upc_all_sort, a merge sort.  The order of equal elements is kept.
 *
 *   1. Each thread copies a part of the index range to memory of its own and sorts it.
 *   2. In round k, thread t = 0, 2 * 2^k, 4 * 2^k, ... merges its sequence with that of thread t + 2^k, into new
 *      memory.
 *   3. Each thread copies its part of the index range from thread 0's memory to its place.
 *
 * The comparison function takes shared objects, so all copies lie in the threads' local heaps.  In the last round, the
 * only one in which it works alone, thread 0 needs room for twice the array; that round takes O(n) of O(n log n /
 * THREADS).
 */
#include "upc/collective/sort.h"

#include "platform/copy.h"
#include "profile/span.h"
#include "upc/collective/collective.h"
#include "upc/collective/exchange.h"
#include "upc/collective/reduce_layout.h"
#include "upc/fatal.h"
#include "upc/upc_c.h"

#include <string.h>

static const char function[] = "upc_all_sort";

/* Contiguous elements in a thread's local heap */
struct sequence {
    unsigned char *elems;
    size_t elem_count;
};

struct order {
    size_t elem_bytes;
    bn_sort_compare_fn *compare;
};

static struct sequence make_sequence(size_t elem_count, size_t elem_bytes)
{
    uint64_t size_bytes = elem_count == 0 ? 1 : elem_count * elem_bytes;
    uint64_t address = BN_OWN(upc_alloc)(size_bytes).addr; /* read by the program's function */
    if (address == 0)
        bn_upc_fatal(function,
                     "there is no shared memory left for a copy of %zu elements; raise the limit of the "
                     "shared heap",
                     elem_count);
    return (struct sequence){(unsigned char *)address, elem_count};
}

static void free_sequence(struct sequence sequence)
{
    BN_OWN(upc_free)(bn_at(sequence.elems));
}

/* Merges two sorted sequences to out; of equal elements those of a come first. */
static void merge(const struct order *order, unsigned char *out, struct sequence a, struct sequence b)
{
    size_t elem_bytes = order->elem_bytes;
    while (a.elem_count > 0 && b.elem_count > 0) {
        bool takes_b = order->compare(bn_at(a.elems), bn_at(b.elems)) > 0;
        struct sequence *from = takes_b ? &b : &a;
        bn_copy(out, from->elems, elem_bytes);
        from->elems += elem_bytes;
        from->elem_count--;
        out += elem_bytes;
    }
    bn_copy(out, a.elems, a.elem_count * elem_bytes);
    bn_copy(out + a.elem_count * elem_bytes, b.elems, b.elem_count * elem_bytes);
}

static struct sequence cut(struct sequence sequence, size_t first, size_t elem_count, size_t elem_bytes)
{
    first = first < sequence.elem_count ? first : sequence.elem_count;
    size_t left = sequence.elem_count - first;
    return (struct sequence){sequence.elems + first * elem_bytes, elem_count < left ? elem_count : left};
}

/* Bottom-up merge sort: runs of 1, 2, 4, ... elements, alternating between two buffers */
static struct sequence sort_sequence(const struct order *order, struct sequence from)
{
    struct sequence to = make_sequence(from.elem_count, order->elem_bytes);
    for (size_t run = 1; run < from.elem_count; run *= 2) {
        for (size_t first = 0; first < from.elem_count; first += 2 * run)
            merge(order, to.elems + first * order->elem_bytes, cut(from, first, run, order->elem_bytes),
                  cut(from, first + run, run, order->elem_bytes));
        struct sequence sorted = to;
        to = from;
        from = sorted;
    }
    free_sequence(to);
    return from;
}

/* Copies elements [first, first + count) of the array to memory, or back. */
static void copy_part(const struct bn_cyclic *layout, size_t first, size_t elem_count, unsigned char *memory,
                      bool is_back)
{
    struct bn_walk walk = bn_walk_begin(layout, first, elem_count);
    while (bn_walk_next(&walk)) {
        size_t size_bytes = walk.run.elem_count * layout->elem_bytes;
        if (is_back)
            bn_copy(walk.run.address, memory, size_bytes);
        else
            bn_copy(memory, walk.run.address, size_bytes);
        memory += size_bytes;
    }
}

static struct sequence shown_by(int thread)
{
    struct sequence sequence;
    memcpy(&sequence, bn_exchange_shown(thread, sizeof sequence), sizeof sequence);
    return sequence;
}

/* Step 2.  Returns the sequence that thread 0 has at the end. */
static struct sequence merge_all(const struct order *order, struct sequence *mine)
{
    for (int distance = 1; distance < bn_context.thread_count; distance *= 2) {
        bn_exchange_show(function, mine, sizeof *mine);
        int other = bn_context.thread + distance;
        if (bn_context.thread % (2 * distance) != 0 || other >= bn_context.thread_count)
            continue;
        struct sequence others = shown_by(other);
        struct sequence merged = make_sequence(mine->elem_count + others.elem_count, order->elem_bytes);
        merge(order, merged.elems, *mine, others);
        free_sequence(*mine);
        *mine = merged;
    }
    bn_exchange_show(function, mine, sizeof *mine);
    return shown_by(0);
}

void upc_all_sort(bn_pts_t array, size_t elem_size, size_t nelems, size_t blk_size, bn_sort_compare_fn *func, int flags)
{
    BN_SPAN(BN_PROFILE_SORT, 0, BN_NOBODY, BN_NOBODY);
    if (elem_size == 0 || !func)
        bn_upc_fatal(function, "elements of no bytes, or no function to compare them");
    struct bn_cyclic layout = bn_cyclic_of(array, nelems, blk_size, elem_size);
    struct order order = {elem_size, func};
    size_t threads = (size_t)bn_context.thread_count, thread = (size_t)bn_context.thread;
    size_t first = nelems / threads * thread + (thread < nelems % threads ? thread : nelems % threads);
    size_t elem_count = nelems / threads + (thread < nelems % threads);

    bn_collective_enter(function, flags);
    struct sequence mine = make_sequence(elem_count, elem_size);
    copy_part(&layout, first, elem_count, mine.elems, false);
    mine = sort_sequence(&order, mine);
    struct sequence sorted = merge_all(&order, &mine);
    copy_part(&layout, first, elem_count, sorted.elems + first * elem_size, true);
    /* Other threads read thread 0's memory until they get here. */
    bn_collective_barrier();
    free_sequence(mine);
    bn_collective_leave(flags);
}
