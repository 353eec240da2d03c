/* castable.c: <upc_castable.h>.  Near memory is mapped, at the same address in each process. */
#include "upc/context.h"
#include "upc/upc_c.h"

enum { CASTABLE_ALL = 1 | 2 | 4 | 8 }; /* UPC_CASTABLE_ALL */

void *upc_cast(bn_pts_t ptr)
{
    return bn_is_near(bn_local(ptr)) ? bn_local(ptr) : NULL;
}

upc_thread_info_t upc_thread_info(size_t threadId)
{
    bool is_there = threadId < (size_t)bn_context.thread_count;
    bool is_near = is_there && bn_is_near((const void *)(bn_self.window_base + bn_stride(threadId)));
    int castable = is_near ? CASTABLE_ALL : 0;
    return (upc_thread_info_t){castable, castable};
}

BN_OWN_DEFINE(upc_cast);
BN_OWN_DEFINE(upc_thread_info);
