/* launch.h: the team for which a launcher has started this process. */
#ifndef BN_TEAM_LAUNCH_H
#define BN_TEAM_LAUNCH_H

#include "banyan/team.h"

struct bn_launch {
    char name[BANYAN_NAME_MAX + 1];
    int rank, size;
};

/** Finds that team; without a launcher, it is a team of one.  @errors BANYAN_ARGUMENT: the launcher's variables are
 *  invalid.  BANYAN_SYSTEM: the processes are on several machines. */
banyan_status bn_launch_find(struct bn_launch *launch);

#endif
