// The largest block size is legal and works (facts 1.2, gotcha 29)
#include <upc.h>

#include "check.h"

shared [UPC_MAX_BLOCK_SIZE] char a[2 * THREADS];

int main(void)
{
    shared [UPC_MAX_BLOCK_SIZE] char *p = a;

    EQ(upc_blocksizeof(a), UPC_MAX_BLOCK_SIZE);
    p++;
    EQ(upc_phaseof(p), 1);
    EQ(upc_threadof(p), 0);
    EQ(upc_phaseof(p - 2), UPC_MAX_BLOCK_SIZE - 1);
    EQ(upc_threadof(p - 2), THREADS - 1);
    EQ(upc_threadof(p + (UPC_MAX_BLOCK_SIZE - 2)), 0);
    EQ(upc_threadof(p + (UPC_MAX_BLOCK_SIZE - 1)), 1 % THREADS);
    EQ(upc_phaseof(p + (UPC_MAX_BLOCK_SIZE - 1)), 0);
    return finish();
}
