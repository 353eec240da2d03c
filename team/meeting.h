/*
 * meeting.h: how processes find each other by a name, and talk until they have memory together (node/world.h).
 *
 * The process of rank 0 listens on an abstract UNIX socket, which is gone when it is; the others connect to it.  Who
 * comes first is rank 0 if nobody has a rank.
 */
#ifndef BN_TEAM_MEETING_H
#define BN_TEAM_MEETING_H

#include "banyan/team.h"
#include "node/world.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct bn_wish {
    const char *name;
    int rank, size; /* rank: or BANYAN_ANY_RANK */
    double timeout_s;
    uint64_t options; /* what stands for options that must be the same on all */
};

struct bn_meeting {
    int rank, size;
    int *connections;  /* of rank 0: to each rank; of others: one, to rank 0; -1: none */
    uint64_t until_ns; /* when to give up, of bn_clock_ns; 0: never */
    /* Why nothing is said any more.  BANYAN_LOST: somebody has gone; BANYAN_TIMEOUT: somebody is late; 0: all is well
     */
    banyan_status broken;
};

/** Returns when all have come.  @errors As banyan_team_join. */
banyan_status bn_meeting_begin(const struct bn_wish *wish, struct bn_meeting *meeting);
void bn_meeting_end(struct bn_meeting *meeting);

struct bn_talk bn_meeting_talk(struct bn_meeting *meeting);

#ifdef __cplusplus
}
#endif

#endif
