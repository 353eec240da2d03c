/*
 * posted.h: what a member leaves beside its slot (by_room.c, combine.c), and its size, which is the step it is
 * announced with.
 */
#ifndef BN_COLL_POSTED_H
#define BN_COLL_POSTED_H

#include "coll/team.h"

_Static_assert(BN_POSTED + BN_TEAM_ROOM_BYTES < 1 << BN_TEAM_STEP_BITS, "it is a step");

/** Leaves size_bytes at a place beside the own slot, as blocks of nbytes. */
static inline void bn_post(struct bn_team *team, void *place, const void *src, size_t size_bytes, size_t nbytes)
{
    bn_slot_deliver(team, team->rank, place, src, size_bytes, BN_POSTED + (uint32_t)nbytes);
}

/** Waits until a member has posted; returns the size of its blocks, which should be nbytes.  If it is not, the program
 * is wrong, and that is told (team->fit). */
static inline size_t bn_await_posted(struct bn_team *team, int rank, size_t nbytes)
{
    bn_slot_await(team, rank, BN_POSTED);
    if (__builtin_expect(!team->announces, 1))
        return nbytes;
    size_t posted_bytes = bn_slot_step(team, rank) - BN_POSTED;
    if (__builtin_expect(posted_bytes != nbytes, 0))
        bn_team_got(team, posted_bytes, nbytes);
    return posted_bytes;
}

#endif
