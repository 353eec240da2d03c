/*
 * collective.c: collectives that move data.
 *
 * All segments are mapped, so each thread copies its own part without help from others: the blocks that it is to
 * receive, or, where they all go to one thread, the block that it gives.
 */
#include "upc/collective.h"

#include "upc/upc_c.h"

#include <string.h>

void upc_all_broadcast(bn_pts_t dst, bn_pts_t src, size_t nbytes, int flags)
{
    bn_collective_enter("upc_all_broadcast", flags);
    memcpy(bn_part(dst, bn_context.thread), bn_local(src), nbytes);
    bn_collective_leave(flags);
}

void upc_all_scatter(bn_pts_t dst, bn_pts_t src, size_t nbytes, int flags)
{
    int self = bn_context.thread;
    bn_collective_enter("upc_all_scatter", flags);
    memcpy(bn_part(dst, self), (const unsigned char *)bn_local(src) + (size_t)self * nbytes, nbytes);
    bn_collective_leave(flags);
}

void upc_all_gather(bn_pts_t dst, bn_pts_t src, size_t nbytes, int flags)
{
    int self = bn_context.thread;
    bn_collective_enter("upc_all_gather", flags);
    memcpy((unsigned char *)bn_local(dst) + (size_t)self * nbytes, bn_part(src, self), nbytes);
    bn_collective_leave(flags);
}

/* The thread that this one turns to in step i: another one for each thread, lest they all read from one place */
static int partner(int step)
{
    int thread = bn_context.thread + step;
    return thread < bn_context.thread_count ? thread : thread - bn_context.thread_count;
}

void upc_all_gather_all(bn_pts_t dst, bn_pts_t src, size_t nbytes, int flags)
{
    bn_collective_enter("upc_all_gather_all", flags);
    unsigned char *mine = bn_part(dst, bn_context.thread);
    for (int step = 0; step < bn_context.thread_count; step++) {
        int from = partner(step);
        memcpy(mine + (size_t)from * nbytes, bn_part(src, from), nbytes);
    }
    bn_collective_leave(flags);
}

void upc_all_exchange(bn_pts_t dst, bn_pts_t src, size_t nbytes, int flags)
{
    bn_collective_enter("upc_all_exchange", flags);
    unsigned char *mine = bn_part(dst, bn_context.thread);
    size_t my_block = (size_t)bn_context.thread * nbytes;
    for (int step = 0; step < bn_context.thread_count; step++) {
        int from = partner(step);
        memcpy(mine + (size_t)from * nbytes, bn_part(src, from) + my_block, nbytes);
    }
    bn_collective_leave(flags);
}

void upc_all_permute(bn_pts_t dst, bn_pts_t src, bn_pts_t perm, size_t nbytes, int flags)
{
    int self = bn_context.thread;
    bn_collective_enter("upc_all_permute", flags);
    int to;
    memcpy(&to, bn_part(perm, self), sizeof to);
    memcpy(bn_part(dst, to), bn_part(src, self), nbytes);
    bn_collective_leave(flags);
}
