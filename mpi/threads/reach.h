/*
 * reach.h: how the memory of a member of a window is read and written: mapped memory by load and store, private memory
 * of another process by the kernel (platform/peer.h).
 */
#ifndef BN_MPI_THREADS_REACH_H
#define BN_MPI_THREADS_REACH_H

#include "platform/peer.h"
#include "threads/direct.h"
#include "threads/transfers.h"

#include <string.h>

/** Copies bytes at a place in a member's memory (bn_direct_place).  False: the kernel has refused. */
static inline bool bn_reach_get(const struct bn_direct_member *member, const unsigned char *place, void *to,
                                uint64_t bytes)
{
    if (__builtin_expect(member->process != 0, 0))
        return bn_peer_read(member->process, to, (uintptr_t)place, bytes) == 0;
    memmove(to, place, bytes);
    return true;
}

/** The same, to that place. */
static inline bool bn_reach_put(const struct bn_direct_member *member, unsigned char *place, const void *from,
                                uint64_t bytes)
{
    if (__builtin_expect(member->process != 0, 0))
        return bn_peer_write(member->process, (uintptr_t)place, from, bytes) == 0;
    memmove(place, from, bytes);
    return true;
}

/** The same for data of any type, which lie there as `there` has it, and here as `here` has it.  Inside.  False: the
 *  types are none or have not the same data, there is no memory, or the kernel has refused.
 *  @cost Private memory: a system call for each stretch of it without gaps */
bool bn_reach_bring(const struct bn_direct_member *member, unsigned char *place, const struct bn_data *there, void *to,
                    const struct bn_data *here);
bool bn_reach_carry(const struct bn_direct_member *member, unsigned char *place, const struct bn_data *there,
                    const void *from, const struct bn_data *here);

#endif
