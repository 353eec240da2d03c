/*
 * watch.h: who waits in a call sees to it that the others are still there, that it does not take too long, and that
 * nobody wants it to stop.
 */
#ifndef BN_TEAM_WATCH_H
#define BN_TEAM_WATCH_H

#include "team/member.h"

/** Once in a process, before the first call of any team. */
void bn_watch_install(void);

/** From now on this thread waits for the team; null: for none. */
void bn_watch(banyan_team *team);

/** Leaves the current call for good, with a message that has been set. */
__attribute__((noreturn)) void bn_watch_escape(banyan_team *team, banyan_status status);

/** Leaves the current call if the process of another member has ended, which has not left in order.  @cost A system
 * call for each. */
void bn_watch_others(banyan_team *team);

/** For bn_team_host; the context is that of node/team.c. */
void bn_watch_abandoned(void *context, int rank);
void bn_watch_differs(void *context, int rank, const struct bn_said *theirs, const struct bn_said *own);

/** Leaves the current call, which has ended, if a member has made another one than this member. */
void bn_watch_sizes(banyan_team *team);

#endif
