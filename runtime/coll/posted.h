/*
 * posted.h: data that a member leaves in the room of its slot (by_room.c, combine.c).  Their size serves as the step
 * that announces them.
 */
#ifndef BN_COLL_POSTED_H
#define BN_COLL_POSTED_H

#include "coll/team.h"

_Static_assert(BN_POSTED + BN_TEAM_ROOM_BYTES < 1 << BN_TEAM_STEP_BITS, "it is a step");

/** Leaves size_bytes at a place that belongs to the own slot, as blocks of nbytes. */
static inline void bn_post(struct bn_team *team, void *place, const void *src, size_t size_bytes, size_t nbytes)
{
    bn_slot_deliver(team, team->rank, place, src, size_bytes, BN_POSTED + (uint32_t)nbytes);
}

/** Waits until a member has posted count blocks, and returns their size, which should be nbytes.  If it is not, the
 * program has a bug, and team->fit says so; a value that cannot be a size counts as nbytes. */
static inline size_t bn_await_posted(struct bn_team *team, int rank, size_t count, size_t nbytes)
{
    bn_slot_await(team, rank, BN_POSTED);
    if (__builtin_expect(!team->announces, 1))
        return nbytes;
    size_t posted_bytes = bn_slot_step(team, rank) - BN_POSTED;
    if (__builtin_expect(posted_bytes == nbytes, 1))
        return nbytes;
    bn_team_got(team, posted_bytes, nbytes);
    return count * posted_bytes <= BN_TEAM_ROOM_BYTES ? posted_bytes : nbytes;
}

#endif
