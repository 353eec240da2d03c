// Clause: UPC_NONCOMM_FUNC keeps the order of the operands; blk_size 0 means one thread's memory (facts 2.5, gotcha 45)
// needs: __UPC_COLLECTIVE__
#include "coll_data.h"

shared [3] long src[20 * THREADS], prefix[20 * THREADS];
shared long result;
shared [] long one_block[50], one_prefix[50];

enum { LONG = 900 }; /* for each thread: more than is gathered into a buffer at a time */
shared long cyclic[LONG * THREADS], cyclic_prefix[LONG * THREADS];
shared [3] long rows[LONG * THREADS], rows_prefix[LONG * THREADS];

/* Associative, not commutative: keeps the leading digits of a, and the last three digits of b */
static long first_and_last(long a, long b)
{
    return a / 1000 * 1000 + b % 1000;
}

/* From an element on that begins no row of blocks, up to one that ends none */
static void test_small_blocks(void)
{
    size_t first = 4, elem_count = (size_t)LONG * THREADS - 7;
    int i;

    upc_forall (i = 0; i < LONG * THREADS; i++; &cyclic[i])
        cyclic[i] = (i % 997) * 1000 + i % 997;
    upc_forall (i = 0; i < LONG * THREADS; i++; &rows[i])
        rows[i] = (i % 997) * 1000 + i % 997;
    upc_all_prefix_reduceL(&cyclic_prefix[first], &cyclic[first], UPC_NONCOMM_FUNC, elem_count, 1, first_and_last,
                           UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
    upc_all_prefix_reduceL(&rows_prefix[first], &rows[first], UPC_ADD, elem_count, 3, NULL,
                           UPC_IN_MYSYNC | UPC_OUT_MYSYNC);
    upc_all_reduceL(&result, &rows[first], UPC_NONCOMM_FUNC, elem_count, 3, first_and_last, 0);
    EQ(result, 4 * 1000 + (LONG * THREADS - 4) % 997);
    for (long sum = 0, i = (long)first; i < LONG * THREADS - 3; i++) {
        sum += i % 997 * 1001;
        if (upc_threadof(&cyclic[i]) == (size_t)MYTHREAD)
            EQ(cyclic_prefix[i], 4 * 1000 + i % 997);
        if (upc_threadof(&rows[i]) == (size_t)MYTHREAD)
            EQ(rows_prefix[i], sum);
    }
    EQ(cyclic_prefix[first - 1] + cyclic_prefix[LONG * THREADS - 3], 0);
    EQ(rows_prefix[first - 1] + rows_prefix[LONG * THREADS - 3], 0);
    upc_barrier;
}

int main(void)
{
    int i;

    upc_forall (i = 0; i < 20 * THREADS; i++; &src[i])
        src[i] = (i % 997) * 1000 + i % 997;
    upc_barrier;
    upc_all_reduceL(&result, src, UPC_NONCOMM_FUNC, 20 * THREADS, 3, first_and_last, 0);
    upc_all_prefix_reduceL(prefix, src, UPC_NONCOMM_FUNC, 20 * THREADS, 3, first_and_last, 0);
    EQ(result, (20 * THREADS - 1) % 997);
    for (i = 0; i < 20 * THREADS; i++)
        EQ(prefix[i], i % 997);
    upc_barrier;
    upc_all_reduceL(&result, &src[4], UPC_NONCOMM_FUNC, 10, 3, first_and_last, 0);
    EQ(result, 4 * 1000 + 13);
    upc_barrier;
    if (MYTHREAD == 0)
        for (i = 0; i < 50; i++)
            one_block[i] = i + 1;
    upc_barrier;
    upc_all_reduceL(&result, one_block, UPC_ADD, 50, 0, NULL, 0);
    upc_all_prefix_reduceL(one_prefix, one_block, UPC_ADD, 50, 0, NULL, 0);
    EQ(result, 50 * 51 / 2);
    for (i = 0; i < 50; i++)
        EQ(one_prefix[i], (i + 1) * (i + 2) / 2);
    test_small_blocks();
    return finish();
}
