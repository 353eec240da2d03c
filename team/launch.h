/* launch.h: the team that a launcher has started this process for. */
#ifndef BN_TEAM_LAUNCH_H
#define BN_TEAM_LAUNCH_H

#include "banyan/team.h"

struct bn_launch {
    char name[BANYAN_NAME_MAX + 1];
    int rank, size;
};

/** Without a launcher it is a team of one.  @errors BANYAN_ARGUMENT: what the launcher says makes no sense.
 *  BANYAN_SYSTEM: the processes are on several machines. */
banyan_status bn_launch_find(struct bn_launch *launch);

#endif
