/*
 * reach.h: how the memory of a window's member is accessed: mapped memory by loads and stores, private memory of
 * another process through the kernel (platform/peer.h).
 */
#ifndef BN_MPI_THREADS_REACH_H
#define BN_MPI_THREADS_REACH_H

#include "platform/peer.h"
#include "threads/direct.h"
#include "threads/transfers.h"

#include <string.h>

/** Reads bytes at a place in a member's memory (bn_direct_place).  False: the kernel has refused. */
static inline bool bn_reach_get(const struct bn_direct_member *member, const unsigned char *place, void *to,
                                uint64_t bytes)
{
    if (__builtin_expect(member->process != 0, 0))
        return bn_peer_read(member->process, to, (uintptr_t)place, bytes) == 0;
    memmove(to, place, bytes);
    return true;
}

/** Writes bytes at such a place. */
static inline bool bn_reach_put(const struct bn_direct_member *member, unsigned char *place, const void *from,
                                uint64_t bytes)
{
    if (__builtin_expect(member->process != 0, 0))
        return bn_peer_write(member->process, (uintptr_t)place, from, bytes) == 0;
    memmove(place, from, bytes);
    return true;
}

/** Read and write data of any types: `there` describes them in the member's memory, `here` in this process; the
 *  receiving one may have room for more.  Inside.
 *  False: the types are invalid or do not match, there is no memory, or the kernel has refused.
 *  @cost For private memory, a system call per contiguous stretch of it */
bool bn_reach_bring(const struct bn_direct_member *member, unsigned char *place, const struct bn_data *there, void *to,
                    const struct bn_data *here);
bool bn_reach_carry(const struct bn_direct_member *member, unsigned char *place, const struct bn_data *there,
                    const void *from, const struct bn_data *here);

#endif
