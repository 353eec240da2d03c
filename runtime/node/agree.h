/*
 * agree.h: what members decide alike on what each of them knows alone, such as sizes of blocks or where buffers lie.
 *
 * A decision about a call must be the same on all members, before any has heard of another.  So each says what it knows
 * in each call, and the decision rests on what all have said BN_AGREE_LAG calls ago: programs repeat their calls, and a
 * loop of 1, 2, 4 or 8 calls of a kind finds that of its own call.
 */
#ifndef BN_NODE_AGREE_H
#define BN_NODE_AGREE_H

#include "coll/team.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    BN_AGREE_LAG = 8,                 /* so many calls a member may be ahead of another */
    BN_AGREE_KEPT = 2 * BN_AGREE_LAG, /* who has entered call k has read what all said in call k - LAG */
    BN_AGREE_KINDS = 32,              /* of calls, counted each for itself */
};

/* What a member has said, in memory that all see; zeroed: nothing yet.  The number of a flag is that of its calls, its
 * payload a byte for each. */
struct bn_agree_said {
    struct bn_flag flags[BN_AGREE_KINDS];
};

/* As one member sees it */
struct bn_agree {
    struct bn_agree_said *said;     /* of all members, by rank */
    uint64_t calls[BN_AGREE_KINDS]; /* begun so far */
};

/**
 * Says what this member knows of its next call of a kind, up to 255, 0 if it knows nothing; returns the largest that
 * was said BN_AGREE_LAG calls ago, the same on all members, or unknown in the first calls.
 *
 * Waits for members that are further behind; one that has left for good is told to the team's host.
 * @cost A line of the cache of each member.
 */
unsigned bn_agree_on_largest(struct bn_agree *agree, const struct bn_team *team, int kind, unsigned known,
                             unsigned unknown);

#ifdef __cplusplus
}
#endif

#endif
