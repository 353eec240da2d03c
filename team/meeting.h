/*
 * meeting.h: how processes find each other by a name, and communicate until they have shared memory (node/world.h).
 *
 * The process of rank 0 listens on an abstract UNIX socket, which disappears with the process; the others connect to
 * it. If nobody has a rank, the first process to arrive is rank 0.
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
    uint64_t options; /* a hash of the options that must be the same on all */
};

struct bn_meeting {
    int rank, size;
    int *connections;  /* on rank 0: one to each rank; elsewhere: one to rank 0; -1: none */
    uint64_t until_ns; /* when to give up (bn_clock_ns); 0: never */
    /* Why communication has stopped.  BANYAN_LOST: a process has gone; BANYAN_TIMEOUT: one is late; 0: it has not */
    banyan_status broken;
};

/** Returns when all processes have arrived.  @errors As banyan_team_join */
banyan_status bn_meeting_begin(const struct bn_wish *wish, struct bn_meeting *meeting);
void bn_meeting_end(struct bn_meeting *meeting);

struct bn_talk bn_meeting_talk(struct bn_meeting *meeting);

#ifdef __cplusplus
}
#endif

#endif
