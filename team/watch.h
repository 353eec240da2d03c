/*
 * watch.h: what a member does while it waits in a call: it checks that the others are still there, that the call does
 * not take too long, and that the caller does not want to stop it.
 */
#ifndef BN_TEAM_WATCH_H
#define BN_TEAM_WATCH_H

#include "team/member.h"

/** To be called once per process, before the first call of any team. */
void bn_watch_install(void);

/** Sets the team whose call this thread is in; null: none. */
void bn_watch(banyan_team *team);

/** Leaves the current call by longjmp; the message must have been set. */
__attribute__((noreturn)) void bn_watch_escape(banyan_team *team, banyan_status status);

/** Leaves the current call if another member's process has ended without leaving the team.  @cost A system call for
 * each member */
void bn_watch_others(banyan_team *team);

/** Callbacks for bn_team_host; the context is that of node/team.c. */
void bn_watch_abandoned(void *context, int rank);
void bn_watch_differs(void *context, int rank, const struct bn_said *theirs, const struct bn_said *own);

/** After a call has ended: leaves it with an error if another member has made a different call. */
void bn_watch_sizes(banyan_team *team);

#endif
