/*
 * agree.h: identical decisions by all members about facts that each member knows only locally, such as sizes of blocks
 * or where buffers lie.
 *
 * A decision about a call must be the same on all members before any of them has heard from another.  So it is based on
 * what all knew BN_AGREE_LAG calls ago: programs repeat their calls, and in a loop of 1, 2, 4, 8 or 16 calls of a kind
 * that was the same call of the loop.  Members exchange their knowledge about the last calls only once in
 * BN_AGREE_EPOCH calls, because fetching a cache line that another core has written takes as long as a small message.
 */
#ifndef BN_NODE_AGREE_H
#define BN_NODE_AGREE_H

#include "coll/team.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    BN_AGREE_EPOCH = 8,                /* calls whose knowledge members exchange together */
    BN_AGREE_LAG = 2 * BN_AGREE_EPOCH, /* a member may be ahead of another by half to all of this */
    BN_AGREE_KINDS = 32,               /* kinds of calls, each counted separately */
};

/* What a member has published, in memory that all see; initially zero.  The number of a flag is the number of epochs
 * published, its payload a byte for each call of the last two epochs.  Two are enough: a member that publishes another
 * epoch has heard the others publish the previous one, which they did after reading the one before that. */
struct bn_agree_said {
    struct bn_flag flags[BN_AGREE_KINDS];
};

/* One member's view */
struct bn_agree {
    struct bn_agree_said *said; /* indexed by rank */
    struct bn_agree_kind {
        uint64_t calls;                        /* calls begun so far */
        unsigned char own[BN_AGREE_EPOCH];     /* what this member knew in each call of the current epoch */
        unsigned char largest[BN_AGREE_EPOCH]; /* the decision for each call of the epoch */
    } kinds[BN_AGREE_KINDS];
};

/**
 * Publishes what this member knows about its next call of a kind (up to 255; 0 if nothing).  Returns the largest value
 * that was known BN_AGREE_LAG calls ago, the same on all members, or `unknown` in the first calls.
 *
 * Waits for members that are further behind; a member that has left for good is reported to the team's host. @cost In
 * every BN_AGREE_EPOCH-th call a cache line of each member; in the others no communication.
 */
unsigned bn_agree_on_largest(struct bn_agree *agree, const struct bn_team *team, int kind, unsigned known,
                             unsigned unknown);

#ifdef __cplusplus
}
#endif

#endif
