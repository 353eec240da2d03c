/*
 * adopt.h: blocks that a library of the process allocates, in memory of a team.
 *
 * They are the library's as any others: it gives them back when it wants, from any thread, also after the team was
 * left; and a forked child has copies of them, as of other memory of its parent.
 */
#ifndef BN_TEAM_ADOPT_H
#define BN_TEAM_ADOPT_H

#include "banyan/team.h"

/** The team is left: no more blocks come from it.  False: some are in use, and release is called, on whatever thread,
 * when the last one is not any more. */
bool bn_adopt_end(banyan_team *team, void (*release)(banyan_team *team));

#endif
