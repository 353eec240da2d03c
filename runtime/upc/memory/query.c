/* query.c: queries about pointers-to-shared. */
#include "upc/context.h"
#include "upc/upc_c.h"

size_t upc_threadof(bn_pts_t ptr)
{
    return ptr.thread;
}

size_t upc_phaseof(bn_pts_t ptr)
{
    return ptr.phase;
}

bn_pts_t upc_resetphase(bn_pts_t ptr)
{
    return bn_reset_phase(ptr);
}

/* The offset in the segment: elements of an array at the same position in their threads' parts have equal values. */
size_t upc_addrfield(bn_pts_t ptr)
{
    return ptr.addr == 0 ? 0 : ptr.addr - bn_self.window_base - bn_stride(ptr.thread);
}

size_t upc_affinitysize(size_t totalsize, size_t nbytes, size_t threadid)
{
    if (nbytes == 0)
        return threadid == 0 ? totalsize : 0;
    size_t threads = (size_t)bn_context.thread_count;
    size_t blocks = totalsize / nbytes;
    size_t rest = totalsize % nbytes;
    size_t rows = blocks / threads;
    size_t last_row = blocks % threads;
    return rows * nbytes + (threadid < last_row ? nbytes : threadid == last_row ? rest : 0);
}

BN_OWN_DEFINE(upc_addrfield);
BN_OWN_DEFINE(upc_affinitysize);
