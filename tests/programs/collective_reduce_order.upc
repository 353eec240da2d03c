// Clause: UPC_NONCOMM_FUNC keeps the order of the operands; blk_size 0 means one thread's memory (facts 2.5, gotcha 45)
// needs: __UPC_COLLECTIVE__
#include "coll_data.h"

shared [3] long src[20 * THREADS], prefix[20 * THREADS];
shared long result;
shared [] long one_block[50], one_prefix[50];

/* Associative, not commutative: keeps the leading digits of a, and the last three digits of b */
static long first_and_last(long a, long b)
{
    return a / 1000 * 1000 + b % 1000;
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
    return finish();
}
