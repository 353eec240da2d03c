/* castable.c: <upc_castable.h>.  All threads of a node are mapped, at the same address in each process. */
#include "upc/context.h"
#include "upc/upc_c.h"

enum { CASTABLE_ALL = 1 | 2 | 4 | 8 }; /* UPC_CASTABLE_ALL */

void *upc_cast(bn_pts_t ptr)
{
    return bn_local(ptr);
}

upc_thread_info_t upc_thread_info(size_t threadId)
{
    int castable = threadId < (size_t)bn_context.thread_count ? CASTABLE_ALL : 0;
    return (upc_thread_info_t){castable, castable};
}

BN_OWN_DEFINE(upc_cast);
BN_OWN_DEFINE(upc_thread_info);
