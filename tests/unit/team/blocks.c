/* blocks.c: a library with an allocator like PyTorch's, for adopt_test.cc. */
#include "blocks.h"

#include <stdlib.h>

void* blocks_new(size_t size_bytes)
{
    void* block;
    return posix_memalign(&block, 64, size_bytes) == 0 ? block : NULL;
}

void blocks_delete(void* block)
{
    free(block);
}
