/*
 * agree.h: what members decide alike on what each of them knows alone, such as sizes of blocks or where buffers lie.
 *
 * A decision about a call must be the same on all members, before any has heard of another.  So it rests on what all
 * knew BN_AGREE_LAG calls ago: programs repeat their calls, and a loop of 1, 2, 4, 8 or 16 calls of a kind finds that
 * of its own call.  Members tell each other once in BN_AGREE_EPOCH calls what they knew in each of the last ones, since
 * a line that another core has written takes as long to fetch as a small message.
 */
#ifndef BN_NODE_AGREE_H
#define BN_NODE_AGREE_H

#include "coll/team.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    BN_AGREE_EPOCH = 8,                /* calls of which members tell each other at once */
    BN_AGREE_LAG = 2 * BN_AGREE_EPOCH, /* a member may be half to all of that ahead of another */
    BN_AGREE_KINDS = 32,               /* of calls, counted each for itself */
};

/* What a member has said, in memory that all see; zeroed: nothing yet.  The number of a flag is that of the epochs that
 * it tells of, its payload a byte for each call of the last two: who tells of one more has heard the others tell of the
 * one before, which they did after they had read the one before that. */
struct bn_agree_said {
    struct bn_flag flags[BN_AGREE_KINDS];
};

/* As one member sees it */
struct bn_agree {
    struct bn_agree_said *said; /* of all members, by rank */
    struct bn_agree_kind {
        uint64_t calls;                        /* begun so far */
        unsigned char own[BN_AGREE_EPOCH];     /* what this member knew in each of the epoch */
        unsigned char largest[BN_AGREE_EPOCH]; /* what is decided in it */
    } kinds[BN_AGREE_KINDS];
};

/**
 * Says what this member knows of its next call of a kind, up to 255, 0 if it knows nothing; returns the largest that
 * was known BN_AGREE_LAG calls ago, the same on all members, or unknown in the first calls.
 *
 * Waits for members that are further behind; one that has left for good is told to the team's host.
 * @cost In each BN_AGREE_EPOCH-th call a line of the cache of each member, in the others nothing of the kind.
 */
unsigned bn_agree_on_largest(struct bn_agree *agree, const struct bn_team *team, int kind, unsigned known,
                             unsigned unknown);

#ifdef __cplusplus
}
#endif

#endif
