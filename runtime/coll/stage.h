/*
 * stage.h: memory through which blocks move in pieces, in teams whose members do not see each other's memory
 * (docs/design/011).
 */
#ifndef BN_COLL_STAGE_H
#define BN_COLL_STAGE_H

#include "coll/team.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    BN_STAGE_PIECE_BYTES = 32768,
    BN_STAGE_SHARE_BYTES = 64, /* the smallest share of a piece, and a multiple of it */
    BN_STAGE_MEMBERS = BN_STAGE_PIECE_BYTES / BN_STAGE_SHARE_BYTES,
    BN_STAGE_TABLE_BYTES = BN_STAGE_MEMBERS * 8, /* a word for each member, in addition to the bytes of a piece */
};

/* One per member; its pieces are used in turn */
struct bn_member_stage {
    unsigned char pieces[BN_STAGE_PIECES][BN_STAGE_TABLE_BYTES + BN_STAGE_PIECE_BYTES]
        __attribute__((aligned(BN_LINE_BYTES)));
};

/*
 * An operation takes a number of rounds, the same on all members and up to BN_STAGE_ROUNDS, and adds them to
 * team->stage_turn at its end.  In each round a member may post a piece; readers announce in their own slots which
 * rounds they have read: step round + 1.
 */
enum { BN_STAGE_ALL = -1, BN_STAGE_ROUNDS = (1 << BN_TEAM_STEP_BITS) - 2 };

/** Returns this member's piece for a round, once its previous content has been read by everyone who had to. reader is
 * who will have to read its new content: a rank, or BN_STAGE_ALL (all others). */
unsigned char *bn_stage_claim(struct bn_team *team, uint32_t round, int reader);

/** The piece of a rank for a round. */
unsigned char *bn_stage_piece(const struct bn_team *team, int rank, uint32_t round);

#ifdef __cplusplus
}
#endif

#endif
